import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { readFinishReason } from './finish-reason.js';
import { readUsage } from './usage.js';

const MESSAGE = key('message');
const CONTENT = key('content');
const THINKING = key('thinking');
const TOOL_CALLS = key('tool_calls');
const ROLE = key('role');
const TOOL_NAME = key('tool_name');
const DONE = key('done');
const DONE_REASON = key('done_reason');
const ERROR = key('error');
const PROMPT_COUNT = key('prompt_eval_count');
const OUTPUT_COUNT = key('eval_count');

/** Meter of the `ollama-chat` format. */
export class OllamaChatMeter extends JsonEventMeter {
  private sawMessage = false;
  private figures: Record<string, unknown> = {};

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (!this.readLine(data, start, end)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    return this.sawContent ? 'content' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.readLine(body, 0, body.length)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    if (this.sawMessage) return this.isProvenAnswer ? 'answer' : 'empty';
    return this.failedWith(parseSpan(body, 0, body.length));
  }

  private readLine(bytes: Buffer, start: number, end: number): boolean {
    this.sawMessage = false;
    this.figures = {};
    if (!this.walk(bytes, start, end, this.member)) return false;
    this.takeUsage(readUsage(this.figures));
    return true;
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(MESSAGE)) {
      this.sawMessage = true;
      this.members(this.message);
    } else if (cursor.keyIs(PROMPT_COUNT)) this.figures['prompt_eval_count'] = this.takeValue();
    else if (cursor.keyIs(OUTPUT_COUNT)) this.figures['eval_count'] = this.takeValue();
    else if (cursor.keyIs(DONE)) {
      if (this.takeValue() === true) this.takeFinish('stop');
    } else if (cursor.keyIs(DONE_REASON)) this.doneReason();
    else if (cursor.keyIs(ERROR)) this.errorDocument = { error: this.takeValue() };
    else cursor.skipValue();
  };

  private doneReason(): void {
    const reason = this.takeString();
    if (reason !== undefined) this.takeFinish(readFinishReason(reason, false).unified);
  }

  private readonly message = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(CONTENT) || cursor.keyIs(THINKING)) this.takeText();
    else if (cursor.keyIs(TOOL_CALLS)) this.takeFunctionCalls();
    else if (cursor.keyIs(ROLE) || cursor.keyIs(TOOL_NAME)) cursor.skipValue();
    else this.takeUnknown(cursor);
  };
}
