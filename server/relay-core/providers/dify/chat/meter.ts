import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { textOfOutputs } from './read-outputs.js';
import { readUsage } from './usage.js';

const EVENT = key('event');
const ANSWER = key('answer');
const DATA = key('data');
const TEXT = key('text');
const OUTPUTS = key('outputs');
const STATUS = key('status');
const ERROR = key('error');
const METADATA = key('metadata');
const USAGE = key('usage');
const URL = key('url');

/** Meter of Dify's replies, whatever the application. What a workflow does inside is not output and costs nothing. */
export class DifyMeter extends JsonEventMeter {
  override readonly readsMore = true;
  private event = '';
  private sawUsage = false;
  private sawAnswer = false;
  private isFailed = false;
  private failure: unknown;
  private outputs: unknown;
  /** Text came piece by piece: the outputs at the end repeat it. */
  private hasText = false;

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (!this.read(data, start, end)) return 'malformed';
    switch (this.event) {
      case 'error':
        return this.failedWith(parseSpan(data, start, end));
      case 'message_end':
        this.takeFinish('stop');
        return this.hasText ? 'content' : this.sawUsage ? 'usage-only' : 'setup';
      case 'workflow_finished':
        return this.workflowEnd();
      case 'ping':
        return 'silent';
      default:
        return this.sawContent ? 'content' : 'setup';
    }
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.read(body, 0, body.length)) return 'malformed';
    if (this.outputs !== undefined || this.isFailed) {
      if (this.workflowEnd() === 'error') return 'error';
    }
    if (this.sawAnswer || this.outputs !== undefined) {
      this.takeFinish('stop');
      return this.isProvenAnswer ? 'answer' : 'empty';
    }
    return this.failedWith(parseSpan(body, 0, body.length));
  }

  private read(bytes: Buffer, start: number, end: number): boolean {
    this.event = '';
    this.sawUsage = false;
    this.sawAnswer = false;
    this.isFailed = false;
    this.failure = undefined;
    this.outputs = undefined;
    return this.walk(bytes, start, end, this.member);
  }

  private workflowEnd(): EventVerdict {
    if (this.isFailed) {
      return this.failedWith({
        message: typeof this.failure === 'string' ? this.failure : 'The workflow failed.',
      });
    }
    // A chat application's own workflow ends before its message does.
    this.takeFinish('stop');
    if (!this.hasText) {
      const text = textOfOutputs(this.outputs);
      if (text !== '') {
        this.produced.appendText(text);
        this.sawContent = true;
        this.endDocument();
      }
    }
    return this.hasText || this.sawContent ? 'content' : 'setup';
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(EVENT)) this.event = this.takeString() ?? '';
    else if (cursor.keyIs(ANSWER)) {
      this.sawAnswer = true;
      if (this.takeText()) this.hasText = true;
    } else if (cursor.keyIs(DATA)) this.members(this.inside);
    else if (cursor.keyIs(METADATA)) this.members(this.metadata);
    else if (this.event === 'message_file' && cursor.keyIs(URL)) this.takeUnknown(cursor);
    else cursor.skipValue();
  };

  private readonly inside = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(TEXT) && (this.event === 'text_chunk' || this.event === '')) {
      if (this.takeText()) this.hasText = true;
    } else if (cursor.keyIs(OUTPUTS) && (this.event === 'workflow_finished' || this.event === ''))
      this.outputs = this.takeValue();
    else if (cursor.keyIs(STATUS)) {
      const word = this.takeString();
      this.isFailed = word === 'failed' && (this.event === 'workflow_finished' || this.event === '');
    } else if (cursor.keyIs(ERROR)) this.failure = this.takeValue();
    else cursor.skipValue();
  };

  private readonly metadata = (): void => {
    if (!this.cursor.keyIs(USAGE)) {
      this.cursor.skipValue();
      return;
    }
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  };
}
