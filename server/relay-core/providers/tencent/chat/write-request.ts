import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import {
  warnOfOtherFormatFields,
  warnOfLost,
  warnOfUnsupported,
  lostTool,
} from '../../../formats/shared/fields/dropped-fields.js';
import { writeMediaAddress } from '../../../formats/shared/fields/media-address.js';
import { orderHistory } from '../../../formats/shared/requests/order-history.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { toolSchema } from '../../../formats/shared/fields/tool-schema.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { TENCENT_CHAT_FORMAT } from './id.js';
import { passThroughFields, writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { setGiven } from '../../../formats/shared/fields/json-fields.js';

type Written = Readonly<Record<string, unknown>>;

/** Members a caller of any format may give for this vendor by their own names; they steer neither place nor price. */
const CALLERS_FIELDS = ['EnableEnhancement', 'SearchInfo', 'Citation', 'ForceSearchEnhancement'] as const;
const EMPTY_TURN_TEXT = ' ';

/** Neutral request → body of the action ChatCompletions. */
export function writeTencentRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const body = passThroughFields(request, CALLERS_FIELDS);
  body['Model'] = edits.upstreamModel;
  body['Messages'] = writeMessages(orderHistory(request, warnings, { inCallOrder: true }), warnings);
  body['Stream'] = request.stream;
  setGiven(body, 'Temperature', request.temperature);
  setGiven(body, 'TopP', request.topP);
  setGiven(body, 'Seed', request.seed);
  setGiven(body, 'Stop', request.stop);
  writeTools(body, request, warnings);
  warnOfUnsupported(
    {
      max_tokens: request.maxOutputTokens,
      response_format: request.responseFormat?.type === 'text' ? undefined : request.responseFormat,
      reasoning_effort: request.reasoning,
      top_k: request.topK,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      parallel_tool_calls: request.parallelToolCalls === false ? false : undefined,
    },
    'Hunyuan’s own interface',
    warnings,
  );
  warnOfLost(
    request,
    ['detail', 'strict', 'cache', 'failed', 'thoughts', 'display', 'user', 'answers'],
    warnings,
  );
  warnOfOtherFormatFields(request.vendorOptions, TENCENT_CHAT_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** These models take text and images only. */
export const supportsPart = (part: ContentPart, message: Message): boolean =>
  part.type === 'image'
    ? message.role === 'user' && part.source.kind !== 'vendor-file'
    : part.type !== 'audio' && part.type !== 'video' && part.type !== 'file' && part.type !== 'vendor';

/** Instructions first; then user, or results of tools, and assistant by turns: neighbours are joined. */
function writeMessages(messages: readonly Message[], warnings: Warning[]): readonly Written[] {
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const written: Record<string, unknown>[] = [];
  if (system.length > 0)
    written.push({ Role: 'system', Content: system.map(({ content }) => joinedText(content)).join('\n') });
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer') continue;
    const one = writeMessage(message, warnings);
    const last = written.at(-1);
    const isJoined =
      last?.['Role'] === 'user' &&
      one['Role'] === 'user' &&
      typeof last['Content'] === 'string' &&
      typeof one['Content'] === 'string';
    if (isJoined) last['Content'] = `${String(last['Content'])}\n${String(one['Content'])}`;
    else if (one['Role'] === 'assistant' && (last === undefined || last['Role'] === 'system'))
      written.push({ Role: 'user', Content: EMPTY_TURN_TEXT }, one);
    else if (one['Role'] === 'user' && (last?.['Role'] === 'user' || last?.['Role'] === 'tool'))
      written.push({ Role: 'assistant', Content: EMPTY_TURN_TEXT }, one);
    else written.push(one);
  }
  return written;
}

function writeMessage(message: Message, warnings: Warning[]): Record<string, unknown> {
  if (message.role === 'tool')
    return {
      Role: 'tool',
      ToolCallId: message.callId,
      Content: joinedText(message.content) || EMPTY_TURN_TEXT,
    };
  if (message.role !== 'assistant') return { Role: 'user', ...writeTextContent(message.content) };
  const calls = message.content.flatMap((part): readonly Written[] =>
    part.type === 'tool-call'
      ? [
          {
            Id: part.callId,
            Type: 'function',
            Function: { Name: part.name, Arguments: part.json === '' ? '{}' : part.json },
          },
        ]
      : [],
  );
  if (
    message.content.some(
      (part) => !['text', 'refusal', 'tool-call', 'reasoning', 'source'].includes(part.type),
    )
  )
    warnings.push({
      setting: 'messages',
      reason: 'an answer of this upstream holds text and tool calls only',
    });
  const words = joinedText(message.content);
  if (calls.length > 0) return { Role: 'assistant', Content: words, ToolCalls: calls };
  return { Role: 'assistant', Content: words === '' ? EMPTY_TURN_TEXT : words };
}

/** Text alone is a string; with images it is a list. */
function writeTextContent(content: readonly ContentPart[]): Record<string, unknown> {
  if (!content.some((part) => part.type === 'image'))
    return { Content: joinedText(content) || EMPTY_TURN_TEXT };
  const contents = content.flatMap((part): readonly Written[] => {
    if (part.type === 'text' && part.text !== '') return [{ Type: 'text', Text: part.text }];
    if (part.type !== 'image' || part.source.kind === 'vendor-file') return [];
    return [{ Type: 'image_url', ImageUrl: { Url: writeMediaAddress(part.source, 'image/png') } }];
  });
  return { Contents: contents };
}

function writeTools(body: Record<string, unknown>, request: ChatRequest, warnings: Warning[]): void {
  const tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, warnings));
  if (tools.length === 0) return;
  body['Tools'] = tools;
  const choice = request.toolChoice;
  if (choice?.type === 'none' || choice?.type === 'auto') body['ToolChoice'] = choice.type;
  else if (choice?.type === 'named') {
    body['ToolChoice'] = 'custom';
    body['CustomTool'] = tools.find(({ Function: { Name } }) => Name === choice.name);
  } else if (choice !== undefined)
    warnings.push({ setting: 'tool_choice', reason: 'this upstream can be bound to one named tool only' });
}

interface WrittenTool {
  readonly Type: 'function';
  readonly Function: { readonly Name: string; readonly Parameters: string; readonly Description?: string };
}

function writeTool(tool: Tool, warnings: Warning[]): readonly WrittenTool[] {
  if (tool.type === 'function') {
    const Parameters = JSON.stringify(toolSchema(tool.parameters, PLAIN_ROOTS, warnings));
    const { name: Name, description: Description } = tool;
    const named = { Name, Parameters };
    return [{ Type: 'function', Function: Description === undefined ? named : { ...named, Description } }];
  }
  warnings.push(lostTool(tool));
  return [];
}

const joinedText = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');
