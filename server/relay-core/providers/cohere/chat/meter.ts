import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { readFinishReason } from './finish-reason.js';
import { readUsage } from './usage.js';
import { refusal } from '../../../model/refusals.js';

const MESSAGE = key('message');
const DELTA = key('delta');
const CONTENT = key('content');
const TEXT = key('text');
const THINKING = key('thinking');
const TOOL_PLAN = key('tool_plan');
const TOOL_CALLS = key('tool_calls');
const FINISH_REASON = key('finish_reason');
const USAGE = key('usage');
const ERROR = key('error');
const TYPE = key('type');
const ROLE = key('role');
const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Meter of the `cohere-chat` format; charges what the vendor bills. */
export class CohereChatMeter extends JsonEventMeter {
  private sawMessage = false;
  private sawUsage = false;
  private sentence: string | undefined;
  private type: string | undefined;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    this.begin();
    if (!this.walk(data, start, end, this.member)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    if (this.sawContent) return 'content';
    if (this.sentence !== undefined && this.type === undefined)
      return this.failedWith(parseSpan(data, start, end));
    return this.sawUsage ? 'usage-only' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    this.begin();
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    if (this.sawMessage) return this.isProvenAnswer ? 'answer' : 'empty';
    return this.failedWith(parseSpan(body, 0, body.length));
  }

  private begin(): void {
    this.sawMessage = false;
    this.sawUsage = false;
    this.sentence = undefined;
    this.type = undefined;
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(MESSAGE)) this.messageMember();
    else if (cursor.keyIs(DELTA)) this.members(this.member);
    else if (cursor.keyIs(FINISH_REASON)) this.finishReason();
    else if (cursor.keyIs(USAGE)) this.report();
    else if (cursor.keyIs(TYPE)) this.type ??= this.takeString();
    else if (cursor.keyIs(ERROR)) this.error();
    else cursor.skipValue();
  };

  /** A message, or the sentence of a failure. */
  private messageMember(): void {
    if (this.cursor.peek() === QUOTE) this.sentence = this.takeString();
    else {
      this.sawMessage = true;
      this.members(this.message);
    }
  }

  private readonly message = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(CONTENT)) this.content();
    else if (cursor.keyIs(TOOL_PLAN)) this.takeText();
    else if (cursor.keyIs(TOOL_CALLS)) this.takeFunctionCalls();
    else if (cursor.keyIs(ROLE)) cursor.skipValue();
    else this.takeUnknown(cursor);
  };

  /** One part in streams, a list of them in whole replies, a text in the oldest. */
  private content(): void {
    const first = this.cursor.peek();
    if (first === OPEN_ARRAY) this.elements(this.parts);
    else if (first === OPEN_OBJECT) this.members(this.part);
    else this.takeText();
  }

  private readonly parts = (): void => this.members(this.part);

  private readonly part = (): void => {
    if (this.cursor.keyIs(TEXT) || this.cursor.keyIs(THINKING)) this.takeText();
    else if (this.cursor.keyIs(TYPE)) this.cursor.skipValue();
    else this.takeUnknown(this.cursor);
  };

  private finishReason(): void {
    const word = this.takeString();
    if (word === undefined) return;
    const { unified } = readFinishReason(word);
    if (unified === 'error') {
      this.errorDocument ??= { message: refusal('ended-with-error').message, code: word };
      return;
    }
    this.takeFinish(unified);
  }

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue(), 'billed'))) this.sawUsage = true;
  }

  /** Reads the error of a `message-end` after a failure of the model. */
  private error(): void {
    const error = this.takeValue();
    if (typeof error === 'string' && error !== '') this.errorDocument = { message: error };
    else if (typeof error === 'object' && error !== null) this.errorDocument = { error };
  }
}
