import { fail, ok, type Result } from '../../../common/result.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import { refusal, requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import { documentOf, listOf, textOf } from '../shared/fields/json-fields.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';
import type { RequestEdits, ApiFormat, WrittenRequest } from '../contract/api-format.js';
import { aspectOf, imageSizeOf } from '../shared/fields/image-aspect.js';
import { IMAGEN_FORMAT } from './id.js';
import { ImagenMeter } from './meter.js';
import { parseImagenCall } from './parse-call.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('without-picture');

export { IMAGEN_FORMAT } from './id.js';

/** Imagen's grammar: https://ai.google.dev/gemini-api/docs/imagen (read 2026-11-21). */
export const imagenPredict: ApiFormat<'image'> = {
  id: IMAGEN_FORMAT,
  replyType: 'application/json; charset=utf-8',
  parseCall: parseImagenCall,
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: writeImagenRequest,
  refuseRequest,
  openMeter: (call) => new ImagenMeter(call.shape),
  readReply: readImagenReply,
  writeReply: (reply) =>
    Buffer.from(
      JSON.stringify({
        predictions: reply.images.flatMap(({ source, revisedPrompt }) =>
          source.kind === 'base64'
            ? [
                {
                  mimeType: source.mediaType ?? 'image/png',
                  bytesBase64Encoded: source.base64,
                  ...(revisedPrompt === undefined ? {} : { prompt: revisedPrompt }),
                },
              ]
            : [],
        ),
      }),
    ),
};

function refuseRequest(request: ImageRequest): RelayError | undefined {
  if (request.mask === undefined && request.images.length <= 1) return undefined;
  const message = 'The upstream of this model takes one picture to start from, and no mask.';
  return requestRefusal(message, 'image');
}

function writeImagenRequest(request: ImageRequest, _edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { style, background, user, outputFormat } = request;
  warnOfOtherFormatFields(request.vendorOptions, IMAGEN_FORMAT, warnings);
  warnOfUnsupported({ style, background, user }, 'Imagen', warnings);
  const own = documentOf(request.vendorOptions?.[IMAGEN_FORMAT]);
  const aspectRatio = aspectOf(request.size);
  const imageSize = imageSizeOf(request.quality);
  const [picture] = request.images;
  const body = {
    instances: [{ prompt: request.prompt, ...(picture === undefined ? {} : { image: bytesOf(picture) }) }],
    parameters: {
      personGeneration: 'allow_adult',
      ...own,
      sampleCount: request.count,
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(imageSize === undefined ? {} : { imageSize }),
      ...(outputFormat === undefined ? {} : { outputOptions: { mimeType: `image/${outputFormat}` } }),
    },
  };
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

const bytesOf = (source: MediaSource): Readonly<Record<string, unknown>> =>
  source.kind === 'base64'
    ? { bytesBase64Encoded: source.base64, mimeType: source.mediaType ?? 'image/png' }
    : { gcsUri: source.kind === 'url' ? source.url : source.fileId };

function readImagenReply(body: Buffer): Result<ImageReply, RelayError> {
  const read = replyDocument(body, MALFORMED, undefined, JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const images = listOf(document['predictions']).flatMap((item) => {
    const row = camelFields(documentOf(item));
    const base64 = textOf(row['bytesBase64Encoded']);
    const revisedPrompt = textOf(row['prompt']);
    if (base64 === undefined) return [];
    const source = { kind: 'base64' as const, base64, mediaType: textOf(row['mimeType']) };
    return [{ source, ...(revisedPrompt === undefined ? {} : { revisedPrompt }) }];
  });
  return images.length === 0
    ? fail(MALFORMED)
    : ok({ createdAtSeconds: undefined, images, usage: undefined });
}
