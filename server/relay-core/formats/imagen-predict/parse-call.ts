import { fail, ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ImageRequest } from '../../model/image.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateText } from '../shared/requests/estimate-prompt.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { imageTerms } from '../shared/fields/image-terms.js';
import { TOKENS_PER_GOOGLE_IMAGE } from '../shared/metering/image-tokens.js';
import { camelFields } from '../shared/fields/proto-names.js';
import { invalidRequest, scanRequest } from '../shared/fields/request-fields.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { IMAGEN_FORMAT } from './id.js';

const MAX_SAMPLES = 16;
const MAX_MODEL_LENGTH = 256;

/** `predict` of a picture model: one instance with a prompt. Fails: invalid-request, with the name of the field. */
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

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set(['sampleCount', 'aspectRatio', 'imageSize']);

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
