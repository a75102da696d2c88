import type { StreamEvent } from '../../../model/stream-event.js';
import { type Document, textOf } from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { COZE_EVENTS } from './id.js';
import { readUsage } from './usage.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a Coze stream → neutral events. */
export class CozeReplyReader extends OneAnswerReader {
  private hasText = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['chat_id']) ?? textOf(frame['id']) };
  }

  protected override frame(frame: Document, events: StreamEvent[], name: string): void {
    if (name === COZE_EVENTS.piece || (name === COZE_EVENTS.message && !this.hasText)) {
      if (frame['type'] === 'answer') this.message(frame, events);
    } else if (name === COZE_EVENTS.completed && this.finishReason === undefined) {
      this.close(events);
      this.report(readUsage(frame['usage']), events);
      this.end(FINISH, events);
    }
  }

  private message(frame: Document, events: StreamEvent[]): void {
    this.piece('reasoning', textOf(frame['reasoning_content']), events);
    this.piece('text', textOf(frame['content']), events);
  }

  private piece(kind: 'text' | 'reasoning', text: string | undefined, events: StreamEvent[]): void {
    this.hasText ||= text !== undefined;
    this.parts.addText(kind, text, events);
  }
}
