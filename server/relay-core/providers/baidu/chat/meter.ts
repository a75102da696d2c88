import { readCounts } from '../../../formats/shared/metering/counted-usage.js';
import { documentOf } from '../../../formats/shared/fields/json-fields.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { readEnd } from './finish-reason.js';

const RESULT = key('result');
const CALL = key('function_call');
const NAME = key('name');
const ARGUMENTS = key('arguments');
const THOUGHTS = key('thoughts');
const USAGE = key('usage');
const ERROR_CODE = key('error_code');

/** Words that say how an answer stands; read as they are. */
const MARKS = ['finish_reason', 'need_clear_history', 'ban_round', 'is_truncated', 'is_end'] as const;
const MARK_KEYS = MARKS.map((name) => [name, key(name)] as const);

/** Meter of the `baidu-chat` format. */
export class BaiduChatMeter extends JsonEventMeter {
  private marks: Record<string, unknown> = {};
  private sawResult = false;
  private sawUsage = false;
  private isFailed = false;
  private hasText = false;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (!this.read(data, start, end)) return 'malformed';
    if (this.isFailed) return this.failedWith(parseSpan(data, start, end));
    this.hasText ||= this.sawContent;
    const finish = readEnd(this.marks, this.marks['is_end'] === true);
    if (finish !== undefined) {
      this.takeFinish(finish.unified);
      if (finish.unified !== 'stop') return 'content';
    }
    if (this.sawContent || (finish !== undefined && this.hasText)) return 'content';
    return this.sawUsage ? 'usage-only' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.read(body, 0, body.length)) return 'malformed';
    if (this.isFailed || !this.sawResult) return this.failedWith(parseSpan(body, 0, body.length));
    const finish = readEnd(this.marks, true);
    if (finish !== undefined) this.takeFinish(finish.unified);
    return this.isProvenAnswer ? 'answer' : 'empty';
  }

  private read(bytes: Buffer, start: number, end: number): boolean {
    this.marks = {};
    this.sawResult = false;
    this.sawUsage = false;
    this.isFailed = false;
    return this.walk(bytes, start, end, this.member);
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(RESULT)) {
      this.sawResult = true;
      this.takeText();
    } else if (cursor.keyIs(CALL)) this.call();
    else if (cursor.keyIs(USAGE)) this.report();
    else if (cursor.keyIs(ERROR_CODE)) this.isFailed = this.takeValue() !== 0;
    else {
      const mark = MARK_KEYS.find(([, name]) => cursor.keyIs(name));
      if (mark !== undefined) this.marks[mark[0]] = this.takeValue();
      else cursor.skipValue();
    }
  };

  private call(): void {
    this.sawResult = true;
    this.marks['function_call'] = documentOf(undefined);
    this.hasToolCalls = true;
    this.members(this.callMember);
  }

  private readonly callMember = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(NAME)) this.takeToolName();
    else if (cursor.keyIs(ARGUMENTS)) this.takeToolInput();
    else if (cursor.keyIs(THOUGHTS)) this.takeText();
    else cursor.skipValue();
  };

  /** Cumulative: the last piece's is the whole call's. */
  private report(): void {
    if (this.takeUsage(readCounts(this.takeValue(), 'prompt_tokens', 'completion_tokens')))
      this.sawUsage = true;
  }
}
