import { fail, ok, type Result } from '../../../common/result.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply } from '../../model/image.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  isDocument,
  listOf,
  numberOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { bytesSource } from '../shared/fields/media-bytes.js';
import type { ReplyReader } from '../contract/api-format.js';
import { IMAGES_FORMAT } from './id.js';
import { readImageUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { parseJson } from '../../../common/parse-json.js';

const MALFORMED = refusal('no-pictures');

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['created', 'data', 'usage', 'images']);

/** Whole reply → neutral reply. Pictures that failed are left out. Fails: upstream-malformed. */
export function readImageReply(body: Buffer): Result<ImageReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => Array.isArray(document['data']), JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const format = textOf(document['output_format']);
  const images = listOf(document['data']).flatMap((item) => {
    const row = documentOf(item);
    const source = sourceOf(row, format);
    const revisedPrompt = textOf(row['revised_prompt']);
    return source === undefined
      ? []
      : [{ source, ...(revisedPrompt === undefined ? {} : { revisedPrompt }) }];
  });
  if (images.length === 0) return fail(MALFORMED);
  const usage = readImageUsage(document['usage']);
  const vendorOptions = keepUnknown(IMAGES_FORMAT, document, KNOWN_FIELDS);
  return ok({
    createdAtSeconds: numberOf(document['created']),
    images,
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function sourceOf(row: Document, format: string | undefined): MediaSource | undefined {
  const base64 = textOf(row['b64_json']);
  if (base64 !== undefined) {
    const kind = textOf(row['output_format']) ?? format;
    return bytesSource(base64, kind === undefined ? undefined : `image/${kind}`);
  }
  const url = textOf(row['url']);
  return url === undefined ? undefined : { kind: 'url', url };
}

/** Streamed pictures → neutral events; partial pictures are this format's own. */
export class ImageReplyReader implements ReplyReader {
  private hasStarted = false;
  private block = 0;

  read(data: string): readonly StreamEvent[] {
    const document = parseJson(data);
    if (!isDocument(document)) return []; // the meter counts unreadable frames
    const events: StreamEvent[] = [];
    if (!this.hasStarted) events.push({ type: 'reply-start', id: '', servedModel: '' });
    this.hasStarted = true;
    const type = textOf(document['type']) ?? '';
    const source = sourceOf(document, undefined);
    if (type.endsWith('.partial_image')) {
      events.push({ type: 'vendor-part', block: this.block, apiFormat: IMAGES_FORMAT, value: document });
    } else if (source !== undefined) {
      events.push({ type: 'media', block: this.block, media: 'image', source });
      this.block += 1;
    }
    const usage = readImageUsage(document['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    return events;
  }

  finish(): readonly StreamEvent[] {
    return [{ type: 'reply-end', finish: { unified: 'stop', raw: undefined } }];
  }
}
