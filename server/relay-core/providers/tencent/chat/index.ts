import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { TENCENT_CHAT_FORMAT } from './id.js';
import { supportsPart, writeTencentRequest } from './write-request.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import {
  type Document,
  documentOf,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';
import type { Usage } from '../../../model/usage.js';
import { readCounts } from '../../../formats/shared/metering/reported-usage.js';

export const readUsage = (value: unknown): Usage | 'invalid' | undefined =>
  readCounts(value, 'PromptTokens', 'CompletionTokens');

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

/** Hunyuan by its own interface: https://cloud.tencent.com/document/product/1729/105701 (read 2026-11-24). */
export const tencentChat: UpstreamFormat<'chat'> = {
  id: TENCENT_CHAT_FORMAT,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['Model', edits.upstreamModel]])),
  writeRequest: writeTencentRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new TencentChatMeter(),
  readReply: readTencentReply,
  openReplyReader: () => new TencentReplyReader(),
};

/** Frames of the vendor's stream → neutral events. */
export class TencentReplyReader extends OneAnswerReader {
  private hasCalls = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['Id']), createdAtSeconds: wholeSecondsOf(frame['Created']) };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    const choice = documentOf(listOf(frame['Choices'])[0]);
    this.delta(documentOf(choice['Delta']), events);
    this.report(readUsage(frame['Usage']), events);
    const reason = textOf(choice['FinishReason']);
    if (reason === undefined || this.finishReason !== undefined) return;
    this.close(events);
    this.end(readFinishReason(reason, this.hasCalls), events);
  }

  private delta(delta: Document, events: StreamEvent[]): void {
    this.parts.addText('reasoning', textOf(delta['ReasoningContent']), events);
    this.parts.addText('text', textOf(delta['Content']), events);
    for (const [at, item] of listOf(delta['ToolCalls']).entries()) {
      const call = documentOf(item);
      const made = documentOf(call['Function']);
      const key = `call ${numberOf(call['Index']) ?? at}`;
      if (this.parts.get(key) === undefined) {
        this.hasCalls = true;
        const [callId, name] = [textOf(call['Id']) ?? '', textOf(made['Name']) ?? ''];
        this.parts.beginCall(key, { callId, name }, events);
      }
      this.parts.input(key, textOf(made['Arguments']), events);
    }
  }
}

/** Whole reply, in its envelope → neutral reply. Fails: upstream-malformed. */
export function readTencentReply(body: Buffer): Result<ChatReply, RelayError> {
  const outer = documentOf(parseDocument(body.toString('utf8')));
  const document = isDocument(outer['Response']) ? outer['Response'] : outer;
  if (!Array.isArray(document['Choices'])) {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const usage = readUsage(document['Usage']);
  return ok({
    id: textOf(document['Id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['Created']),
    choices: listOf(document['Choices']).map((item) => {
      const choice = documentOf(item);
      const content = readContent(documentOf(choice['Message']));
      const reason = textOf(choice['FinishReason']);
      const hasCalls = content.some(({ type }) => type === 'tool-call');
      return { content, finish: reason === undefined ? undefined : readFinishReason(reason, hasCalls) };
    }),
    usage: usage === 'invalid' ? undefined : usage,
  });
}

function readContent(message: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const thoughts = textOf(message['ReasoningContent']);
  if (thoughts !== undefined) content.push({ type: 'reasoning', text: thoughts });
  const text = textOf(message['Content']);
  if (text !== undefined) content.push({ type: 'text', text });
  for (const item of listOf(message['ToolCalls'])) {
    const call = documentOf(item);
    const made = documentOf(call['Function']);
    content.push({
      type: 'tool-call',
      callId: textOf(call['Id']) ?? '',
      name: textOf(made['Name']) ?? '',
      json: textOf(made['Arguments']) ?? '{}',
    });
  }
  return content;
}

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
