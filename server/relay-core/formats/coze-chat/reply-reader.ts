import type { StreamEvent } from '../../model/stream-event.js';
import { type Document, parseDocument, textOf } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { COZE_EVENTS } from './id.js';
import { readUsage } from './usage.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a Coze stream → neutral events. */
export class CozeReplyReader implements ReplyReader {
  private readonly parts = new OpenParts();
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
    this.parts.closeAll(events);
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
    this.piece('reasoning', textOf(frame['reasoning_content']), events);
    this.piece('text', textOf(frame['content']), events);
  }

  private piece(kind: 'text' | 'reasoning', text: string | undefined, events: StreamEvent[]): void {
    this.hasText ||= text !== undefined;
    this.parts.words(kind, text, events);
  }

  private end(chat: Document, events: StreamEvent[]): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.parts.closeAll(events);
    const usage = readUsage(chat['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    events.push({ type: 'choice-end', choice: 0, finish: FINISH });
  }
}

const UNSAID = { unified: 'other', raw: undefined } as const;
const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
