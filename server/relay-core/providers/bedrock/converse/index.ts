import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { CONVERSE_FORMAT } from './id.js';
import { answerToolOfCall, readCitation, readConverseReply, readStopSequence } from './read-reply.js';
import { CONVERSE_ROOTS } from './tool-roots.js';
import { supportsPart } from './media-formats.js';
import { writeConverseRequest } from './write-request.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import {
  type Document,
  documentOf,
  isDocument,
  numberOf,
  textOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readFinishReason } from './finish-reason.js';
import { readUsage } from './usage.js';
import { AWS_EXCEPTION_PREFIX } from '../../../framing/aws-event-stream.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';
import { readServiceTier } from '../../../formats/shared/metering/reported-usage.js';
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
const SIGNATURE = key('signature');
const REDACTED_CONTENT = key('redactedContent');
const CITATIONS_CONTENT = key('citationsContent');
const IMAGE = key('image');
const STOP_REASON = key('stopReason');
const USAGE = key('usage');
const SERVICE_TIER = key('serviceTier');

const indexOf = (document: Document): number => numberOf(document['contentBlockIndex']) ?? 0;

/** Amazon Bedrock's Converse grammar: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21). */
export const bedrockConverse: UpstreamFormat<'chat'> = {
  id: CONVERSE_FORMAT,
  // The model stands in the address; a body of this format holds none.
  capPlaces: ['inferenceConfig.maxTokens'],
  responseFormatsAreObjects: true,
  toolRoots: CONVERSE_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeConverseRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'aws-event-stream',
  openMeter: () => new ConverseMeter(),
  readReply: readConverseReply,
  openReplyReader: (call) => new ConverseReplyReader(answerToolOfCall(call)),
};

/** Frames of a ConverseStream → neutral events. Parts go by the vendor's index. */
export class ConverseReplyReader extends OneAnswerReader {
  private calls = 0;
  private answers = 0;

  /** @param answerTool  name of the tool a bound answer comes by */
  constructor(private readonly answerTool: string | undefined) {
    super(true);
  }

  protected override head(): ReplyHead {
    return {};
  }

  protected override frame(document: Document, events: StreamEvent[], name: string): void {
    switch (name) {
      case 'contentBlockStart':
        this.blockStart(document, events);
        break;
      case 'contentBlockDelta':
        this.delta(indexOf(document), documentOf(document['delta']), events);
        break;
      case 'contentBlockStop':
        this.parts.close(indexOf(document), events);
        break;
      case 'messageStop':
        this.stop(document, events);
        break;
      case 'metadata':
        this.report(readUsage(document['usage']), events);
        break;
      default:
        break;
    }
  }

  private blockStart(document: Document, events: StreamEvent[]): void {
    const use = documentOf(documentOf(document['start'])['toolUse']);
    const name = textOf(use['name']);
    // Text needs no start; a start without a tool is empty.
    if (name === undefined) return;
    const index = indexOf(document);
    if (name === this.answerTool) {
      this.answers += 1;
      this.parts.begin(index, 'text', events, true);
      return;
    }
    this.calls += 1;
    this.parts.beginCall(index, { callId: textOf(use['toolUseId']) ?? '', name }, events);
  }

  private delta(index: number, delta: Document, events: StreamEvent[]): void {
    this.parts.addText('text', textOf(delta['text']), events, index);
    if (isDocument(delta['toolUse'])) this.parts.input(index, textOf(delta['toolUse']['input']), events);
    if (isDocument(delta['reasoningContent'])) this.reasoning(index, delta['reasoningContent'], events);
    if (isDocument(delta['citation'])) {
      const { block } = this.parts.of(index, 'text', events);
      events.push({ type: 'source', block, choice: 0, source: readCitation(delta['citation']) });
    }
  }

  private reasoning(index: number, content: Document, events: StreamEvent[]): void {
    const { block } = this.parts.of(index, 'reasoning', events);
    const text = textOf(content['text']);
    if (text !== undefined) {
      events.push({ type: 'reasoning-delta', block, choice: 0, text, signatureBy: 'anthropic' });
    }
    const data = textOf(content['signature']);
    if (data !== undefined) {
      const signature = { by: 'anthropic', data } as const;
      events.push({ type: 'block-signature', block, choice: 0, signature, of: 'reasoning' });
    }
    const redacted = textOf(content['redactedContent']);
    if (redacted !== undefined) {
      const signature = { by: 'anthropic', data: redacted } as const;
      events.push({
        type: 'block-signature',
        block,
        choice: 0,
        signature,
        of: 'reasoning',
        isRedacted: true,
      });
    }
  }

  private stop(document: Document, events: StreamEvent[]): void {
    const reason = textOf(document['stopReason']);
    if (reason === undefined || this.finishReason !== undefined) return;
    this.close(events);
    const answersByTool = this.answers > 0 && this.calls === 0;
    this.end(readFinishReason(reason, readStopSequence(document), answersByTool), events);
  }
}

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
    this.mayHideReasoning = true;
    if (cursor.keyIs(TEXT)) this.thought();
    else if (cursor.keyIs(REASONING_TEXT)) this.members(this.reasoningText);
    else if (cursor.keyIs(SIGNATURE)) this.seal();
    else if (cursor.keyIs(REDACTED_CONTENT)) {
      if (this.seal()) this.sawContent = true;
    } else cursor.skipValue();
  };

  private readonly reasoningText = (): void => {
    if (this.cursor.keyIs(TEXT)) this.thought();
    else if (this.cursor.keyIs(SIGNATURE)) this.seal();
    else this.cursor.skipValue();
  };

  private thought(): void {
    const before = this.produced.totalBytes;
    this.takeText();
    this.produced.shownReasoningBytes += this.produced.totalBytes - before;
  }

  /** @returns whether it is there and not null */
  private seal(): boolean {
    this.cursor.peek();
    const from = this.cursor.at;
    const isGiven = this.takePresence();
    if (isGiven) this.takeSealed(this.cursor.at - from - 2);
    return isGiven;
  }

  private stopReason(): void {
    const word = this.takeString();
    if (word === undefined) return;
    const { unified } = readFinishReason(word, undefined, false);
    if (unified === 'error') {
      this.errorDocument = { message: refusal('ended-with-error').message, type: word };
      return;
    }
    this.takeFinish(unified, unified !== 'other' && word !== 'end_turn');
  }

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  }
}
