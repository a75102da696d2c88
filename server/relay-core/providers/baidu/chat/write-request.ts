import type { ChatRequest, Message } from '../../../model/chat.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import {
  lostTool,
  warnOfLost,
  warnOfOtherFormatFields,
  warnOfUnsupported,
} from '../../../formats/shared/fields/dropped-fields.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { toolSchema } from '../../../formats/shared/fields/tool-schema.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { BAIDU_CHAT_FORMAT } from './id.js';
import { passThroughFields, writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';
import { setGiven } from '../../../formats/shared/fields/json-fields.js';
import type { ContentPart } from '../../../model/content.js';

/** Content of a turn that the vendor requires and the caller did not send; it refuses an empty text. */
const EMPTY_TURN_TEXT = ' ';

const joinedText = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');

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

/** A turn as the vendor takes it. */
export interface BaiduTurn {
  readonly role: 'user' | 'assistant' | 'function';
  readonly name?: string;
  readonly content: string;
  readonly function_call?: { readonly name: string; readonly arguments: string };
}

/** Text of a conversation's instructions in their order; undefined = there are none. */
export function systemOf(messages: readonly Message[]): string | undefined {
  const words = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [joinedText(message.content)] : [],
  );
  return words.length === 0 ? undefined : words.join('\n');
}

/**
 * Turns in the vendor's order: user and assistant by turns, the first and the last of them the user's, one call per turn, each
 * followed by its result, which stands in the user's place.
 * @param messages  in order: results stand behind their calls
 */
export function writeTurns(messages: readonly Message[]): readonly BaiduTurn[] {
  const turns: BaiduTurn[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user')
      add(turns, { role: 'user', content: joinedText(message.content) || EMPTY_TURN_TEXT });
    else if (message.role === 'assistant') writeAnswer(turns, message.content, resultsBehind(messages, at));
  }
  if (turns.at(-1)?.role === 'assistant' || turns.length === 0)
    add(turns, { role: 'user', content: EMPTY_TURN_TEXT });
  return turns;
}

/** Results of the calls of one answer: ids may come again in a later one. */
function resultsBehind(messages: readonly Message[], at: number): ReadonlyMap<string, string> {
  const results = new Map<string, string>();
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool') break;
    results.set(message.callId, joinedText(message.content));
  }
  return results;
}

function writeAnswer(
  turns: BaiduTurn[],
  content: readonly ContentPart[],
  results: ReadonlyMap<string, string>,
): void {
  let words = joinedText(content);
  const calls = content.filter((part) => part.type === 'tool-call');
  if (calls.length === 0 && words !== '') add(turns, { role: 'assistant', content: words });
  for (const { callId, name, json } of calls) {
    const call = { name, arguments: json === '' ? '{}' : json };
    add(turns, { role: 'assistant', content: words, function_call: call });
    add(turns, { role: 'function', name, content: results.get(callId) || EMPTY_TURN_TEXT });
    words = '';
  }
}

/** Keeps the order of turns: neighbours of one kind are joined, and an empty turn of the other side is filled with a note. */
function add(turns: BaiduTurn[], turn: BaiduTurn): void {
  const last = turns.at(-1);
  const isAnswer = turn.role === 'assistant';
  if (last === undefined) {
    if (isAnswer) turns.push({ role: 'user', content: EMPTY_TURN_TEXT });
  } else if ((last.role === 'assistant') === isAnswer) {
    if (last.role === turn.role && last.function_call === undefined && turn.role !== 'function') {
      turns[turns.length - 1] = { ...turn, content: `${last.content}\n${turn.content}` };
      return;
    }
    turns.push({ role: isAnswer ? 'user' : 'assistant', content: EMPTY_TURN_TEXT });
  }
  turns.push(turn);
}
