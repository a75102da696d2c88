import { ok, type Result } from '../../../common/result.js';
import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart, Source } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  filledDocument,
  isDocument,
  isZeroValued,
  listOf,
  textOf,
  type Document,
  wholeSecondsOf,
} from '../shared/fields/json-fields.js';
import { hasWholeCall } from '../shared/fields/tool-arguments.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { readAnnotation, readCitations } from './citations.js';
import { finishReasonIn, readFinishReason } from '../shared/openai/openai-finish-reason.js';
import { CHAT_FORMAT } from './id.js';
import { entriesOf, readCallSignature, readDetails } from './reasoning-details.js';
import { type CachedPlace, readUsage } from '../shared/openai/openai-usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { CHOICES_REPLY_FIELDS } from '../shared/openai/openai-members.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat completion' });

const KNOWN_CHOICE_FIELDS: ReadonlySet<string> = new Set([
  'index',
  'message',
  'finish_reason',
  'logprobs',
  'usage',
]);

/**
 * Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed.
 * @param cached  place of cached tokens in the vendor's reports
 */
export function readChatReply(body: Buffer, cached: CachedPlace = 'inside'): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => Array.isArray(document['choices']));
  if (!read.ok) return read;
  const document = read.value;
  const choices = listOf(document['choices']).map(documentOf);
  const usage = readUsage(
    document['usage'] ?? choices[0]?.['usage'] ?? documentOf(document['x_groq'])['usage'],
    cached,
  );
  const vendorOptions = keepUnknown(CHAT_FORMAT, document, CHOICES_REPLY_FIELDS);
  const citations = readCitations(document);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: wholeSecondsOf(document['created']),
    choices: choices.map((choice) => readChoice(choice, citations)),
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readChoice(choice: Document, citations: readonly Source[]): ChatChoice {
  const reason = finishReasonIn(choice['finish_reason']);
  const logprobs = choice['logprobs'];
  const vendorOptions = keepUnknown(CHAT_FORMAT, choice, KNOWN_CHOICE_FIELDS);
  const content = readContent(documentOf(choice['message']), citations);
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  return {
    content,
    finish: reason === undefined ? undefined : readEnd(reason, hasCalls, content),
    ...(logprobs === null || logprobs === undefined ? {} : { logprobs }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  };
}

function readContent(message: Document, citations: readonly Source[]): readonly ContentPart[] {
  const calls = listOf(message['tool_calls']).filter(isCall).map(readCall);
  const { thinking, text } = readText(message['content']);
  const plain = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? '';
  const content: ContentPart[] = [...readReasoning(message, plain, calls)];
  if (thinking !== '') content.push({ type: 'reasoning', text: thinking });
  if (text !== '') content.push({ type: 'text', text });
  const annotations = listOf(message['annotations']).map((item) => readAnnotation(documentOf(item)));
  for (const source of annotations.length > 0 ? annotations : citations)
    content.push({ type: 'source', source });
  const refusal = textOf(message['refusal']);
  if (refusal !== undefined) content.push({ type: 'refusal', text: refusal });
  for (const image of listOf(message['images'])) content.push(...readImage(documentOf(image)));
  const audio = filledDocument(message['audio']);
  if (audio !== undefined) content.push(readAudio(audio));
  content.push(...calls);
  const legacy = filledDocument(message['function_call']);
  if (legacy !== undefined) {
    const json = readArguments(legacy['arguments']);
    content.push({ type: 'tool-call', callId: '', name: textOf(legacy['name']) ?? '', json });
  }
  return content;
}

/** Returns true for an entry of `tool_calls` that has an id, a name or arguments. */
export const isCall = (item: unknown): boolean => {
  const { type: _type, index: _index, ...call } = documentOf(item);
  return !isZeroValued(call);
};

type Call = Extract<ContentPart, { type: 'tool-call' }>;

function readCall(item: unknown): Call {
  const call = documentOf(item);
  const custom = call['custom'];
  const body = documentOf(call['function'] ?? custom);
  const signature = readCallSignature(call);
  return {
    type: 'tool-call',
    callId: textOf(call['id']) ?? '',
    name: textOf(body['name']) ?? '',
    json: readArguments(body['arguments'] ?? body['input']),
    ...(isDocument(custom) ? { isFreeform: true } : {}),
    ...(signature === undefined ? {} : { signature }),
  };
}

/** Reasoning with its signatures; a vendor's own entries are kept with the first piece, for the same format. */
function readReasoning(message: Document, plain: string, calls: Call[]): readonly ContentPart[] {
  const raw = entriesOf(message);
  const details = readDetails(raw, plain, new Set(calls.map(({ callId }) => callId)));
  if (details === undefined) return plain === '' ? [] : [{ type: 'reasoning', text: plain }];
  for (const [index, call] of calls.entries()) {
    const signature = details.callSignatures.get(call.callId);
    if (signature !== undefined && call.signature === undefined) calls[index] = { ...call, signature };
  }
  const own = { [CHAT_FORMAT]: { reasoning_details: raw } };
  const [first, ...rest] = details.reasoning;
  return [
    first === undefined
      ? { type: 'reasoning', text: '', vendorOptions: own }
      : { ...first, vendorOptions: own },
    ...rest,
  ];
}

/** An image of the answer. */
export function readImage(image: Document): readonly ContentPart[] {
  const url = textOf(documentOf(image['image_url'])['url']);
  return url === undefined ? [] : [{ type: 'image', source: readMediaAddress(url) }];
}

function readAudio(audio: Document): ContentPart {
  const { data, transcript, ...rest } = audio;
  return {
    type: 'audio',
    source: { kind: 'base64', base64: textOf(data) ?? '', mediaType: undefined },
    ...(typeof transcript === 'string' ? { transcript } : {}),
    vendorOptions: { [CHAT_FORMAT]: rest },
  };
}

/** Content as text, or as Mistral's list of text and thinking parts. */
export function readText(content: unknown): { readonly thinking: string; readonly text: string } {
  if (typeof content === 'string') return { thinking: '', text: content };
  let text = '';
  let thinking = '';
  for (const item of listOf(content)) {
    const part = documentOf(item);
    text += textOf(part['text']) ?? '';
    const thought = part['thinking'];
    if (typeof thought === 'string') thinking += thought;
    for (const piece of listOf(thought)) thinking += textOf(documentOf(piece)['text']) ?? '';
  }
  return { thinking, text };
}

/** Some vendors give arguments as an object. */
export function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return isDocument(value) ? JSON.stringify(value) : '';
}

/** Reads an unknown finish reason as tool calls where a whole call came. */
function readEnd(reason: string, hasCalls: boolean, content: readonly ContentPart[]): FinishReason {
  const finish = readFinishReason(reason);
  return readFinishReason(reason, finish.unified === 'other' ? hasWholeCall(content) : hasCalls);
}
