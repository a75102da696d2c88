import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { COZE_EVENTS } from './id.js';
import { readUsage } from './usage.js';

const TYPE = key('type');
const CONTENT = key('content');
const REASONING = key('reasoning_content');
const USAGE = key('usage');
const LAST_ERROR = key('last_error');
const ID = key('id');
const CONVERSATION = key('conversation_id');

/** Meter of a Coze bot's replies. What the bot does inside is not output and costs nothing. */
export class CozeChatMeter extends JsonEventMeter {
  override readonly readsMore = true;
  private type = '';
  private sawUsage = false;
  private lastError: unknown;
  private chatId: string | undefined;
  private conversationId: string | undefined;
  /** Text came piece by piece: the message at the end says it again. */
  private hasText = false;

  override readEvent(data: Buffer, start: number, end: number, name: string): EventVerdict {
    if (start >= end) return 'silent';
    if (name === COZE_EVENTS.end) return 'end';
    const isMessage = name === COZE_EVENTS.piece || (name === COZE_EVENTS.message && !this.hasText);
    if (isMessage) return this.message(data, start, end);
    this.sawUsage = false;
    if (!this.walk(data, start, end, this.chat)) return 'malformed';
    switch (name) {
      case COZE_EVENTS.error:
        return this.failedWith(parseSpan(data, start, end));
      case COZE_EVENTS.failed:
        this.underWay = undefined;
        return this.failedWith(this.lastError ?? { msg: 'The bot failed.' });
      case COZE_EVENTS.wantsTool:
        return this.failedWith({ code: 'requires_action', msg: 'This bot wants a tool of its own.' });
      case COZE_EVENTS.completed:
        this.takeFinish('stop');
        this.underWay = undefined;
        return this.hasText ? 'content' : this.sawUsage ? 'usage-only' : 'setup';
      case COZE_EVENTS.created:
      case COZE_EVENTS.inProgress:
        if (this.chatId !== undefined && this.conversationId !== undefined)
          this.underWay = { chat_id: this.chatId, conversation_id: this.conversationId };
        return 'setup';
      default:
        return 'setup';
    }
  }

  /** A stream was asked for: a document instead of it is a refusal, whatever its status. */
  override readWhole(body: Buffer): WholeVerdict {
    if (!this.walk(body, 0, body.length, this.chat)) return 'malformed';
    return this.failedWith(parseSpan(body, 0, body.length));
  }

  /** Its kind may stand behind its words: it is looked for first. */
  private message(data: Buffer, start: number, end: number): EventVerdict {
    this.type = '';
    if (!this.walk(data, start, end, this.kind)) return 'malformed';
    if (this.type !== 'answer') return 'setup';
    this.walk(data, start, end, this.onText);
    return this.sawContent ? 'content' : 'setup';
  }

  private readonly kind = (): void => {
    if (this.cursor.keyIs(TYPE)) this.type = this.takeString() ?? '';
    else this.cursor.skipValue();
  };

  private readonly onText = (): void => {
    if (this.cursor.keyIs(CONTENT) || this.cursor.keyIs(REASONING)) {
      if (this.takeText()) this.hasText = true;
    } else this.cursor.skipValue();
  };

  private readonly chat = (): void => {
    if (this.cursor.keyIs(LAST_ERROR)) this.lastError = this.takeValue();
    else if (this.cursor.keyIs(USAGE)) this.report();
    else if (this.cursor.keyIs(ID)) this.chatId = this.takeString();
    else if (this.cursor.keyIs(CONVERSATION)) this.conversationId = this.takeString();
    else this.cursor.skipValue();
  };

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  }
}
