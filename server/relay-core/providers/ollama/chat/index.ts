import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import type { ParsedCall, UpstreamFormat } from '../../../formats/contract/api-format.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { OLLAMA_CHAT_FORMAT } from './id.js';
import { supportsPart, writeOllamaRequest } from './write-request.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import {
  type Document,
  documentOf,
  isDocument,
  listOf,
  textOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';
import { ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { keepUnknown } from '../../../model/vendor-options.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';
import { finishWithCalls, type FinishReason } from '../../../model/finish-reason.js';
import { isTokenCountOrNone, type Usage } from '../../../model/usage.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'created_at',
  'message',
  'done',
  'done_reason',
  'prompt_eval_count',
  'eval_count',
]);

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

/** Ollama's own chat grammar, `/api/chat`: https://docs.ollama.com/api/chat (read 2026-11-21). */
export const ollamaChat: UpstreamFormat<'chat'> = {
  id: OLLAMA_CHAT_FORMAT,
  capPlaces: ['options.num_predict'],
  // Its parser knows `type`, a text, `properties`, `required` and `$defs`, and passes over the rest.
  toolRoots: [{ roots: PLAIN_ROOTS }],
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeOllamaRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'json-lines',
  openMeter: () => new OllamaChatMeter(),
  readReply: readOllamaReply,
  openReplyReader: (call) => new OllamaReplyReader(callsBefore(call)),
};

/** Lines of an Ollama stream → neutral events. Tool calls come whole. */
export class OllamaReplyReader extends OneAnswerReader {
  private calls = 0;

  /** @param callsBefore  tool calls the conversation holds already */
  constructor(private readonly callsBefore: number) {
    super();
  }

  protected override head(line: Document): ReplyHead {
    return { servedModel: textOf(line['model']), createdAtSeconds: readTime(line['created_at']) };
  }

  protected override frame(line: Document, events: StreamEvent[]): void {
    const message = documentOf(line['message']);
    this.parts.addText('reasoning', textOf(message['thinking']), events);
    this.parts.addText('text', textOf(message['content']), events);
    for (const item of listOf(message['tool_calls'])) this.call(documentOf(item), events);
    if (line['done'] !== true) return;
    this.close(events);
    this.report(readUsage(line), events);
    this.end(readFinishReason(textOf(line['done_reason']) ?? 'stop', this.calls > 0), events);
  }

  private call(item: Document, events: StreamEvent[]): void {
    const { callId, name, json } = readCall(item, this.callsBefore + this.calls);
    this.calls += 1;
    this.parts.beginCall('call', { callId, name }, events);
    this.parts.input('call', json, events);
    this.parts.close('call', events);
  }
}

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

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readOllamaReply(body: Buffer, call: ParsedCall<'chat'>): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => isDocument(document['message']));
  if (!read.ok) return read;
  const document = read.value;
  const content = readContent(documentOf(document['message']), callsBefore(call));
  const hasCalls = content.some((part) => part.type === 'tool-call');
  const reason = textOf(document['done_reason']);
  const usage = readUsage(document);
  const vendorOptions = keepUnknown(OLLAMA_CHAT_FORMAT, document, KNOWN_FIELDS);
  return ok({
    id: '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: readTime(document['created_at']),
    choices: [{ content, finish: reason === undefined ? undefined : readFinishReason(reason, hasCalls) }],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readContent(message: Document, callsSoFar: number): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const thinking = textOf(message['thinking']);
  if (thinking !== undefined) content.push({ type: 'reasoning', text: thinking });
  const text = textOf(message['content']);
  if (text !== undefined) content.push({ type: 'text', text });
  for (const [index, item] of listOf(message['tool_calls']).entries()) {
    content.push({ type: 'tool-call', ...readCall(documentOf(item), callsSoFar + index) });
  }
  return content;
}

/** Older servers give calls no id: they are numbered through the conversation, so that no two are alike. */
export function readCall(
  call: Document,
  number: number,
): { readonly callId: string; readonly name: string; readonly json: string } {
  const body = documentOf(call['function']);
  const input = body['arguments'];
  return {
    callId: textOf(call['id']) ?? `call_${number}`,
    name: textOf(body['name']) ?? '',
    json: isDocument(input) ? JSON.stringify(input) : (textOf(input) ?? '{}'),
  };
}

/** Tool calls the conversation holds already. */
export function callsBefore(call: ParsedCall<'chat'>): number {
  const request = call.neutral();
  if (!request.ok) return 0;
  let count = 0;
  for (const message of request.value.messages) {
    for (const part of message.content) if (part.type === 'tool-call') count += 1;
  }
  return count;
}

/** RFC 3339 with nanoseconds; undefined = not a time. */
export function readTime(value: unknown): number | undefined {
  const milliseconds = Date.parse(textOf(value) ?? '');
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : undefined;
}

/** The vendor gives `stop` whether it answered or called tools. */
export function readFinishReason(raw: string, hasCalls: boolean): FinishReason {
  const unified = raw === 'stop' || raw === 'length' ? raw : 'other';
  return finishWithCalls({ unified, raw }, hasCalls);
}

/**
 * Figures of the last line. A prompt in the server's cache is reported as zero or not at all: its size is unknown then.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(document: Document): Usage | 'invalid' | undefined {
  const input = document['prompt_eval_count'];
  const output = document['eval_count'];
  if (input === undefined && output === undefined) return undefined;
  if (!isTokenCountOrNone(input) || !isTokenCountOrNone(output)) return 'invalid';
  return {
    input: { total: input === null || input === 0 ? undefined : input },
    output: { total: output ?? undefined },
  };
}
