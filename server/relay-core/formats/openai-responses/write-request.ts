import { requestRefusal } from '../../model/refusals.js';
import type { ChatRequest, Message, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import { documentOf, given, listOf, type Document } from '../shared/fields/json-fields.js';
import { orderHistory } from '../shared/requests/order-history.js';
import { effortOf } from '../shared/fields/reasoning-effort.js';
import { hasCacheMarks } from '../shared/fields/cache-marks.js';
import { strictFormat } from '../shared/fields/strict-schema.js';
import { STEERING_FIELDS } from '../shared/fields/request-fields.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { RESPONSES_FORMAT } from './id.js';
import { INSTRUCTIONS } from './read-request.js';
import { TOOL_CHOICE_FORMS, writeTool } from './tools.js';
import { freeformCallsOf, writeItems } from './write-items.js';
import { refuseContent, otherFormatField } from '../shared/fields/dropped-fields.js';
import { writeOpenaiToolChoice } from '../shared/requests/tool-choice.js';
import { writtenBody } from '../shared/requests/drop-refused-members.js';
import { CHAT_AND_RESPONSES_FIELDS } from '../shared/openai/openai-members.js';

/** Characters of the longest `call_id`. */
const LONGEST_CALL_ID = 64;
/** The vendor refuses caps below it. */
const MIN_OUTPUT_CAP = 16;
const CHAT_FORMAT = 'openai-chat';
/** Members of the chat format that are written another way here. */
const MOVED_FIELDS: ReadonlySet<string> = new Set([
  ...CHAT_AND_RESPONSES_FIELDS,
  'verbosity',
  'logprobs',
  'reasoning',
]);

/** Reason why a request cannot be expressed in this format at all. */
export function refuseResponsesRequest(request: ChatRequest): RelayError | undefined {
  if (request.choices <= 1) return refuseContent(request, ({ type }) => type !== 'video');
  return requestRefusal(
    'The upstream of this model gives one answer per call; ask for them one by one.',
    'n',
  );
}

/** Neutral request → body for an upstream of this format. What another format alone knows is left out with a warning. */
export function writeResponsesRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { text: ownText, reasoning: ownReasoning, ...own } = { ...request.vendorOptions?.[RESPONSES_FORMAT] };
  const shared = readChatOptions(request, warnings);
  const include = [...listOf(shared['include']), ...listOf(own['include'])];
  const body: Record<string, unknown> = { ...shared, ...own, ...(include.length === 0 ? {} : { include }) };
  for (const name of STEERING_FIELDS) delete body[name];
  body['model'] = edits.upstreamModel;
  const { instructions, rest } = splitInstructions(
    orderHistory(request, warnings, { longestId: LONGEST_CALL_ID }),
  );
  set(body, 'instructions', instructions);
  body['input'] = writeItems(rest, freeformCallsOf(rest), warnings);
  const tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, edits.upstreamModel, warnings));
  // A tool choice without tools is refused.
  if (tools.length > 0) {
    body['tools'] = tools;
    set(body, 'tool_choice', writeOpenaiToolChoice(request, RESPONSES_FORMAT, TOOL_CHOICE_FORMS, warnings));
    set(body, 'parallel_tool_calls', request.parallelToolCalls);
  }
  const cap = request.maxOutputTokens;
  set(
    body,
    'max_output_tokens',
    edits.outputCap ?? (cap === undefined ? undefined : Math.max(cap, MIN_OUTPUT_CAP)),
  );
  set(body, 'temperature', request.temperature);
  set(body, 'top_p', request.topP);
  set(body, 'text', writeText(request, documentOf(ownText), warnings));
  set(body, 'reasoning', writeReasoning(request, documentOf(ownReasoning)));
  set(body, 'user', request.user);
  // Nothing can be fetched back through the gateway, so nothing is stored unless the caller asks for it.
  body['store'] ??= false;
  if (request.stream) body['stream'] = true;
  warnAboutSettings(request, warnings);
  return writtenBody(edits, body, warnings);
}

/** Options of the chat format that this format has too. */
function readChatOptions(request: ChatRequest, warnings: Warning[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [apiFormat, options] of Object.entries(request.vendorOptions ?? {})) {
    if (apiFormat === RESPONSES_FORMAT) continue;
    const names = Object.keys(options).filter((name) => apiFormat !== CHAT_FORMAT || !MOVED_FIELDS.has(name));
    for (const name of names) warnings.push(otherFormatField(name, apiFormat));
    if (apiFormat !== CHAT_FORMAT) continue;
    for (const name of CHAT_AND_RESPONSES_FIELDS) set(kept, name, options[name]);
    if (options['logprobs'] === true) kept['include'] = ['message.output_text.logprobs'];
  }
  return kept;
}

function splitInstructions(messages: readonly Message[]): {
  readonly instructions: string | undefined;
  readonly rest: readonly Message[];
} {
  const marked = messages.find((message) => message.vendorOptions?.[RESPONSES_FORMAT] === INSTRUCTIONS);
  if (marked === undefined) return { instructions: undefined, rest: messages };
  const text = marked.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { instructions: text, rest: messages.filter((message) => message !== marked) };
}

function writeText(request: ChatRequest, own: Document, warnings: Warning[]): Document | undefined {
  const text: Record<string, unknown> = { ...own };
  set(text, 'verbosity', own['verbosity'] ?? request.vendorOptions?.[CHAT_FORMAT]?.['verbosity']);
  set(text, 'format', request.responseFormat && writeFormat(strictFormat(request.responseFormat, warnings)));
  return Object.keys(text).length === 0 ? undefined : text;
}

function writeFormat(format: ResponseFormat): Document {
  if (format.type !== 'json-schema') return { type: format.type === 'json' ? 'json_object' : 'text' };
  return {
    type: 'json_schema',
    name: format.name,
    schema: format.schema,
    ...given('strict', format.isStrict),
    ...given('description', format.description),
  };
}

function writeReasoning(request: ChatRequest, own: Document): Document | undefined {
  const { summary } = request.reasoning ?? {};
  const reasoning = {
    ...own,
    ...given('effort', effortOf(request.reasoning)),
    ...(summary === undefined || summary === 'none' ? {} : { summary }),
  };
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
}

/** Settings of other formats that have no counterpart here. */
function warnAboutSettings(request: ChatRequest, warnings: Warning[]): void {
  if (hasCacheMarks(request))
    warnings.push({ setting: 'cache_control', reason: 'the vendor caches prompts by itself' });
  const settings = {
    n: request.choices > 1 ? request.choices : undefined,
    stop: request.stop,
    seed: request.seed,
    top_k: request.topK,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
  };
  for (const [setting, value] of Object.entries(settings)) {
    if (value !== undefined) warnings.push({ setting, reason: 'the Responses API has no such setting' });
  }
}

function set(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined && value !== null) target[name] = value;
}
