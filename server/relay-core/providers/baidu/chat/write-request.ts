import type { ChatRequest } from '../../../model/chat.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import {
  warnOfOtherFormatFields,
  warnOfLost,
  warnOfUnsupported,
  lostTool,
} from '../../../formats/shared/fields/dropped-fields.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { toolSchema } from '../../../formats/shared/fields/tool-schema.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { BAIDU_CHAT_FORMAT } from './id.js';
import { systemOf, writeTurns } from './write-messages.js';
import { passThroughFields, writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';
import { setGiven } from '../../../formats/shared/fields/json-fields.js';

/** Members a caller of any format may give for this vendor by their own names; they steer neither place nor price. */
const CALLERS_FIELDS = ['disable_search', 'enable_citation', 'enable_trace', 'penalty_score'] as const;
const MIN_OUTPUT = 2;
const MIN_TEMPERATURE = 0.01;

/** Neutral request → body of `…/wenxinworkshop/chat/{model}`; the model stands in the address. */
export function writeBaiduRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const messages = orderHistory(request, warnings, { inCallOrder: true });
  const body = passThroughFields(request, CALLERS_FIELDS);
  body['messages'] = writeTurns(messages);
  setGiven(body, 'system', systemOf(messages));
  body['stream'] = request.stream;
  setGiven(body, 'temperature', temperatureOf(request.temperature, warnings));
  setGiven(body, 'top_p', request.topP);
  // From no penalty at 1 to the largest at 2.
  if (request.frequencyPenalty !== undefined)
    body['penalty_score'] = 1 + Math.min(1, Math.max(0, request.frequencyPenalty / 2));
  const cap = edits.outputCap ?? request.maxOutputTokens;
  setGiven(body, 'max_output_tokens', cap === undefined ? undefined : Math.max(MIN_OUTPUT, cap));
  setGiven(body, 'stop', request.stop);
  setGiven(body, 'user_id', request.user);
  writeTools(body, request, warnings);
  if (request.responseFormat !== undefined && request.responseFormat.type !== 'text')
    body['response_format'] = 'json_object';
  warnOfUnsupported(
    {
      reasoning_effort: request.reasoning,
      top_k: request.topK,
      seed: request.seed,
      presence_penalty: request.presencePenalty,
      parallel_tool_calls: request.parallelToolCalls,
      json_schema: request.responseFormat?.type === 'json-schema' ? true : undefined,
    },
    'ERNIE’s first interface',
    warnings,
  );
  warnOfLost(
    request,
    ['strict', 'cache', 'failed', 'thoughts', 'display', 'answers', 'beside-words'],
    warnings,
  );
  warnOfOtherFormatFields(request.vendorOptions, BAIDU_CHAT_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Words and tools are all these models take. */
export const supportsPart = supportsTextAnd();

/** Above 0 and at most 1. */
function temperatureOf(asked: number | undefined, warnings: Warning[]): number | undefined {
  if (asked === undefined) return undefined;
  const taken = Math.min(1, Math.max(MIN_TEMPERATURE, asked));
  if (taken !== asked)
    warnings.push({
      setting: 'temperature',
      reason: `this upstream takes more than 0 and at most 1: ${taken}`,
    });
  return taken;
}

function writeTools(body: Record<string, unknown>, request: ChatRequest, warnings: Warning[]): void {
  const choice = request.toolChoice;
  if (choice?.type === 'none') return;
  const functions = (request.tools ?? []).flatMap((tool) => writeTool(tool, warnings));
  if (functions.length === 0) return;
  body['functions'] = functions;
  const only = functions.length === 1 ? functions[0]?.name : undefined;
  const wanted = choice?.type === 'named' ? choice.name : choice?.type === 'required' ? only : undefined;
  if (wanted !== undefined) body['tool_choice'] = { type: 'function', function: { name: wanted } };
  else if (choice !== undefined && choice.type !== 'auto')
    warnings.push({ setting: 'tool_choice', reason: 'this upstream can be bound to one tool only' });
}

function writeTool(
  tool: Tool,
  warnings: Warning[],
): { readonly name: string; readonly description: string; readonly parameters: unknown }[] {
  if (tool.type === 'function') {
    const { name, description = '', parameters } = tool;
    return [
      { name, description: description || name, parameters: toolSchema(parameters, PLAIN_ROOTS, warnings) },
    ];
  }
  warnings.push(lostTool(tool));
  return [];
}
