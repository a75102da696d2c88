import { ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart, Source } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { keepUnknown } from '../../../model/vendor-options.js';
import {
  documentOf,
  isDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from './finish-reason.js';
import { COHERE_CHAT_FORMAT } from './id.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'message', 'finish_reason', 'usage']);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readCohereReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => isDocument(document['message']));
  if (!read.ok) return read;
  const document = read.value;
  const reason = textOf(document['finish_reason']);
  const usage = readUsage(document['usage'], 'shown');
  const vendorOptions = keepUnknown(COHERE_CHAT_FORMAT, document, KNOWN_FIELDS);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: '',
    createdAtSeconds: undefined,
    choices: [
      {
        content: readContent(documentOf(document['message'])),
        finish: reason === undefined ? undefined : readFinishReason(reason),
      },
    ],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readContent(message: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const plan = textOf(message['tool_plan']);
  if (plan !== undefined) content.push({ type: 'reasoning', text: plan });
  const whole = textOf(message['content']);
  if (whole !== undefined) content.push({ type: 'text', text: whole });
  for (const item of listOf(message['content'])) {
    const part = documentOf(item);
    const thinking = textOf(part['thinking']);
    const text = textOf(part['text']);
    if (thinking !== undefined) content.push({ type: 'reasoning', text: thinking });
    if (text !== undefined) content.push({ type: 'text', text });
  }
  for (const item of listOf(message['tool_calls'])) {
    const call = documentOf(item);
    const body = documentOf(call['function']);
    content.push({
      type: 'tool-call',
      callId: textOf(call['id']) ?? '',
      name: textOf(body['name']) ?? '',
      json: readArguments(body['arguments']),
    });
  }
  for (const item of listOf(message['citations'])) {
    for (const source of readCitation(documentOf(item))) content.push({ type: 'source', source });
  }
  return content;
}

/** A tool without arguments is called with `null`, or with nothing. */
export function readArguments(value: unknown): string {
  if (isDocument(value)) return JSON.stringify(value);
  const text = textOf(value);
  return text === undefined || text === 'null' ? '{}' : text;
}

/** One citation rests on one or more places. */
export function readCitation(citation: Document): readonly Source[] {
  const quote = textOf(citation['text']);
  const start = numberOf(citation['start']);
  const end = numberOf(citation['end']);
  const shared = {
    ...(quote === undefined ? {} : { quote }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    vendorOptions: { [COHERE_CHAT_FORMAT]: citation },
  };
  const places = listOf(citation['sources']).map(documentOf);
  if (places.length === 0) return [shared];
  return places.map((place) => {
    const document = documentOf(place['document']);
    const url = textOf(document['url']);
    const title = textOf(document['title']) ?? textOf(place['id']);
    return { ...shared, ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) };
  });
}
