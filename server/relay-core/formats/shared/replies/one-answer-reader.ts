import { parseFrame } from '../../../framing/exact-json.js';
import type { FinishReason } from '../../../model/finish-reason.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import type { Usage } from '../../../model/usage.js';
import type { ReplyReader } from '../../contract/api-format.js';
import { type Document, parseDocument } from '../fields/json-fields.js';

const takesInput = ({ kind, isAnswer }: OpenPart): boolean => isAnswer || kind === 'tool-call';

const inputOf = ({ block, isAnswer }: OpenPart, json: string): StreamEvent =>
  isAnswer
    ? { type: 'text-delta', block, choice: 0, text: json }
    : { type: 'tool-input-delta', block, choice: 0, json };

/** Facts in the first frame of a stream. */
export interface ReplyHead {
  readonly id?: string | undefined;
  readonly servedModel?: string | undefined;
  readonly createdAtSeconds?: number | undefined;
}

/** Base of readers of streams that hold one answer: it begins once, its parts grow, it ends once. */
export abstract class OneAnswerReader implements ReplyReader {
  protected readonly parts: OpenParts;
  /** Undefined until the vendor reported the end of the answer. */
  protected finishReason: FinishReason | undefined;
  private hasStarted = false;
  private isOver = false;

  /** @param growsTogether  a part that begins leaves the others open */
  constructor(growsTogether = false) {
    this.parts = new OpenParts(growsTogether);
  }

  read(data: string, name = ''): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    const frame = parseDocument(data, parseFrame);
    if (frame === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    if (!this.hasStarted) this.start(this.head(frame), events);
    this.frame(frame, events, name);
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.close(events);
    events.push({ type: 'reply-end', finish: this.finishReason ?? { unified: 'other', raw: undefined } });
    return events;
  }

  protected abstract head(frame: Document): ReplyHead;

  /** @param name  the frame's own, from framings that have one; else empty */
  protected abstract frame(frame: Document, events: StreamEvent[], name: string): void;

  /** The growing parts come to their end. */
  protected close(events: StreamEvent[]): void {
    this.parts.closeAll(events);
  }

  protected report(usage: Usage | 'invalid' | undefined, events: StreamEvent[]): void {
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
  }

  protected end(finish: FinishReason, events: StreamEvent[]): void {
    this.finishReason = finish;
    events.push({ type: 'choice-end', choice: 0, finish });
  }

  private start({ id = '', servedModel = '', createdAtSeconds }: ReplyHead, events: StreamEvent[]): void {
    this.hasStarted = true;
    const start = { type: 'reply-start', id, servedModel } as const;
    events.push(createdAtSeconds === undefined ? start : { ...start, createdAtSeconds });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);

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

/** The growing parts of a streamed answer, by the vendor's key of a part: numbers them, and ends each once. */
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
