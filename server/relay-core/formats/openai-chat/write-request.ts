import type { ChatRequest, ResponseFormat } from '../../model/chat.js';
import type { Tool } from '../../model/tool.js';
import type { Warning } from '../../model/warning.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  type Document,
  setGiven,
} from '../shared/fields/json-fields.js';
import { orderHistory } from '../shared/requests/order-history.js';
import { strictFormat, strictTool } from '../shared/fields/strict-schema.js';
import { effortOf } from '../shared/fields/reasoning-effort.js';
import { writeCacheMark } from '../shared/fields/cache-marks.js';
import { USUAL_ID } from '../../framing/scan-flags.js';
import { CHAT_FORMAT } from './id.js';
import { STEERING_FIELDS } from '../shared/fields/request-fields.js';
import { FOREIGN_FORMAT } from './read-request.js';
import { REASONING_SWITCHES } from './reasoning-switches.js';
import { writeMessages } from './write-message.js';
import { otherFormatField, otherFormatValue } from '../shared/fields/dropped-fields.js';
import { writeOpenaiToolChoice } from '../shared/requests/tool-choice.js';
import { writtenBody } from '../shared/requests/drop-refused-members.js';
import { CHAT_AND_RESPONSES_FIELDS, setSampling } from '../shared/openai/openai-members.js';

/** Neutral request → body for an upstream of this format. What another format alone knows is left out with a warning. */
export function writeChatRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { [FOREIGN_FORMAT]: foreignFormat, ...own } = { ...request.vendorOptions?.[CHAT_FORMAT] } as Record<
    string,
    unknown
  >;
  const body: Record<string, unknown> = { ...readResponsesOptions(request, warnings), ...own };
  for (const name of STEERING_FIELDS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['messages'] = writeMessages(
    orderHistory(request, warnings, { keepsOldCalls: true, longestId: USUAL_ID }),
    warnings,
  );
  const tools = request.tools?.flatMap((tool) => writeTool(tool, edits.upstreamModel, warnings));
  if (tools !== undefined && tools.length > 0) body['tools'] = tools;
  setGiven(body, 'web_search_options', writeWebSearch(request));
  // A tool choice without tools is refused.
  if (body['tools'] !== undefined) {
    setGiven(body, 'tool_choice', writeOpenaiToolChoice(request, CHAT_FORMAT, TOOL_CHOICE_FORMS, warnings));
    setGiven(body, 'parallel_tool_calls', request.parallelToolCalls);
  }
  setGiven(
    body,
    edits.usesCompletionCap ? 'max_completion_tokens' : 'max_tokens',
    edits.outputCap ?? request.maxOutputTokens,
  );
  setSampling(body, request);
  if (request.choices > 1) body['n'] = request.choices;
  setGiven(
    body,
    'response_format',
    foreignFormat ?? (request.responseFormat && writeFormat(strictFormat(request.responseFormat, warnings))),
  );
  setGiven(body, 'top_k', request.topK);
  const { summary } = request.reasoning ?? {};
  if (summary !== undefined) {
    const reason = `whether thoughts are shown (${summary}) is up to the vendor here`;
    warnings.push({ setting: 'reasoning.summary', reason });
  }
  if (!REASONING_SWITCHES.some((name) => own[name] !== undefined))
    setGiven(body, 'reasoning_effort', effortOf(request.reasoning));
  setGiven(body, 'user', request.user);
  if (request.stream) {
    body['stream'] = true;
    const wantsUsage = edits.reportUsage || request.wantsStreamUsage;
    if (wantsUsage && !edits.dropStreamOptions) body['stream_options'] = { include_usage: true };
  }
  return writtenBody(edits, body, warnings);
}

const RESPONSES_FORMAT = 'openai-responses';
/** Members of the Responses format that choose the parts of the answer: answered in full here anyway. */
const QUIET_FIELDS: ReadonlySet<string> = new Set([
  ...CHAT_AND_RESPONSES_FIELDS,
  'include',
  'truncation',
  'text',
  'reasoning',
  'stream_options',
]);

/** Options of the Responses format that this format has too; warns of those that no other format's writer can keep. */
function readResponsesOptions(request: ChatRequest, warnings: Warning[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [apiFormat, options] of Object.entries(request.vendorOptions ?? {})) {
    if (apiFormat === CHAT_FORMAT) continue;
    const lost = Object.keys(options).filter(
      (name) =>
        apiFormat !== RESPONSES_FORMAT ||
        !QUIET_FIELDS.has(name) ||
        (name === 'truncation' && options[name] === 'auto'),
    );
    for (const name of lost) warnings.push(otherFormatField(name, apiFormat));
    if (apiFormat !== RESPONSES_FORMAT) continue;
    for (const name of CHAT_AND_RESPONSES_FIELDS) setGiven(kept, name, options[name]);
    setGiven(kept, 'verbosity', documentOf(options['text'])['verbosity']);
    if (listOf(options['include']).includes('message.output_text.logprobs')) kept['logprobs'] = true;
  }
  return kept;
}

function writeTool(tool: Tool, model: string, warnings: Warning[]): unknown[] {
  if (tool.type === 'vendor') {
    if (tool.apiFormat === CHAT_FORMAT) return [tool.value];
    warnings.push(otherFormatValue('tools', 'tool', tool));
    return [];
  }
  // An option of the request, not a tool of this format.
  if (tool.type === 'web-search') return [];
  const own = { ...tool.vendorOptions?.[CHAT_FORMAT] };
  if (tool.isFreeform === true) {
    const format = own['format'] ?? writeGrammar(tool.vendorOptions?.[RESPONSES_FORMAT]?.['format']);
    const custom = {
      ...own,
      name: tool.name,
      ...given('description', tool.description),
      ...given('format', format),
    };
    return [{ type: 'custom', custom }];
  }
  const written: Record<string, unknown> = { ...own, name: tool.name };
  setGiven(written, 'description', tool.description);
  const { parameters, isStrict } = strictTool(tool, model, warnings);
  setGiven(written, 'parameters', tool.parameters === undefined ? undefined : parameters);
  setGiven(written, 'strict', isStrict);
  return [{ type: 'function', function: written, ...writeCacheMark(tool.cache) }];
}

/** The Responses format keeps a grammar one level higher. */
function writeGrammar(format: unknown): unknown {
  if (!isDocument(format) || format['type'] !== 'grammar') return format;
  const { type, ...grammar } = format;
  return { type, grammar };
}

function writeWebSearch(request: ChatRequest): Document | undefined {
  const search = request.tools?.find((tool) => tool.type === 'web-search');
  if (search?.type !== 'web-search') return undefined;
  return {
    ...given('search_context_size', search.contextSize),
    ...(search.location === undefined
      ? {}
      : { user_location: { type: 'approximate', approximate: search.location } }),
    ...search.vendorOptions?.[CHAT_FORMAT],
  };
}

const TOOL_CHOICE_FORMS = {
  named: (type: string, name: string): Document => ({ type, [type]: { name } }),
  readAllowed: readAllowedTools,
};

/** The Responses format's list of allowed tools has one level less. */
function readAllowedTools(value: unknown): Document | undefined {
  const choice = documentOf(value);
  if (choice['type'] !== 'allowed_tools' || !Array.isArray(choice['tools'])) return undefined;
  const tools = listOf(choice['tools']).map((tool) => {
    const { type, name } = documentOf(tool);
    return type === 'custom' ? { type, custom: { name } } : { type, function: { name } };
  });
  return { type: 'allowed_tools', allowed_tools: { mode: choice['mode'] ?? 'auto', tools } };
}

function writeFormat(format: ResponseFormat): unknown {
  if (format.type !== 'json-schema') return { type: format.type === 'json' ? 'json_object' : 'text' };
  const schema: Record<string, unknown> = { name: format.name, schema: format.schema };
  setGiven(schema, 'strict', format.isStrict);
  setGiven(schema, 'description', format.description);
  return { type: 'json_schema', json_schema: schema };
}
