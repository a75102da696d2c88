import { documentOf } from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { readUsage } from './usage.js';

const RESPONSE = key('Response');
const CHOICES = key('Choices');
const MESSAGE = key('Message');
const DELTA = key('Delta');
const CONTENT = key('Content');
const REASONING = key('ReasoningContent');
const CALLS = key('ToolCalls');
const FUNCTION = key('Function');
const NAME = key('Name');
const ARGUMENTS = key('Arguments');
const FINISH_REASON = key('FinishReason');
const USAGE = key('Usage');
const ERROR = key('Error');
const ERROR_MESSAGE = key('ErrorMsg');

/** Meter of the `tencent-chat` format. */
export class TencentChatMeter extends JsonEventMeter {
  private sawChoices = false;
  private sawUsage = false;
  private failure: unknown;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (data[start] === 0x5b) return 'end';
    if (!this.read(data, start, end)) return 'malformed';
    if (this.failure !== undefined) return this.failedWith({ Error: this.failure });
    if (this.sawContent) return 'content';
    return this.sawUsage ? 'usage-only' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.read(body, 0, body.length)) return 'malformed';
    if (this.failure === undefined && this.sawChoices) return this.isProvenAnswer ? 'answer' : 'empty';
    return this.failedWith(
      this.failure === undefined ? parseSpan(body, 0, body.length) : { Error: this.failure },
    );
  }

  private read(bytes: Buffer, start: number, end: number): boolean {
    this.sawChoices = false;
    this.sawUsage = false;
    this.failure = undefined;
    return this.walk(bytes, start, end, this.member);
  }

  /** Whole answers and refusals have an envelope, pieces of a stream have none. */
  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(RESPONSE)) this.members(this.member);
    else if (cursor.keyIs(CHOICES)) {
      this.sawChoices = true;
      this.elements(this.choices);
    } else if (cursor.keyIs(USAGE)) this.report();
    else if (cursor.keyIs(ERROR) || cursor.keyIs(ERROR_MESSAGE)) this.error();
    else cursor.skipValue();
  };

  private error(): void {
    const failure = documentOf(this.takeValue());
    if (failure['Code'] !== undefined && failure['Code'] !== 0 && failure['Code'] !== '')
      this.failure = failure;
  }

  private readonly choices = (): void => this.members(this.choice);

  private readonly choice = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(MESSAGE) || cursor.keyIs(DELTA)) this.members(this.message);
    else if (cursor.keyIs(FINISH_REASON)) this.finishReason();
    else cursor.skipValue();
  };

  private readonly message = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(CONTENT) || cursor.keyIs(REASONING)) this.takeText();
    else if (cursor.keyIs(CALLS)) this.elements(this.calls);
    else cursor.skipValue();
  };

  private readonly calls = (): void => this.members(this.call);

  private readonly call = (): void => {
    if (this.cursor.keyIs(FUNCTION)) this.members(this.callBody);
    else this.cursor.skipValue();
  };

  private readonly callBody = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(NAME)) {
      this.hasToolCalls = true;
      this.takeToolName();
    } else if (cursor.keyIs(ARGUMENTS)) this.takeToolInput();
    else cursor.skipValue();
  };

  private finishReason(): void {
    const word = this.takeString();
    if (word !== undefined) this.takeFinish(readFinishReason(word, this.hasToolCalls).unified);
  }

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  }
}
