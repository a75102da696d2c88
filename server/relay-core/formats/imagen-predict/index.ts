import { fail, ok, type Result } from '../../../common/result.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import { refusal, requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import {
  type Document,
  documentOf,
  given,
  isDocument,
  listOf,
  textOf,
} from '../shared/fields/json-fields.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { aspectOf, imageSizeOf } from '../shared/fields/image-aspect.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { imagesAsUsage, TOKENS_PER_GOOGLE_IMAGE } from '../shared/metering/reported-usage.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import { JsonEventMeter, parseSpan } from '../shared/metering/json-event-meter.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateText } from '../shared/requests/estimate-prompt.js';
import { imageTerms } from '../shared/fields/image-terms.js';
import { invalidRequest, scanRequest } from '../shared/fields/request-fields.js';

/** Key of this format in vendor options and registries. */
export const IMAGEN_FORMAT = 'imagen-predict';

const MAX_SAMPLES = 16;
const MAX_MODEL_LENGTH = 256;

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(['sampleCount', 'aspectRatio', 'imageSize']);

const PREDICTIONS = Buffer.from('predictions');
const IMAGE_DATA = Buffer.from('bytesBase64Encoded');

const MALFORMED = refusal('without-picture');

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
  if (aspectRatio === undefined && request.size !== 'auto')
    warnOfUnsupported({ size: request.size }, 'Imagen', warnings);
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

/** Meter of Imagen's predictions: counts images without decoding them. Filtered ones have no bytes. */
export class ImagenMeter extends JsonEventMeter {
  constructor(private readonly shape: Pick<CallShape, 'promptTokens'>) {
    super();
    this.units = 0;
  }

  override ownCount(): Usage {
    return imagesAsUsage(this.units ?? 0, this.shape.promptTokens);
  }

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    const isWhole = this.walk(body, 0, body.length, () => {
      if (cursor.keyIs(PREDICTIONS)) this.elements(this.prediction);
      else cursor.skipValue();
    });
    if (!isWhole) return 'malformed';
    if (this.units === 0) {
      // Also when every image was filtered: the document has the reason.
      return this.failedWith(parseSpan(body, 0, body.length));
    }
    this.hasFinish = true;
    return 'answer';
  }

  private readonly prediction = (): void => {
    let hasPicture = false;
    this.members(() => {
      if (this.cursor.keyIs(IMAGE_DATA)) hasPicture = this.takePresence();
      else this.cursor.skipValue();
    });
    if (!hasPicture) return;
    this.units = (this.units ?? 0) + 1;
    this.produced.extraTokens += TOKENS_PER_GOOGLE_IMAGE;
  };
}

/** `predict` of an image model: one instance with a prompt. Fails: invalid-request, with the name of the field. */
export function parseImagenCall(body: Buffer, target: CallTarget): Result<ParsedCall<'image'>, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const document = scanned.value;
  const model = (target.pathModel ?? '').replace(/^models\//, '');
  if (model === '' || model.length > MAX_MODEL_LENGTH) {
    return invalidRequest('The address names no model that can be used.', 'model');
  }
  let whole: Document;
  try {
    whole = documentOf(JSON.parse(document.bytes.toString('utf8')));
  } catch (cause) {
    const message = 'We could not parse the JSON body of your request.';
    return fail({ kind: 'invalid-request', blame: 'caller', message, cause });
  }
  const request = readRequest(whole, model);
  if (!request.ok) return request;
  const shape: CallShape = {
    operation: 'image',
    task: request.value.task,
    model,
    stream: false,
    outputCap: undefined,
    choices: request.value.count,
    promptTokens: estimateText(request.value.prompt),
    wantsStreamUsage: false,
    heldOutput: { tokens: TOKENS_PER_GOOGLE_IMAGE, kind: 'image' },
    pictureTerms: imageTerms(request.value.size, request.value.quality),
  };
  return ok({ shape, document, neutral: () => request });
}

function readRequest(whole: Document, model: string): Result<ImageRequest, RelayError> {
  const instances = listOf(whole['instances']);
  const instance = camelFields(documentOf(instances[0]));
  const prompt = textOf(instance['prompt']);
  if (instances.length !== 1) return invalidRequest("'instances' must hold one instance.", 'instances');
  if (prompt === undefined) return invalidRequest("'prompt' is required.", 'instances.0.prompt');
  if (whole['parameters'] != null && !isDocument(whole['parameters'])) {
    return invalidRequest("'parameters' must be an object.", 'parameters');
  }
  const parameters = camelFields(documentOf(whole['parameters']));
  const count = parameters['sampleCount'] ?? 1;
  if (!Number.isSafeInteger(count) || Number(count) < 1 || Number(count) > MAX_SAMPLES) {
    const message = `'sampleCount' must be an integer from 1 to ${MAX_SAMPLES}.`;
    return invalidRequest(message, 'parameters.sampleCount');
  }
  const picture = textOf(camelFields(documentOf(instance['image']))['bytesBase64Encoded']);
  const vendorOptions = keepUnknown(IMAGEN_FORMAT, parameters, KNOWN_PARAMETERS);
  return ok({
    model,
    task: picture === undefined ? 'generate' : 'edit',
    prompt,
    images: picture === undefined ? [] : [{ kind: 'base64', base64: picture, mediaType: undefined }],
    count: Number(count),
    delivery: 'base64',
    ...given('size', textOf(parameters['aspectRatio'])),
    ...given('quality', textOf(parameters['imageSize'])),
    ...given('vendorOptions', vendorOptions),
  });
}
