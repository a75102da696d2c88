import type { Message } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, given, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';
import { readPart } from './read-parts.js';
import { entriesOf, readCallSignature, readDetails } from './reasoning-details.js';
import { AT_START, inPlace } from './thought-places.js';
import { KNOWN_MESSAGE_FIELDS, type OpenaiMessage } from './schema.js';

/** One message of a chat request. */
export function readMessage(message: OpenaiMessage): Message {
  const vendorOptions = readVendorOptions(message);
  const shared = { ...given('name', message.name), ...given('vendorOptions', vendorOptions) };
  const calls = readCalls(message);
  const thoughts = message.role === 'assistant' ? readReasoning(message, calls) : [];
  const content: ContentPart[] = [];
  if (typeof message.content === 'string') content.push({ type: 'text', text: message.content });
  else for (const part of message.content ?? []) content.push(readPart(part));
  if (message.role === 'assistant') content.push(...readImages(message));
  // A mark on a message stands for its last part.
  const marked = markLast(content, readCacheMark(message));
  if (message.role === 'tool' || message.role === 'function') {
    return { role: 'tool', callId: message.tool_call_id ?? '', content: marked, ...shared };
  }
  if (textOf(message.refusal) !== undefined) marked.push({ type: 'refusal', text: message.refusal ?? '' });
  return { role: message.role, content: inPlace(thoughts, marked, calls), ...shared };
}

/** Images of an answer, beside its content, as OpenRouter and this gateway write them. */
const readImages = (message: OpenaiMessage): readonly ContentPart[] =>
  listOf(message['images'])
    .map((image) => readPart(documentOf(image)))
    .filter(({ type }) => type === 'image');

/** Vendors' own entries of reasoning go back to the same format as they came, not as they were understood. */
function readVendorOptions(message: OpenaiMessage): Message['vendorOptions'] {
  const own = {
    ...keepUnknown(CHAT_FORMAT, message, KNOWN_OR_READ)?.[CHAT_FORMAT],
    ...given('reasoning_details', message.reasoning_details),
    ...given('reasoning', message.reasoning),
  };
  return Object.keys(own).length === 0 ? undefined : { [CHAT_FORMAT]: own };
}

const KNOWN_OR_READ: ReadonlySet<string> = new Set([...KNOWN_MESSAGE_FIELDS, 'images']);

type Call = Extract<ContentPart, { type: 'tool-call' }>;

/** Reasoning of a turn; signatures of calls that travel in it are given to the calls. */
function readReasoning(message: OpenaiMessage, calls: Call[]): Parameters<typeof inPlace>[0] {
  const plain = textOf(message.reasoning_content) ?? textOf(message.reasoning) ?? '';
  const callIds = new Set(calls.map(({ callId }) => callId));
  const details = readDetails(entriesOf(message), plain, callIds);
  if (details === undefined)
    return plain === '' ? [] : [{ part: { type: 'reasoning', text: plain }, place: AT_START }];
  for (const [index, call] of calls.entries()) {
    const signature = details.callSignatures.get(call.callId);
    if (signature !== undefined && call.signature === undefined) calls[index] = { ...call, signature };
  }
  return details.reasoning.map((part, index) => ({ part, place: details.places[index] ?? AT_START }));
}

const KNOWN_CALL_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'index',
  'function',
  'custom',
  'extra_content',
]);

function readCalls(message: OpenaiMessage): Call[] {
  const calls: Call[] = [];
  for (const call of message.tool_calls ?? []) {
    const shared = {
      type: 'tool-call' as const,
      callId: call.id ?? '',
      ...givenSignature(readCallSignature(call)),
      ...given('vendorOptions', keepUnknown(CHAT_FORMAT, call, KNOWN_CALL_FIELDS)),
    };
    if (call.function != null) {
      calls.push({ ...shared, name: call.function.name, json: readArguments(call.function.arguments) });
    } else if (call.custom != null) {
      calls.push({ ...shared, name: call.custom.name, json: call.custom.input ?? '', isFreeform: true });
    }
  }
  if (message.function_call != null) {
    // The oldest form: one call without an id.
    const { name, arguments: json } = message.function_call;
    calls.push({ type: 'tool-call', callId: '', name, json: json ?? '' });
  }
  return calls;
}

const givenSignature = (signature: ThoughtSignature | undefined) =>
  signature === undefined ? {} : { signature };

const readArguments = (value: string | Document | null | undefined): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

function markLast(content: ContentPart[], mark: ReturnType<typeof readCacheMark>): ContentPart[] {
  const last = content.at(-1);
  if (mark.cache === undefined || last === undefined || last.type === 'vendor') return content;
  return [...content.slice(0, -1), { ...last, ...mark }];
}
