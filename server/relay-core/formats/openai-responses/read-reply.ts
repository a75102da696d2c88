import { ok, type Result } from '../../../common/result.js';
import type { ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, listOf, textOf, type Document, wholeSecondsOf } from '../shared/fields/json-fields.js';
import { clientActionOf, readFinishReason } from './finish-reason.js';
import { RESPONSES_FORMAT } from './id.js';
import { readTurnItem } from './read-items.js';
import { readContent } from './read-parts.js';
import { readUsage, ToolUses } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a response' });

export const KNOWN_REPLY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created_at',
  'model',
  'output',
  'output_text',
  'usage',
  'status',
  'error',
  'incomplete_details',
]);

/** Whole response → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readResponsesReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => Array.isArray(document['output']));
  if (!read.ok) return read;
  const document = read.value;
  const items = listOf(document['output']).map(documentOf);
  const content = items.flatMap(readOutputItem);
  const uses = new ToolUses();
  for (const item of items) uses.add(textOf(item['type']) ?? '', textOf(item['container_id']));
  const usage = readUsage(document['usage']);
  const vendorOptions = keepUnknown(RESPONSES_FORMAT, document, KNOWN_REPLY_FIELDS);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: wholeSecondsOf(document['created_at']),
    choices: [
      {
        content,
        finish: readFinishReason(
          document,
          content.some(({ type }) => type === 'tool-call'),
          items.map(clientActionOf).find((type) => type !== undefined),
        ),
      },
    ],
    usage: usage === 'invalid' || usage === undefined ? undefined : uses.addTo(usage),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** One item of the output as parts of an answer. */
export function readOutputItem(item: Document): readonly ContentPart[] {
  const type = textOf(item['type']) ?? '';
  if (type === 'message') return readContent(item['content']);
  if (type === 'image_generation_call') return [readImage(item)];
  return [readTurnItem(item, type)];
}

/** An image the vendor made while it answered. */
function readImage(item: Document): ContentPart {
  const base64 = textOf(item['result']);
  if (base64 === undefined) return { type: 'vendor', apiFormat: RESPONSES_FORMAT, value: item };
  return {
    type: 'image',
    source: { kind: 'base64', base64, mediaType: `image/${textOf(item['output_format']) ?? 'png'}` },
    vendorOptions: { [RESPONSES_FORMAT]: { ...item, result: null } },
  };
}
