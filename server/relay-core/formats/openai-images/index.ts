import { spliceBody } from '../shared/requests/splice-body.js';
import type { ApiFormat, ReplyReader, RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { IMAGE_FORMATS, IMAGES_FORMAT, type ImageTask } from './id.js';
import { ImageMeter } from './meter.js';
import { parseImageCall } from './parse-call.js';
import {
  hasRequestedBytes,
  ImageReplyWriter,
  writeImageReply,
  writeImageReplyAsStream,
} from './write-reply.js';
import { boundaryFor, type FormValue, writeMultipart } from '../../framing/multipart.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions } from '../shared/requests/drop-refused-members.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  type Document,
  documentOf,
  isDocument,
  listOf,
  numberOf,
  textOf,
} from '../shared/fields/json-fields.js';
import { bytesSource } from '../shared/fields/media-bytes.js';
import { readImageUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { parseJson } from '../../../common/parse-json.js';

const MALFORMED = refusal('no-pictures');

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['created', 'data', 'usage', 'images']);

/** OpenAI's image grammar, one format per address: https://platform.openai.com/docs/api-reference/images (read 2026-11-21). */
const imageFormat = (task: ImageTask): ApiFormat<'image'> => ({
  id: IMAGE_FORMATS[task],
  replyType: 'application/json',
  parseCall: parseImageCall(task),
  spliceRequest: spliceBody,
  writeRequest: writeImageRequest,
  openMeter: (call) => new ImageMeter(call.shape),
  readReply: readImageReply,
  openReplyReader: () => new ImageReplyReader(),
  writeReply: writeImageReply,
  hasRequestedForm: hasRequestedBytes,
  openReplyWriter: (context) => new ImageReplyWriter(task, context),
  writeReplyAsStream: (reply, context) => writeImageReplyAsStream(task, reply, context),
});

export const openaiImages = imageFormat('generate');
export const openaiImageEdits = imageFormat('edit');
export const openaiImageVariations = imageFormat('vary');

/** Neutral request → JSON, or a form where images are sent along. */
export function writeImageRequest(request: ImageRequest, edits: RequestEdits): WrittenRequest {
  const members = formatOptions(request, IMAGES_FORMAT);
  const settings: Record<string, unknown> = {
    model: edits.upstreamModel,
    prompt: request.prompt === '' ? undefined : request.prompt,
    n: request.count === 1 ? undefined : request.count,
    size: request.size,
    quality: request.quality,
    style: request.style,
    background: request.background,
    response_format: deliveryOf(request),
    output_format: request.outputFormat,
    user: request.user,
  };
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) members[name] = value;
  for (const name of edits.refusedMembers) delete members[name];
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, IMAGES_FORMAT, warnings);
  const sources = [...request.images, ...(request.mask === undefined ? [] : [request.mask])];
  if (request.task === 'generate' || sources.some((source) => source.kind !== 'base64')) {
    if (request.images.length > 0) members['images'] = request.images.map(addressOf);
    if (request.mask !== undefined) members['mask'] = addressOf(request.mask);
    return { body: Buffer.from(JSON.stringify(members)), warnings };
  }
  const values: FormValue[] = Object.entries(members).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => ({
      name,
      text: typeof one === 'string' ? one : JSON.stringify(one),
    })),
  );
  const isList = request.images.length > 1;
  for (const [index, source] of request.images.entries())
    values.push(fileOf(isList ? 'image[]' : 'image', source, index));
  if (request.mask !== undefined) values.push(fileOf('mask', request.mask, 0));
  const boundary = boundaryFor(values);
  return {
    body: writeMultipart(values, boundary),
    warnings,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** gpt-image answers in base64 by itself and refuses the setting. */
function deliveryOf(request: ImageRequest): string | undefined {
  if (request.delivery === undefined || /gpt-image|chatgpt-image/.test(request.model)) return undefined;
  return request.delivery === 'base64' ? 'b64_json' : 'url';
}

function addressOf(source: MediaSource): Readonly<Record<string, string>> {
  switch (source.kind) {
    case 'url':
      return { image_url: source.url };
    case 'base64':
      return { image_url: `data:${source.mediaType ?? 'image/png'};base64,${source.base64}` };
    case 'vendor-file':
      return { file_id: source.fileId };
  }
}

function fileOf(name: string, source: MediaSource, index: number): FormValue {
  const base64 = source.kind === 'base64' ? source.base64 : '';
  const mediaType = (source.kind === 'base64' ? source.mediaType : undefined) ?? 'image/png';
  const ending = mediaType === 'image/jpeg' ? 'jpg' : mediaType === 'image/webp' ? 'webp' : 'png';
  return {
    name,
    bytes: Buffer.from(base64, 'base64'),
    fileName: `${name.replace('[]', '')}-${index}.${ending}`,
    mediaType,
  };
}

/** Whole reply → neutral reply. Images that failed are left out. Fails: upstream-malformed. */
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

/** Streamed images → neutral events; partial images are this format's own. */
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
