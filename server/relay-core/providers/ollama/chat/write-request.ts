import type { ChatRequest, Message, ResponseFormat } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { plainFunction } from '../../../formats/shared/fields/tool-schema.js';
import { documentOf, setGiven } from '../../../formats/shared/fields/json-fields.js';
import { argumentsObject } from '../../../formats/shared/fields/tool-arguments.js';
import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import {
  HIDDEN_THOUGHTS,
  isStoredElsewhere,
  warnOfOtherFormatFields,
  warnOfLost,
  warnOfUnsupported,
} from '../../../formats/shared/fields/dropped-fields.js';
import { OLLAMA_CHAT_FORMAT } from './id.js';
import { setSampling } from '../../../formats/shared/openai/openai-members.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';

/** Members a caller of any format may give for this vendor by their own names. */
const CALLERS_FIELDS = ['keep_alive', 'think', 'format'] as const;
/** The same inside `options`. */
const CALLERS_OPTIONS = [
  'num_ctx',
  'num_keep',
  'num_gpu',
  'num_thread',
  'num_batch',
  'min_p',
  'typical_p',
  'top_k',
  'repeat_last_n',
  'repeat_penalty',
  'mirostat',
  'mirostat_tau',
  'mirostat_eta',
] as const;

/** Neutral request → body of `/api/chat`. */
export function writeOllamaRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const body: Record<string, unknown> = {
    model: edits.upstreamModel,
    messages: writeMessages(orderHistory(request, warnings), warnings),
    // The server streams by default.
    stream: request.stream,
  };
  const options: Record<string, unknown> = {};
  setSampling(options, request);
  setGiven(options, 'top_k', request.topK);
  setGiven(options, 'num_predict', edits.outputCap ?? request.maxOutputTokens);
  setGiven(body, 'format', request.responseFormat && writeFormat(request.responseFormat));
  setGiven(body, 'think', writeThinking(request));
  for (const own of Object.values(request.vendorOptions ?? {})) {
    for (const name of CALLERS_FIELDS) if (name in own) body[name] = own[name];
    for (const name of CALLERS_OPTIONS) if (name in own) options[name] = own[name];
    const cap = options['num_predict'];
    Object.assign(options, documentOf(own['options']));
    // The priced output cap; nothing a caller writes elsewhere changes it.
    setGiven(options, 'num_predict', cap);
    if (cap === undefined) delete options['num_predict'];
  }
  if (Object.keys(options).length > 0) body['options'] = options;
  writeTools(body, request, warnings);
  warnOfUnsupported(
    { parallel_tool_calls: request.parallelToolCalls === false ? false : undefined },
    'Ollama',
    warnings,
  );
  warnOfLost(request, ['detail', 'strict', 'cache', 'failed', 'display', 'user', 'answers'], warnings);
  warnOfOtherFormatFields(request.vendorOptions, OLLAMA_CHAT_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

function writeMessages(messages: readonly Message[], warnings: Warning[]): Record<string, unknown>[] {
  /** Names of the tools that were called, by call: results are known by name here. */
  const names = new Map<string, string>();
  return messages.map((message) => {
    const role = message.role === 'developer' ? 'system' : message.role;
    const written: Record<string, unknown> = { role };
    const images: string[] = [];
    const calls: Record<string, unknown>[] = [];
    let text = '';
    let thinking = '';
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'refusal') text += part.text;
      else if (part.type === 'reasoning') {
        thinking += part.text;
        if (part.isRedacted === true) warnings.push(HIDDEN_THOUGHTS);
      } else if (part.type === 'tool-call') {
        names.set(part.callId, part.name);
        calls.push({ function: { name: part.name, arguments: argumentsObject(part.json) } });
      } else if (part.type === 'image' && part.source.kind === 'base64') images.push(part.source.base64);
      else if (part.type !== 'source') {
        warnings.push({
          setting: 'messages',
          reason: `a part of kind ${part.type} is not taken and was left out`,
        });
      }
    }
    written['content'] = text;
    if (thinking !== '' && role === 'assistant') written['thinking'] = thinking;
    if (images.length > 0) written['images'] = images;
    if (calls.length > 0) written['tool_calls'] = calls;
    if (message.role === 'tool') {
      const name = message.name ?? names.get(message.callId);
      if (name !== undefined) written['tool_name'] = name;
    }
    return written;
  });
}

function writeFormat(format: ResponseFormat): unknown {
  if (format.type === 'json-schema') return format.schema ?? 'json';
  return format.type === 'json' ? 'json' : undefined;
}

function writeThinking(request: ChatRequest): boolean | string | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  const effort = effortOf(reasoning);
  if (effort === 'none' || reasoning.budgetTokens === 0) return false;
  if (effort === undefined) return true;
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}

function writeTools(body: Record<string, unknown>, request: ChatRequest, warnings: Warning[]): void {
  const choice = request.toolChoice;
  // The vendor always leaves it to the model; leaving them out is the one way to forbid them.
  if (choice?.type === 'none') return;
  if (choice !== undefined && choice.type !== 'auto')
    warnings.push({
      setting: 'tool_choice',
      reason: 'Ollama leaves it to the model whether tools are called',
    });
  const tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, warnings));
  if (tools.length > 0) body['tools'] = tools;
}

function writeTool(tool: Tool, warnings: Warning[]): unknown[] {
  if (tool.type === 'function') return [plainFunction(tool, warnings)];
  if (tool.type === 'vendor' && tool.apiFormat === OLLAMA_CHAT_FORMAT) return [tool.value];
  warnings.push({ setting: 'tools', reason: 'a tool this upstream does not have was left out' });
  return [];
}

/** This vendor takes text and images only. */
export const supportsPart = (part: ContentPart): boolean =>
  part.type !== 'audio' && part.type !== 'video' && part.type !== 'file' && !isStoredElsewhere(part);
