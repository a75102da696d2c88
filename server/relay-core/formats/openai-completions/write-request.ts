import type { ChatRequest, Message } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import { warnOfOtherFormatFields, warnOfLost } from '../shared/fields/dropped-fields.js';
import { FORBIDDEN_FIELDS } from '../shared/fields/request-fields.js';
import { requestRefusal } from '../../model/refusals.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { setGiven } from '../shared/fields/json-fields.js';
import { setSampling } from '../shared/openai/openai-members.js';
import { writtenBody } from '../shared/requests/drop-refused-members.js';

/** Why a conversation cannot be asked of a model that only continues text. */
export function refuseCompletionRequest(request: ChatRequest): RelayError | undefined {
  const hasTools = (request.tools?.length ?? 0) > 0;
  const isForced = request.toolChoice !== undefined && request.toolChoice.type !== 'none';
  if (hasTools && isForced)
    return requestRefusal('This model continues text and cannot call tools.', 'tools');
  for (const message of request.messages) {
    for (const { type } of message.content) {
      if (type === 'image' || type === 'audio' || type === 'video' || type === 'file')
        return requestRefusal(
          `This model continues text and cannot read a part of type ${type}.`,
          'messages',
        );
    }
  }
  return undefined;
}

/** Neutral request → body for a model that continues text. */
export function writeCompletionRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { prompt, ...own } = { ...request.vendorOptions?.[COMPLETIONS_FORMAT] };
  warnOfOtherFormatFields(request.vendorOptions, COMPLETIONS_FORMAT, warnings);
  const body: Record<string, unknown> = { ...own };
  for (const name of FORBIDDEN_FIELDS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['prompt'] = prompt ?? writePrompt(request.messages);
  setGiven(body, 'max_tokens', edits.outputCap ?? request.maxOutputTokens);
  setSampling(body, request);
  setGiven(body, 'user', request.user);
  if (request.choices > 1) body['n'] = request.choices;
  warnOfLost(request, ['strict', 'detail', 'display'], warnings);
  for (const setting of lostSettings(request)) warnings.push({ setting, reason: 'the model continues text' });
  if (request.stream) {
    body['stream'] = true;
    if ((edits.reportUsage || request.wantsStreamUsage) && !edits.dropStreamOptions)
      body['stream_options'] = { include_usage: true };
  }
  return writtenBody(edits, body, warnings);
}

/** What a conversation may ask for and a continued text cannot hold. */
function lostSettings(request: ChatRequest): readonly string[] {
  const content = request.messages.flatMap((message) => message.content);
  const lost = {
    tools: (request.tools?.length ?? 0) > 0,
    tool_choice: request.toolChoice !== undefined,
    parallel_tool_calls: request.parallelToolCalls !== undefined,
    response_format: request.responseFormat !== undefined && request.responseFormat.type !== 'text',
    reasoning: request.reasoning !== undefined,
    top_k: request.topK !== undefined,
    tool_calls: content.some(({ type }) => type === 'tool-call'),
    is_error: request.messages.some((message) => message.role === 'tool' && message.isError === true),
    thoughts: content.some((part) => part.type === 'reasoning'),
    cache_control: content.some((part) => part.type !== 'vendor' && part.cache !== undefined),
    content: content.some(({ type }) => !isText(type)),
  };
  return Object.entries(lost).flatMap(([setting, isLost]) => (isLost ? [setting] : []));
}

const isText = (type: string): boolean =>
  type === 'text' || type === 'refusal' || type === 'reasoning' || type === 'source';

/** What one user says is the prompt itself; a longer conversation is written down as one. */
function writePrompt(messages: readonly Message[]): string {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user') return textOf(only);
  const lines = messages.map((message) => `${NAMES[message.role]}: ${textOf(message)}`);
  return `${lines.join('\n\n')}\n\n${NAMES.assistant}:`;
}

const NAMES: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

const textOf = (message: Message): string =>
  message.content.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');
