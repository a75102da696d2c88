import type { Message } from '../../model/chat.js';
import type { ContentPart, Proof } from '../../model/content.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { given, textOf, type Document } from '../shared/fields/json-fields.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';
import { readPart } from './read-parts.js';
import { readCallProof, readDetails } from './reasoning-details.js';
import { AT_START, inPlace } from './thought-places.js';
import { KNOWN_MESSAGE_MEMBERS, type WireMessage } from './schema.js';

/** One message of a chat request. */
export function readMessage(apiFormat: WireMessage): Message {
  const vendorOptions = readVendorOptions(apiFormat);
  const shared = { ...given('name', apiFormat.name), ...given('vendorOptions', vendorOptions) };
  const calls = readCalls(apiFormat);
  const thoughts = apiFormat.role === 'assistant' ? readReasoning(apiFormat, calls) : [];
  const content: ContentPart[] = [];
  if (typeof apiFormat.content === 'string') content.push({ type: 'text', text: apiFormat.content });
  else for (const part of apiFormat.content ?? []) content.push(readPart(part));
  // A mark on a message stands for its last part.
  const marked = markLast(content, readCacheMark(apiFormat));
  if (apiFormat.role === 'tool' || apiFormat.role === 'function') {
    return { role: 'tool', callId: apiFormat.tool_call_id ?? '', content: marked, ...shared };
  }
  if (textOf(apiFormat.refusal) !== undefined)
    marked.push({ type: 'refusal', text: apiFormat.refusal ?? '' });
  return { role: apiFormat.role, content: inPlace(thoughts, marked, calls), ...shared };
}

/** Vendors' own entries of reasoning go back to the same wire as they came, not as they were understood. */
function readVendorOptions(apiFormat: WireMessage): Message['vendorOptions'] {
  const own = {
    ...keepUnknown(CHAT_FORMAT, apiFormat, KNOWN_MESSAGE_MEMBERS)?.[CHAT_FORMAT],
    ...given('reasoning_details', apiFormat.reasoning_details),
    ...given('reasoning', apiFormat.reasoning),
  };
  return Object.keys(own).length === 0 ? undefined : { [CHAT_FORMAT]: own };
}

type Call = Extract<ContentPart, { type: 'tool-call' }>;

/** Reasoning of a turn; proofs of calls that travel in it are given to the calls. */
function readReasoning(apiFormat: WireMessage, calls: Call[]): Parameters<typeof inPlace>[0] {
  const plain = textOf(apiFormat.reasoning_content) ?? textOf(apiFormat.reasoning) ?? '';
  const callIds = new Set(calls.map(({ callId }) => callId));
  const details = readDetails(apiFormat.reasoning_details, plain, callIds);
  if (details === undefined)
    return plain === '' ? [] : [{ part: { type: 'reasoning', text: plain }, place: AT_START }];
  for (const [index, call] of calls.entries()) {
    const proof = details.callProofs.get(call.callId);
    if (proof !== undefined && call.proof === undefined) calls[index] = { ...call, proof };
  }
  return details.reasoning.map((part, index) => ({ part, place: details.places[index] ?? AT_START }));
}

const KNOWN_CALL_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'index',
  'function',
  'custom',
  'extra_content',
]);

function readCalls(apiFormat: WireMessage): Call[] {
  const calls: Call[] = [];
  for (const call of apiFormat.tool_calls ?? []) {
    const shared = {
      type: 'tool-call' as const,
      callId: call.id ?? '',
      ...givenProof(readCallProof(call)),
      ...given('vendorOptions', keepUnknown(CHAT_FORMAT, call, KNOWN_CALL_MEMBERS)),
    };
    if (call.function != null) {
      calls.push({ ...shared, name: call.function.name, json: readArguments(call.function.arguments) });
    } else if (call.custom != null) {
      calls.push({ ...shared, name: call.custom.name, json: call.custom.input ?? '', isFreeform: true });
    }
  }
  if (apiFormat.function_call != null) {
    // The oldest form: one call without an id.
    const { name, arguments: json } = apiFormat.function_call;
    calls.push({ type: 'tool-call', callId: '', name, json: json ?? '' });
  }
  return calls;
}

const givenProof = (proof: Proof | undefined) => (proof === undefined ? {} : { proof });

const readArguments = (value: string | Document | null | undefined): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

function markLast(content: ContentPart[], mark: ReturnType<typeof readCacheMark>): ContentPart[] {
  const last = content.at(-1);
  if (mark.cache === undefined || last === undefined || last.type === 'vendor') return content;
  return [...content.slice(0, -1), { ...last, ...mark }];
}
