import { AWS_EXCEPTION_PREFIX } from '../../../framing/aws-event-stream.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../../../formats/shared/metering/json-event-meter.js';
import { readFinishReason } from './finish-reason.js';
import { documentOf } from '../../../formats/shared/fields/json-fields.js';
import { readServiceTier } from '../../../formats/shared/metering/service-tier.js';
import { readUsage } from './usage.js';
import { refusal } from '../../../model/refusals.js';

const OUTPUT = key('output');
const MESSAGE = key('message');
const CONTENT = key('content');
const TEXT = key('text');
const DELTA = key('delta');
const START = key('start');
const TOOL_USE = key('toolUse');
const TOOL_RESULT = key('toolResult');
const NAME = key('name');
const INPUT = key('input');
const REASONING_CONTENT = key('reasoningContent');
const REASONING_TEXT = key('reasoningText');
const REDACTED_CONTENT = key('redactedContent');
const CITATIONS_CONTENT = key('citationsContent');
const IMAGE = key('image');
const STOP_REASON = key('stopReason');
const USAGE = key('usage');
const SERVICE_TIER = key('serviceTier');

/** Meter of the `bedrock-converse` format. */
export class ConverseMeter extends JsonEventMeter {
  private sawUsage = false;

  override readEvent(data: Buffer, start: number, end: number, name: string): EventVerdict {
    if (name.startsWith(AWS_EXCEPTION_PREFIX)) {
      const type = name.slice(AWS_EXCEPTION_PREFIX.length);
      return this.failedWith({ ...(parseSpan(data, start, end) as object), type });
    }
    if (start >= end) return 'silent';
    this.sawUsage = false;
    if (!this.walk(data, start, end, this.member)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    if (this.sawContent) return 'content';
    return this.sawUsage ? 'usage-only' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    if (this.sawOutput) return this.isProvenAnswer ? 'answer' : 'empty';
    // An answer of another shape: a failure that came with a status of success.
    return this.failedWith(parseSpan(body, 0, body.length));
  }
  private sawOutput = false;

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(DELTA)) this.members(this.piece);
    else if (cursor.keyIs(START)) this.members(this.piece);
    else if (cursor.keyIs(OUTPUT)) {
      this.sawOutput = true;
      this.members(this.output);
    } else if (cursor.keyIs(STOP_REASON)) this.stopReason();
    else if (cursor.keyIs(USAGE)) this.report();
    else if (cursor.keyIs(SERVICE_TIER))
      this.serviceTier = readServiceTier(documentOf(this.takeValue())['type']);
    else cursor.skipValue();
  };

  private readonly output = (): void => {
    if (this.cursor.keyIs(MESSAGE)) this.members(this.message);
    else this.cursor.skipValue();
  };

  private readonly message = (): void => {
    if (this.cursor.keyIs(CONTENT)) this.elements(this.block);
    else this.cursor.skipValue();
  };

  private readonly block = (): void => this.members(this.piece);

  /** A block of a whole answer, or a piece of one. */
  private readonly piece = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(TEXT)) this.takeText();
    else if (cursor.keyIs(TOOL_USE)) this.members(this.toolUse);
    else if (cursor.keyIs(REASONING_CONTENT)) this.members(this.reasoning);
    else if (cursor.keyIs(CITATIONS_CONTENT)) this.members(this.message);
    else if (cursor.keyIs(IMAGE) || cursor.keyIs(TOOL_RESULT)) {
      if (this.takePresence()) this.sawContent = true;
    } else this.takeUnknown(cursor);
  };

  private readonly toolUse = (): void => {
    if (this.cursor.keyIs(NAME)) this.takeToolName();
    else if (this.cursor.keyIs(INPUT)) this.takeToolInput();
    else this.cursor.skipValue();
  };

  private readonly reasoning = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(TEXT)) this.takeText();
    else if (cursor.keyIs(REASONING_TEXT)) this.members(this.reasoningText);
    else if (cursor.keyIs(REDACTED_CONTENT)) {
      if (this.takePresence()) this.sawContent = true;
    } else cursor.skipValue();
  };

  private readonly reasoningText = (): void => {
    if (this.cursor.keyIs(TEXT)) this.takeText();
    else this.cursor.skipValue();
  };

  private stopReason(): void {
    const word = this.takeString();
    if (word === undefined) return;
    const { unified } = readFinishReason(word, undefined, false);
    if (unified === 'error') {
      this.errorDocument = { message: refusal('ended-with-error').message, type: word };
      return;
    }
    this.takeFinish(word === 'end_turn' ? 'stop' : unified === 'stop' ? 'other' : unified);
  }

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  }
}
