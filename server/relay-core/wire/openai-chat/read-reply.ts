import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, isDocument, listOf, numberOf, textOf, type Document } from '../json-fields.js';
import { readFinishReason } from './finish-reason.js';
import { CHAT_WIRE } from './id.js';
import { readUsage } from './usage.js';

const KNOWN_REPLY_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
]);
const KNOWN_CHOICE_MEMBERS: ReadonlySet<string> = new Set([
  'index',
  'message',
  'finish_reason',
  'logprobs',
  'usage',
]);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readChatReply(body: Buffer): Result<ChatReply, RelayError> {
  let document: unknown;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    return malformed(cause);
  }
  if (!isDocument(document) || !Array.isArray(document['choices'])) return malformed();
  const choices = listOf(document['choices']).map(documentOf);
  const usage = readUsage(
    document['usage'] ?? choices[0]?.['usage'] ?? documentOf(document['x_groq'])['usage'],
  );
  const vendorOptions = keepUnknown(CHAT_WIRE, document, KNOWN_REPLY_MEMBERS);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: numberOf(document['created']),
    choices: choices.map(readChoice),
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readChoice(choice: Document): ChatChoice {
  const reason = textOf(choice['finish_reason']);
  const logprobs = choice['logprobs'];
  const vendorOptions = keepUnknown(CHAT_WIRE, choice, KNOWN_CHOICE_MEMBERS);
  return {
    content: readContent(documentOf(choice['message'])),
    finish: reason === undefined ? undefined : readFinishReason(reason),
    ...(logprobs === null || logprobs === undefined ? {} : { logprobs }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  };
}

function readContent(message: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const reasoning = textOf(message['reasoning_content']) ?? textOf(message['reasoning']);
  if (reasoning !== undefined) content.push({ type: 'reasoning', text: reasoning });
  const { thinking, text } = readText(message['content']);
  if (thinking !== '') content.push({ type: 'reasoning', text: thinking });
  if (text !== '') content.push({ type: 'text', text });
  const refusal = textOf(message['refusal']);
  if (refusal !== undefined) content.push({ type: 'refusal', text: refusal });
  for (const item of listOf(message['tool_calls'])) {
    const call = documentOf(item);
    const custom = call['custom'];
    const body = documentOf(call['function'] ?? custom);
    content.push({
      type: 'tool-call',
      callId: textOf(call['id']) ?? '',
      name: textOf(body['name']) ?? '',
      json: readArguments(body['arguments'] ?? body['input']),
      ...(isDocument(custom) ? { isFreeform: true } : {}),
    });
  }
  const legacy = message['function_call'];
  if (isDocument(legacy)) {
    const json = readArguments(legacy['arguments']);
    content.push({ type: 'tool-call', callId: '', name: textOf(legacy['name']) ?? '', json });
  }
  for (const name of ['audio', 'annotations', 'images', 'reasoning_details']) {
    const value = message[name];
    if (value === null || value === undefined) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    content.push({ type: 'vendor', wire: CHAT_WIRE, value: { [name]: value } });
  }
  return content;
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

function malformed(cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({
    kind: 'upstream-malformed',
    blame: 'upstream',
    message: 'The upstream answered something that is not a chat completion.',
    cause,
  });
}
