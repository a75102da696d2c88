import { parseFrame } from '../../../framing/exact-json.js';
import type { FinishReason } from '../../../model/finish-reason.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import type { Usage } from '../../../model/usage.js';
import type { ReplyReader } from '../../contract/api-format.js';
import { parseDocument, type Document } from '../fields/json-fields.js';
import { OpenParts } from './open-parts.js';

/** What a stream says of itself by its first frame. */
export interface ReplyHead {
  readonly id?: string | undefined;
  readonly servedModel?: string | undefined;
  readonly createdAtSeconds?: number | undefined;
}

/** Base of readers of streams that hold one answer: it begins once, its parts grow, it ends once. */
export abstract class OneAnswerReader implements ReplyReader {
  protected readonly parts: OpenParts;
  /** Undefined until the vendor said that the answer ended. */
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
