import type { StreamEvent } from '../../model/stream-event.js';
import { type Document, parseDocument, textOf } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { COZE_EVENTS } from './id.js';
import { readUsage } from './usage.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a Coze stream → neutral events. */
export class CozeReplyReader implements ReplyReader {
  private open: { readonly block: number; readonly isThought: boolean } | null = null;
  private nextBlock = 0;
  private hasStarted = false;
  private hasText = false;
  private isEnded = false;
  private isOver = false;

  read(data: string, name: string): readonly StreamEvent[] {
    if (this.isOver || name === COZE_EVENTS.end) return NO_EVENTS;
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    const frame = parseDocument(data);
    if (frame === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(frame, events);
    if (name === COZE_EVENTS.piece || (name === COZE_EVENTS.message && !this.hasText)) {
      if (frame['type'] === 'answer') this.message(frame, events);
    } else if (name === COZE_EVENTS.completed) this.end(frame, events);
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.close(events);
    events.push({ type: 'reply-end', finish: this.isEnded ? FINISH : UNSAID });
    return events;
  }

  private start(frame: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const id = textOf(frame['chat_id']) ?? textOf(frame['id']) ?? '';
    events.push({ type: 'reply-start', id, servedModel: '' });
  }

  private message(frame: Document, events: StreamEvent[]): void {
    this.piece(true, textOf(frame['reasoning_content']), events);
    this.piece(false, textOf(frame['content']), events);
  }

  private piece(isThought: boolean, text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined) return;
    this.hasText = true;
    if (this.open?.isThought !== isThought) {
      this.close(events);
      this.open = { block: this.nextBlock, isThought };
      this.nextBlock += 1;
    }
    const type = isThought ? 'reasoning-delta' : 'text-delta';
    events.push({ type, block: this.open.block, choice: 0, text });
  }

  private end(chat: Document, events: StreamEvent[]): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.close(events);
    const usage = readUsage(chat['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    events.push({ type: 'choice-end', choice: 0, finish: FINISH });
  }

  private close(events: StreamEvent[]): void {
    if (this.open !== null) events.push({ type: 'block-end', block: this.open.block, choice: 0 });
    this.open = null;
  }
}

const UNSAID = { unified: 'other', raw: undefined } as const;
const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
