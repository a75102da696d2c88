import { ok, type Result } from '../../../common/result.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields, estimateText } from '../shared/requests/estimate-prompt.js';
import { FormFields, formTypeOf } from '../shared/requests/form-call.js';
import { documentOf, type Document } from '../shared/fields/json-fields.js';
import { invalidRequest, readCallHead, readInteger, readSmall } from '../shared/fields/request-fields.js';
import type { CallTarget } from '../contract/api-format.js';
import type { ImageTask } from './id.js';
import { readImageForm, readImageRequest } from './read-request.js';
import { MAX_IMAGES, shapeOfImages, type ImageSettings } from './rules.js';
import { JsonCall } from '../shared/requests/json-call.js';

const MAX_PARTIAL_IMAGES = 3;

/** Form fields that may come several times. */
const LIST_FIELDS: ReadonlySet<string> = new Set(['image[]', 'images[]']);
const DECISIVE_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'n',
  'size',
  'quality',
  'prompt',
  'stream',
  'partial_images',
  'response_format',
]);

/** A picture call of one of the three addresses; JSON, or a form with files. Fails: invalid-request. */
export const parseImageCall =
  (task: ImageTask) =>
  (body: Buffer, target: CallTarget): Result<ParsedImageCall, RelayError> => {
    const formType = task === 'generate' ? undefined : formTypeOf(target);
    return formType === undefined ? parseJson(task, body, target) : parseForm(task, body, formType);
  };

function parseJson(task: ImageTask, body: Buffer, target: CallTarget): Result<ParsedImageCall, RelayError> {
  const head = readCallHead(body, target.pathModel);
  if (!head.ok) return head;
  const { document, model, stream } = head.value;
  const count = readInteger(document, { name: 'n', min: 1, max: MAX_IMAGES });
  if (!count.ok) return count;
  const partialImages = readInteger(document, { name: 'partial_images', min: 0, max: MAX_PARTIAL_IMAGES });
  if (!partialImages.ok) return partialImages;
  const settings: Partial<Record<'size' | 'quality' | 'prompt', string>> = {};
  for (const name of ['size', 'quality', 'prompt'] as const) {
    const value = readSmall(document, name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return invalidRequest(`Invalid '${name}': expected a string.`, name);
    settings[name] = value;
  }
  const shape = shapeOfImages({
    task,
    model,
    prompt: settings.prompt,
    count: count.value,
    size: settings.size,
    quality: settings.quality,
    stream,
    partialImages: partialImages.value,
    inputs: countInputs(document),
    isCloseToInput: readSmall(document, 'input_fidelity') === 'high',
    promptTokens: estimateFields(document, { inputs: ['prompt'] }),
    extendsPrompt:
      readSmall(document, 'prompt_extend') === true || parametersOf(document)['prompt_extend'] === true,
  });
  return shape.ok ? ok(new ParsedImageCall(shape.value, document, task, undefined)) : shape;
}

function parseForm(task: ImageTask, body: Buffer, type: string): Result<ParsedImageCall, RelayError> {
  const read = FormFields.read(body, type, LIST_FIELDS, DECISIVE_FIELDS);
  if (!read.ok) return read;
  const fields = read.value;
  const model = fields.model(task === 'vary' ? 'dall-e-2' : undefined);
  if (!model.ok) return model;
  const count = fields.integer('n', 1, MAX_IMAGES);
  if (!count.ok) return count;
  const partialImages = fields.integer('partial_images', 0, MAX_PARTIAL_IMAGES);
  if (!partialImages.ok) return partialImages;
  const stream = fields.flag('stream');
  if (!stream.ok) return stream;
  const prompt = fields.text('prompt');
  const asked: ImageSettings = {
    task,
    model: model.value,
    prompt,
    count: count.value,
    size: fields.text('size'),
    quality: fields.text('quality'),
    stream: stream.value,
    partialImages: partialImages.value,
    inputs: fields.files('image').length + fields.files('images').length,
    isCloseToInput: fields.text('input_fidelity') === 'high',
    promptTokens: prompt === undefined ? 0 : estimateText(prompt),
    extendsPrompt: false,
  };
  const shape = shapeOfImages(asked);
  return shape.ok ? ok(new ParsedImageCall(shape.value, fields.document, task, fields)) : shape;
}

class ParsedImageCall extends JsonCall<'image'> {
  constructor(
    shape: CallShape,
    document: ScannedObject,
    readonly task: ImageTask,
    /** The body, where it is a form. */
    readonly fields: FormFields | undefined,
  ) {
    super(shape, document, (body) =>
      fields === undefined ? readImageRequest(body, shape, task) : ok(readImageForm(fields, shape, task)),
    );
  }

  get contentType(): string | undefined {
    return this.fields?.contentType;
  }

  protected override body(): unknown {
    return this.fields === undefined ? super.body() : undefined;
  }
}

/** Ali's own settings. */
function parametersOf(document: ScannedObject): Document {
  try {
    return documentOf(readField(document, 'parameters'));
  } catch {
    // The scan lets numbers pass that JSON does not know; the vendor will say so.
    return {};
  }
}

const cursor = new JsonCursor();

/** Pictures in a JSON body: `images` (a list of objects) or `image` (a text or a list). */
function countInputs(document: ScannedObject): number {
  let count = 0;
  for (const name of ['images', 'image']) {
    const span = document.members.get(name);
    if (span === undefined || document.bytes[span.start] === 0x6e) continue;
    cursor.reset(document.bytes, span.start, span.end);
    if (!cursor.enterArray()) {
      count += 1;
      continue;
    }
    while (cursor.nextElement()) {
      count += 1;
      if (!cursor.skipValue()) break;
    }
  }
  return count;
}
