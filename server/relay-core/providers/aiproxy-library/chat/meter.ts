import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';

const CONTENT = key('content');
const ANSWER = key('answer');
const FINISH = key('finish');
const SUCCESS = key('success');
const CODE = key('errCode');

/** Meter of a library's replies, which report no usage: everything is counted here. */
export class LibraryChatMeter extends JsonEventMeter {
  private isFailure = false;
  private isLast = false;
  private hasAnswer = false;
  private hasText = false;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (data[start] === 0x5b) return 'end';
    if (!this.read(data, start, end)) return 'malformed';
    if (this.isFailure) return this.failedWith(parseSpan(data, start, end));
    if (this.isLast) {
      this.takeFinish('stop');
      return this.hasText ? 'content' : 'setup';
    }
    return this.sawContent ? 'content' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.read(body, 0, body.length)) return 'malformed';
    if (this.isFailure || !this.hasAnswer) return this.failedWith(parseSpan(body, 0, body.length));
    this.takeFinish('stop');
    return this.isProvenAnswer ? 'answer' : 'empty';
  }

  private read(bytes: Buffer, start: number, end: number): boolean {
    this.isFailure = false;
    this.isLast = false;
    return this.walk(bytes, start, end, this.member);
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(CONTENT)) this.hasText = this.takeText() || this.hasText;
    else if (cursor.keyIs(ANSWER)) {
      this.hasAnswer = true;
      this.hasText = this.takeText() || this.hasText;
    } else if (cursor.keyIs(FINISH)) this.isLast = this.takeValue() === true;
    else if (cursor.keyIs(SUCCESS)) this.isFailure = this.takeValue() === false || this.isFailure;
    else if (cursor.keyIs(CODE)) this.isFailure = isCode(this.takeValue()) || this.isFailure;
    else cursor.skipValue();
  };
}

const isCode = (value: unknown): boolean =>
  (typeof value === 'number' && value !== 0) || (typeof value === 'string' && !['', '0'].includes(value));
