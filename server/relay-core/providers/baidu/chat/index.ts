import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { BAIDU_CHAT_FORMAT } from './id.js';
import { supportsPart, writeBaiduRequest } from './write-request.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { readCounts } from '../../../formats/shared/metering/reported-usage.js';
import {
  type Document,
  documentOf,
  isDocument,
  numberOf,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';
import type { FinishReason } from '../../../model/finish-reason.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';

const RESULT = key('result');
const CALL = key('function_call');
const NAME = key('name');
const ARGUMENTS = key('arguments');
const THOUGHTS = key('thoughts');
const USAGE = key('usage');
const ERROR_CODE = key('error_code');

/** Words about the state of an answer; read as they are. */
const MARKS = ['finish_reason', 'need_clear_history', 'ban_round', 'is_truncated', 'is_end'] as const;
const MARK_KEYS = MARKS.map((name) => [name, key(name)] as const);

/** The vendor calls one tool at a time, and without an id. */
export const CALL_ID = 'call_0';

/** ERNIE by its first interface: https://cloud.baidu.com/doc/WENXINWORKSHOP/index.html (read 2026-11-24). */
export const baiduChat: UpstreamFormat<'chat'> = {
  id: BAIDU_CHAT_FORMAT,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  // The address names the model.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeBaiduRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  capPlaces: ['max_output_tokens'],
  openMeter: () => new BaiduChatMeter(),
  readReply: readBaiduReply,
  openReplyReader: () => new BaiduReplyReader(),
};

/** Frames of the vendor's stream → neutral events. */
export class BaiduReplyReader extends OneAnswerReader {
  private hasCall = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['id']), createdAtSeconds: wholeSecondsOf(frame['created']) };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    if (this.finishReason !== undefined) return;
    if (isDocument(frame['function_call'])) this.call(frame['function_call'], events);
    this.parts.addText('text', textOf(frame['result']), events);
    this.report(readCounts(frame['usage'], 'prompt_tokens', 'completion_tokens'), events);
    const finish = readEnd(frame, frame['is_end'] === true);
    if (finish === undefined) return;
    this.close(events);
    this.end(finish, events);
  }

  /** A call comes in one piece. */
  private call(value: Document, events: StreamEvent[]): void {
    const call = documentOf(value);
    this.parts.addText('reasoning', textOf(call['thoughts']), events);
    const name = textOf(call['name']);
    if (name === undefined || this.hasCall) return;
    this.hasCall = true;
    this.parts.beginCall('call', { callId: CALL_ID, name }, events);
    this.parts.input('call', readArguments(call['arguments']), events);
    this.parts.close('call', events);
  }
}

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readBaiduReply(body: Buffer): Result<ChatReply, RelayError> {
  const document = parseDocument(body.toString('utf8'));
  if (
    document === undefined ||
    (document['result'] === undefined && !isDocument(document['function_call']))
  ) {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const usage = readCounts(document['usage'], 'prompt_tokens', 'completion_tokens');
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['created']),
    choices: [{ content: readContent(document), finish: readEnd(document, true) }],
    usage: usage === 'invalid' ? undefined : usage,
  });
}

function readContent(document: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const call = documentOf(document['function_call']);
  const thoughts = textOf(call['thoughts']);
  if (thoughts !== undefined) content.push({ type: 'reasoning', text: thoughts });
  const text = textOf(document['result']);
  if (text !== undefined) content.push({ type: 'text', text });
  const name = textOf(call['name']);
  if (name !== undefined)
    content.push({ type: 'tool-call', callId: CALL_ID, name, json: readArguments(call['arguments']) });
  return content;
}

export function readArguments(value: unknown): string {
  if (isDocument(value)) return JSON.stringify(value);
  return textOf(value) ?? '{}';
}

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

/**
 * Why an answer, or the last piece of one, ended: the vendor's word where it gives one, else by its marks.
 * @param isLast  nothing follows
 */
export function readEnd(document: Document, isLast: boolean): FinishReason | undefined {
  const raw = textOf(document['finish_reason']);
  if (document['need_clear_history'] === true || (numberOf(document['ban_round']) ?? 0) > 0)
    return { unified: 'content-filter', raw };
  if (!isLast) return undefined;
  // Calls are shown as tool calls: the vendor's own word belongs to another form of them.
  if (raw === 'function_call' || isDocument(document['function_call']))
    return { unified: 'tool-calls', raw: undefined };
  if (raw !== undefined) return readFinishReason(raw);
  return { unified: document['is_truncated'] === true ? 'length' : 'stop', raw };
}
