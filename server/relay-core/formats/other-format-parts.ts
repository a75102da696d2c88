import { requestRefusal } from '../model/refusals.js';
import type { ChatRequest, Message } from '../model/chat.js';
import type { ContentPart } from '../model/content.js';
import type { RelayError } from '../model/relay-error.js';
import { MESSAGES_FORMAT } from './anthropic-messages/id.js';
import { readBlocks } from './anthropic-messages/read-blocks.js';
import { readToolResult } from './anthropic-messages/read-result.js';
import { GENERATE_FORMAT } from './gemini-generate/id.js';
import { readResult } from './gemini-generate/read-contents.js';
import { readPart as readGeminiPart } from './gemini-generate/read-part.js';
import { documentOf, isDocument, textOf, type Document } from './shared/fields/json-fields.js';
import { readPart as readChatPart } from './openai-chat/read-parts.js';
import { RESPONSES_FORMAT } from './openai-responses/id.js';
import { readOutput, readTurnItem } from './openai-responses/read-items.js';
import { readContent } from './openai-responses/read-parts.js';
import { camelFields } from './shared/fields/proto-names.js';

type Read = (value: Document, type: string) => readonly ContentPart[];
/** Format that reads a type of part. Types of the client APIs do not collide. */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...every(
    ['input_text', 'output_text', 'summary_text', 'text', 'refusal', 'input_image', 'input_file'],
    (value) => readContent([value]),
  ),
  ...every(['function_call', 'custom_tool_call', 'reasoning'], (value, type) => [readTurnItem(value, type)]),
  ...every(['image_url', 'video_url', 'audio_url', 'input_audio', 'file'], (value) => [readChatPart(value)]),
  ...every(['image', 'document', 'search_result', 'tool_use', 'thinking', 'redacted_thinking'], (value) =>
    readBlocks([value]),
  ),
]);

function every(types: readonly string[], read: Read): readonly (readonly [string, Read])[] {
  return types.map((type) => [type, read] as const);
}

/** Kinds of earlier answers' pieces that are their vendor's own work: other vendors get the answer without them. */
const OWN_WORK: ReadonlyMap<string, RegExp> = new Map([
  [
    MESSAGES_FORMAT,
    /^(server_tool_use|mcp_tool_use|[a-z_]+_tool_result|container_upload|compaction|fallback|tool_reference)$/,
  ],
  [
    RESPONSES_FORMAT,
    /(_call|_calls|_output|^mcp_list_tools|^mcp_approval_request|^compaction(?:_summary)?)$/,
  ],
]);
/** Members of Google's parts that are its own work in the same way. */
const GOOGLE_WORK = ['toolCall', 'toolResponse', 'executableCode', 'codeExecutionResult'] as const;

const VENDOR = 'vendor';

/**
 * Parts that the API's own reader does not know are read by the reader that does: agents keep their histories in the
 * form of one API and send them to another. Results of tools become messages of their own. An unknown part keeps its
 * place in the body, for the refusal.
 * @param body  as it was read: the parts are found in it again
 * @param names  members of the body that hold conversations
 */
export function readOtherFormatParts(
  messages: readonly Message[],
  body: unknown,
  names: readonly string[],
): Message[] {
  return messages.flatMap((message) => {
    if (!message.content.some(({ type }) => type === VENDOR)) return [message];
    return split(message, (value) => placeOf(value, body, names));
  });
}

function split(message: Message, placed: (value: unknown) => string): Message[] {
  const results: Message[] = [];
  const messages: Message[] = [];
  let run: ContentPart[] = [];
  const flush = (): void => {
    if (run.length > 0) messages.push({ ...message, content: run });
    run = [];
  };
  for (const part of message.content) {
    const result = part.type === VENDOR ? resultOf(part.value) : undefined;
    if (result === undefined) {
      run.push(...adopt(part, message.role, placed));
      continue;
    }
    const [whole = result] = split(result, placed);
    if (message.role === 'tool') {
      run.push(...whole.content);
    } else if (message.role === 'assistant') {
      flush();
      messages.push(whole);
    } else results.push(whole);
  }
  flush();
  // Answers of tools stand behind their calls, before new words.
  return [...results, ...messages];
}

/** A result of a tool in any API's form. */
function resultOf(value: unknown): Message | undefined {
  if (!isDocument(value)) return undefined;
  const type = textOf(value['type']);
  if (type === 'tool_result') return readToolResult(value);
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return readOutput(value, type);
  const response = camelFields(value)['functionResponse'];
  return type === undefined && isDocument(response) ? readResult(camelFields(response), []) : undefined;
}

function adopt(
  part: ContentPart,
  role: Message['role'],
  placed: (value: unknown) => string,
): readonly ContentPart[] {
  if (part.type !== VENDOR) return [part];
  const value = documentOf(part.value);
  const type = textOf(value['type']);
  const read =
    type === undefined ? [readGeminiPart(value, () => '')] : (READERS.get(type)?.(value, type) ?? []);
  const isKnown = read.length > 0 && read.every((one) => one.type !== VENDOR && fits(one, role));
  if (isKnown) return read;
  const isOwnWork = role === 'assistant' || type === 'tool_reference';
  return isOwnWork && isWorkOf(part.apiFormat, value, type)
    ? [part]
    : [{ ...part, path: placed(part.value) }];
}

/** Calls and thoughts are a model's. */
const fits = ({ type }: ContentPart, role: Message['role']): boolean =>
  role === 'assistant' || (type !== 'tool-call' && type !== 'reasoning');

function isWorkOf(apiFormat: string, value: Document, type: string | undefined): boolean {
  if (apiFormat === GENERATE_FORMAT) return GOOGLE_WORK.some((name) => isDocument(camelFields(value)[name]));
  return type !== undefined && OWN_WORK.get(apiFormat)?.test(type) === true;
}

/** `messages.1.content.0` */
function placeOf(value: unknown, body: unknown, names: readonly string[]): string {
  for (const name of names) {
    const path = find(value, documentOf(body)[name], name);
    if (path !== undefined) return path;
  }
  return names.at(-1) ?? '';
}

function find(value: unknown, inside: unknown, path: string): string | undefined {
  if (inside === value) return path;
  if (typeof inside !== 'object' || inside === null) return undefined;
  for (const [name, member] of Object.entries(inside)) {
    const found = find(value, member, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Content that only another format could be given, named by its place; undefined = there is none. */
export function refuseUnknownParts({ messages }: ChatRequest, apiFormat: string): RelayError | undefined {
  for (const { role, content } of messages) {
    for (const part of content) {
      if (!fits(part, role)) {
        const what = part.type === 'reasoning' ? 'thoughts' : 'calls of tools';
        const message = `The messages of role '${role}' hold ${what}: these belong to an answer.`;
        return requestRefusal(message, 'messages');
      }
      if (part.type !== VENDOR || part.path === undefined || part.apiFormat === apiFormat) continue;
      const type = textOf(documentOf(part.value)['type'])?.slice(0, MAX_NAME_LENGTH);
      const kind = type === undefined ? 'of this kind' : `of type '${type}'`;
      return requestRefusal(
        `${part.path}: content ${kind} cannot be given to the upstream of this model.`,
        part.path,
      );
    }
  }
  return undefined;
}

/** Names are the caller's. */
const MAX_NAME_LENGTH = 64;
