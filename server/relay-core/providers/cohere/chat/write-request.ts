import type { ChatRequest, Message, ResponseFormat } from '../../../model/chat.js';
import type { ContentPart, MediaSource } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { plainFunction } from '../../../formats/shared/fields/tool-schema.js';
import { writeMediaAddress } from '../../../formats/shared/fields/media-address.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import {
  HIDDEN_THOUGHTS,
  isStoredElsewhere,
  warnOfOtherFormatFields,
  warnOfLost,
  warnOfUnsupported,
  otherFormatValue,
  lostTool,
} from '../../../formats/shared/fields/dropped-fields.js';
import { COHERE_CHAT_FORMAT } from './id.js';
import { writtenBody, passThroughFields } from '../../../formats/shared/requests/drop-refused-members.js';
import { listOf, setGiven, type Document } from '../../../formats/shared/fields/json-fields.js';

/** Members a caller of any format may give for this vendor by their own names; they steer neither place nor price. */
const CALLERS_FIELDS = ['documents', 'citation_options', 'safety_mode', 'strict_tools', 'priority'] as const;
/** Largest thinking budget the vendor takes. */
const MAX_BUDGET = 32_768;
/** Budgets of an effort: shares of the largest. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 655],
  ['low', 3_276],
  ['medium', 9_830],
  ['high', 19_660],
  ['xhigh', 29_491],
  ['max', MAX_BUDGET],
]);

interface TextDocument {
  readonly data: { readonly text: string; readonly title?: string };
}

/** Neutral request → body of `/v2/chat`. */
export function writeCohereRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const documents: TextDocument[] = [];
  const body = passThroughFields(request, CALLERS_FIELDS);
  body['model'] = edits.upstreamModel;
  body['messages'] = orderHistory(request, warnings).flatMap((message) =>
    writeMessage(message, documents, warnings),
  );
  if (documents.length > 0) body['documents'] = [...listOf(body['documents']), ...documents];
  // The server's default differs between its versions: always send the requested value.
  body['stream'] = request.stream;
  setGiven(body, 'max_tokens', edits.outputCap ?? request.maxOutputTokens);
  setGiven(body, 'temperature', request.temperature);
  setGiven(body, 'p', request.topP);
  setGiven(body, 'k', request.topK);
  setGiven(body, 'seed', request.seed);
  setGiven(body, 'frequency_penalty', request.frequencyPenalty);
  setGiven(body, 'presence_penalty', request.presencePenalty);
  setGiven(body, 'stop_sequences', request.stop);
  writeTools(body, request, warnings);
  setGiven(body, 'response_format', request.responseFormat && writeFormat(request.responseFormat));
  setGiven(body, 'thinking', writeThinking(request));
  warnOfUnsupported(
    { parallel_tool_calls: request.parallelToolCalls === false ? false : undefined },
    'Cohere',
    warnings,
  );
  warnOfLost(request, ['cache', 'failed', 'display', 'user', 'answers'], warnings);
  warnOfOtherFormatFields(request.vendorOptions, COHERE_CHAT_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

function writeMessage(
  message: Message,
  documents: TextDocument[],
  warnings: Warning[],
): Record<string, unknown>[] {
  if (message.role === 'assistant') {
    const answer = writeAnswer(message.content, warnings);
    return answer['content'] === '' ? [] : [answer];
  }
  const parts: Record<string, unknown>[] = [];
  for (const part of message.content) {
    const written = writePart(part, documents, warnings);
    if (written !== undefined) parts.push(written);
  }
  const isText = parts.every((part) => part['type'] === 'text');
  const text = parts.map((part) => part['text']).join('');
  if (message.role === 'tool') {
    if (!isText) warnings.push({ setting: 'messages', reason: 'results of tools are text only' });
    const words = parts.filter((part) => part['type'] === 'text').map((part) => part['text']);
    return [{ role: 'tool', tool_call_id: message.callId, content: words.join('') }];
  }
  const role = message.role === 'user' ? 'user' : 'system';
  return [{ role, content: isText ? text : parts }];
}

/** Content is left out beside tool calls; the model's text there is its plan. */
function writeAnswer(content: readonly ContentPart[], warnings: Warning[]): Record<string, unknown> {
  let text = '';
  let plan = '';
  const calls: Record<string, unknown>[] = [];
  for (const part of content) {
    if (part.type === 'text' || part.type === 'refusal') text += part.text;
    else if (part.type === 'reasoning') {
      plan += part.text;
      if (part.isRedacted === true) warnings.push(HIDDEN_THOUGHTS);
    } else if (part.type === 'tool-call') {
      const input = part.json === '' ? '{}' : part.json;
      calls.push({ id: part.callId, type: 'function', function: { name: part.name, arguments: input } });
    } else if (part.type !== 'source') {
      warnings.push({
        setting: 'messages',
        reason: 'an answer of this upstream holds text and tool calls only',
      });
    }
  }
  if (calls.length === 0) {
    if (plan !== '')
      warnings.push({ setting: 'messages', reason: 'thoughts of earlier turns were left out' });
    return { role: 'assistant', content: text };
  }
  const said = text === '' ? plan : text;
  return { role: 'assistant', tool_calls: calls, ...(said === '' ? {} : { tool_plan: said }) };
}

function writePart(
  part: ContentPart,
  documents: TextDocument[],
  warnings: Warning[],
): Record<string, unknown> | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'image': {
      if (part.source.kind === 'vendor-file') break;
      const detail = part.detail === undefined ? {} : { detail: part.detail };
      return {
        type: 'image_url',
        image_url: { url: writeMediaAddress(part.source, 'image/png'), ...detail },
      };
    }
    case 'file': {
      const { source } = part;
      if (!isTextFile(source)) break;
      const text = Buffer.from(source.base64, 'base64').toString('utf8');
      documents.push({
        data: { text, ...(part.fileName === undefined ? {} : { title: part.fileName }) },
      });
      return undefined;
    }
    case 'reasoning':
    case 'source':
      return undefined;
    case 'vendor':
      if (part.apiFormat === COHERE_CHAT_FORMAT) return part.value as Record<string, unknown>;
      break;
    case 'audio':
    case 'video':
    case 'tool-call':
      break;
  }
  warnings.push({ setting: 'messages', reason: `a part of kind ${part.type} is not taken and was left out` });
  return undefined;
}

function writeTools(body: Record<string, unknown>, request: ChatRequest, warnings: Warning[]): void {
  const choice = request.toolChoice;
  let tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, warnings));
  if (choice?.type === 'named') tools = tools.filter((tool) => nameOf(tool) === choice.name);
  if (tools.length === 0) return;
  body['tools'] = tools;
  if (request.tools?.some((tool) => tool.type === 'function' && tool.isStrict === true) === true)
    body['strict_tools'] = true;
  if (choice?.type === 'none') body['tool_choice'] = 'NONE';
  else if (choice?.type === 'required' || choice?.type === 'named') body['tool_choice'] = 'REQUIRED';
  else if (choice?.type === 'vendor') warnings.push(otherFormatValue('tool_choice', 'choice', choice));
}

function writeTool(tool: Tool, warnings: Warning[]): Document[] {
  if (tool.type === 'function') return [plainFunction(tool, warnings)];
  if (tool.type === 'vendor' && tool.apiFormat === COHERE_CHAT_FORMAT)
    return [tool.value as Record<string, unknown>];
  warnings.push(lostTool(tool));
  return [];
}

const nameOf = (tool: Readonly<Record<string, unknown>>): unknown =>
  (tool['function'] as { readonly name?: unknown } | undefined)?.name;

function writeFormat(format: ResponseFormat): unknown {
  if (format.type === 'json-schema') return { type: 'json_object', json_schema: format.schema };
  return format.type === 'json' ? { type: 'json_object' } : undefined;
}

function writeThinking(request: ChatRequest): unknown {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  if (reasoning.effort === 'none' || reasoning.budgetTokens === 0) return { type: 'disabled' };
  const budget = reasoning.budgetTokens ?? BUDGETS.get(reasoning.effort ?? '');
  return {
    type: 'enabled',
    ...(budget === undefined ? {} : { token_budget: Math.min(budget, MAX_BUDGET) }),
  };
}

/** This vendor takes text, images and text files only. */
export const supportsPart = (part: ContentPart): boolean =>
  !isStoredElsewhere(part) &&
  (part.type === 'file' ? isTextFile(part.source) : part.type !== 'audio' && part.type !== 'video');

const isTextFile = (source: MediaSource): source is Extract<MediaSource, { kind: 'base64' }> =>
  source.kind === 'base64' && (source.mediaType ?? 'text/plain').startsWith('text/');
