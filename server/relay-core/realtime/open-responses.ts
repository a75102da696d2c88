import type { Estimate } from '../formats/contract/produced-text.js';
import { ResponseCount } from './response-count.js';

/** Vendors make one at a time, and a few beside the conversation. */
const MAX_OPEN = 64;
/** Number of ends that are remembered, so that one reported twice is charged once. */
const MAX_REFIELDED = 2_048;
/** No vendor's id begins with a blank. */
const UNNAMED = ' ';
const INTERPRETER = ' interpreter';

export interface OpenResponsesParts {
  readonly estimate: Estimate;
  /** A response begins. */
  readonly begin: (response: ResponseCount) => void;
  /** There are too many: this one is settled as it stands. */
  readonly settle: (response: ResponseCount) => void;
}

/** The responses of a session that have begun and not ended, each under its name. */
export class OpenResponses {
  private readonly open = new Map<string, ResponseCount>();
  /** Response → true when it was charged by the vendor's report. */
  private readonly ended = new Map<string, boolean>();
  private unnamed = 0;

  constructor(private readonly parts: OpenResponsesParts) {}

  get isResponding(): boolean {
    for (const response of this.open.values()) if (response.isAnnounced) return true;
    return false;
  }

  get hasUnreported(): boolean {
    for (const response of this.unreported()) if (response !== undefined) return true;
    return false;
  }

  *unreported(): Generator<ResponseCount> {
    for (const response of this.open.values()) if (response.isAnnounced || response.hasOutput) yield response;
  }

  announce(id: string): void {
    const name = id === '' ? UNNAMED : id;
    const known = this.open.get(name);
    // Announced again, a name stands for another response.
    this.ended.delete(name);
    if (known !== undefined && !known.isAnnounced) known.isAnnounced = true;
    else if (known === undefined) this.begin(name, true);
    else if (name === UNNAMED) {
      // Another without a name: the one before goes on beside it.
      this.unnamed += 1;
      this.open.delete(UNNAMED);
      this.open.set(`${UNNAMED}${this.unnamed}`, known);
      this.begin(UNNAMED, true);
    }
  }

  /** Response a piece is counted for; undefined = it was charged by the vendor's report already. */
  pieceOf(id: string): ResponseCount | undefined {
    const name = id === '' ? this.latest() : id;
    const known = this.open.get(name);
    if (known !== undefined) return known;
    if (this.ended.get(name) === true) return undefined;
    return this.nameUnnamed(name) ?? this.begin(name, false);
  }

  /** Counts audio output that comes without responses, with continuous input. */
  interpreter(input: ResponseCount['input']): ResponseCount {
    const known = this.open.get(INTERPRETER);
    if (known !== undefined) return known;
    const interpreter = new ResponseCount(this.parts.estimate, false);
    interpreter.input = input;
    this.open.set(INTERPRETER, interpreter);
    return interpreter;
  }

  /** Removes a response; undefined = its end was reported before. */
  finish(id: string): ResponseCount | undefined {
    let name = id === '' ? this.latest() : id;
    if (!this.open.has(name)) {
      if (this.ended.has(name)) return undefined;
      // Pieces that came without a name are its own, when its end is the first that names it.
      name = this.open.has(UNNAMED) ? UNNAMED : name;
    }
    const found = this.open.get(name) ?? this.begin(name, true);
    this.open.delete(name);
    return found;
  }

  remember(id: string, isReported: boolean): void {
    if (id === '') return;
    this.ended.set(id, isReported);
    if (this.ended.size <= MAX_REFIELDED) return;
    for (const oldest of this.ended.keys()) {
      this.ended.delete(oldest);
      return;
    }
  }

  /** One that was announced without a name has it from its first piece. */
  private nameUnnamed(name: string): ResponseCount | undefined {
    const unnamed = this.open.get(UNNAMED);
    if (unnamed === undefined || !unnamed.isAnnounced || unnamed.hasOutput) return undefined;
    this.open.delete(UNNAMED);
    this.open.set(name, unnamed);
    return unnamed;
  }

  /** The one that began last, among those that have a name or were announced. */
  private latest(): string {
    let latest = UNNAMED;
    for (const name of this.open.keys()) if (name !== INTERPRETER) latest = name;
    return latest;
  }

  private begin(name: string, isAnnounced: boolean): ResponseCount {
    if (this.open.size >= MAX_OPEN) this.settleOldest();
    // Pieces after an end of our own count were read before it.
    const isLate = this.ended.has(name);
    const response = new ResponseCount(this.parts.estimate, isAnnounced);
    response.isLate = isLate;
    this.open.set(name, response);
    if (!isLate) this.parts.begin(response);
    return response;
  }

  private settleOldest(): void {
    for (const [name, response] of this.open) {
      this.open.delete(name);
      // Its later pieces are counted as late.
      this.remember(name, false);
      this.parts.settle(response);
      return;
    }
  }
}
