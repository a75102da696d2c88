import type { StreamEvent } from '../../../model/stream-event.js';

/** A part of an answer that may still grow. */
export interface OpenPart {
  readonly block: number;
  readonly kind: 'text' | 'reasoning' | 'tool-call';
  /** The tool's input is the answer itself. */
  readonly isAnswer: boolean;
  /** A tool's input, or an answer that comes as one, wrote something. */
  hasInput: boolean;
}

type Key = string | number;

/** The growing parts of a streamed answer, by what its vendor tells them apart with: numbers them, and ends each once. */
export class OpenParts {
  private readonly parts = new Map<Key, OpenPart>();
  private next = 0;

  /** @param isInterleaved  a part that begins leaves the others open */
  constructor(private readonly isInterleaved = false) {}

  /** The number of the part that began last; 0 before the first. */
  get last(): number {
    return Math.max(0, this.next - 1);
  }

  get(key: Key): OpenPart | undefined {
    return this.parts.get(key);
  }

  begin(key: Key, kind: OpenPart['kind'], events: StreamEvent[], isAnswer = false): OpenPart {
    if (this.isInterleaved) this.close(key, events);
    else this.closeAll(events);
    const part: OpenPart = { block: this.next, kind, isAnswer, hasInput: false };
    this.next += 1;
    this.parts.set(key, part);
    return part;
  }

  /** The part under this key, begun anew when another kind stands there. */
  of(key: Key, kind: OpenPart['kind'], events: StreamEvent[]): OpenPart {
    const part = this.parts.get(key);
    return part?.kind === kind ? part : this.begin(key, kind, events);
  }

  /** More words or thoughts; nothing for a vendor's empty pieces. */
  addText(
    kind: 'text' | 'reasoning',
    text: string | undefined,
    events: StreamEvent[],
    key: Key = kind,
  ): void {
    if (text === undefined) return;
    const { block } = this.of(key, kind, events);
    events.push({ type: `${kind}-delta`, block, choice: 0, text });
  }

  beginCall(key: Key, call: { readonly callId: string; readonly name: string }, events: StreamEvent[]): void {
    const { block } = this.begin(key, 'tool-call', events);
    events.push({ type: 'tool-input-start', block, choice: 0, ...call });
  }

  /** More of a tool's input; without effect when no part that takes one is open. */
  input(key: Key, json: string | undefined, events: StreamEvent[]): void {
    const part = this.parts.get(key);
    if (part === undefined || json === undefined || !takesInput(part)) return;
    part.hasInput = true;
    events.push(inputOf(part, json));
  }

  close(key: Key, events: StreamEvent[]): void {
    const part = this.parts.get(key);
    if (part === undefined) return;
    this.parts.delete(key);
    // A tool without arguments writes nothing; its arguments are still an object.
    if (takesInput(part) && !part.hasInput) events.push(inputOf(part, '{}'));
    events.push({ type: 'block-end', block: part.block, choice: 0 });
  }

  closeAll(events: StreamEvent[]): void {
    for (const key of this.parts.keys()) this.close(key, events);
  }
}

const takesInput = ({ kind, isAnswer }: OpenPart): boolean => isAnswer || kind === 'tool-call';

const inputOf = ({ block, isAnswer }: OpenPart, json: string): StreamEvent =>
  isAnswer
    ? { type: 'text-delta', block, choice: 0, text: json }
    : { type: 'tool-input-delta', block, choice: 0, json };
