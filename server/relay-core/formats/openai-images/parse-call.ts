import { z } from 'zod';
import { ok, type Result } from '../../../common/result.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import type { MultipartForm } from '../../framing/multipart.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields, estimateText } from '../shared/requests/estimate-prompt.js';
import { FormFields, formTypeOf } from '../shared/requests/form-call.js';
import { type Document, documentOf } from '../shared/fields/json-fields.js';
import { invalidRequest, readCallHead, readInteger, readSmall } from '../shared/fields/request-fields.js';
import type { CallTarget } from '../contract/api-format.js';
import { IMAGES_FORMAT, type ImageTask } from './id.js';
import { type ImageSettings, MAX_IMAGES, shapeOfImages } from './rules.js';
import { JsonCall } from '../shared/requests/json-call.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageRequest } from '../../model/image.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { invalidBody } from '../shared/fields/schema-fault.js';

const picture = z.union([
  z.string().min(1),
  z.looseObject({
    image_url: z.string().nullish(),
    url: z.string().nullish(),
    file_id: z.string().nullish(),
  }),
]);
const word = z.string().nullish();

/** Body of an image request, strict about the members we read and silent about the rest. */
const imageRequestSchema = z.looseObject({
  prompt: word,
  images: z.array(picture).nullish(),
  image: z.union([picture, z.array(picture)]).nullish(),
  mask: picture.nullish(),
  size: word,
  quality: word,
  style: word,
  background: word,
  response_format: word,
  output_format: word,
  user: word,
});

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'images',
  'image',
  'mask',
  'n',
  'size',
  'quality',
  'style',
  'background',
  'response_format',
  'output_format',
  'user',
  'stream',
  'partial_images',
]);

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

/** An image call of one of the three addresses; JSON, or a form with files. Fails: invalid-request. */
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

  get form(): MultipartForm | undefined {
    return this.fields?.form;
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
    // The scan lets numbers pass that JSON does not know; the vendor will refuse them.
    return {};
  }
}

const cursor = new JsonCursor();

/** Images in a JSON body: `images` (a list of objects) or `image` (a text or a list). */
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

/** JSON body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readImageRequest(
  body: unknown,
  shape: CallShape,
  task: ImageTask,
): Result<ImageRequest, RelayError> {
  const parsed = imageRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { data } = parsed;
  const given = [...(data.images ?? []), ...(data.image == null ? [] : [data.image].flat())];
  const mask = data.mask == null ? undefined : sourceOf(data.mask);
  const rest = keepUnknown(IMAGES_FORMAT, data, KNOWN_FIELDS);
  return ok({
    ...neutralOf({ ...data, prompt: data.prompt ?? '' }, shape, task),
    images: given.map(sourceOf).filter((source) => source !== undefined),
    ...(mask === undefined ? {} : { mask }),
    ...(rest === undefined ? {} : { vendorOptions: rest }),
  });
}

/** A form → neutral request. */
export function readImageForm(fields: FormFields, shape: CallShape, task: ImageTask): ImageRequest {
  const mask = fields.files('mask')[0];
  const rest = fields.rest(KNOWN_FIELDS);
  const words: Record<string, string | undefined> = {};
  for (const name of ['prompt', 'size', 'quality', 'style', 'background'] as const)
    words[name] = fields.text(name);
  for (const name of ['response_format', 'output_format', 'user'] as const) words[name] = fields.text(name);
  return {
    ...neutralOf({ ...words, prompt: words['prompt'] ?? '' }, shape, task),
    images: [...fields.files('image'), ...fields.files('images')].map((part) => fields.sourceOf(part)),
    ...(mask === undefined ? {} : { mask: fields.sourceOf(mask) }),
    ...(rest === undefined ? {} : { vendorOptions: { [IMAGES_FORMAT]: rest } }),
  };
}

type Words = Readonly<Record<string, unknown>> & { readonly prompt: string };

function neutralOf(words: Words, shape: CallShape, task: ImageTask): Omit<ImageRequest, 'images'> {
  const delivery = words['response_format'];
  const text = (name: string) => {
    const value = words[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const settings = {
    size: text('size'),
    quality: text('quality'),
    style: text('style'),
    background: text('background'),
    outputFormat: text('output_format'),
    user: text('user'),
  };
  return {
    model: shape.model,
    task,
    prompt: words.prompt,
    count: shape.choices,
    ...(Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined),
    ) as Partial<ImageRequest>),
    ...(delivery === 'b64_json' ? { delivery: 'base64' as const } : {}),
    ...(delivery === 'url' ? { delivery: 'url' as const } : {}),
  };
}

function sourceOf(given: z.infer<typeof picture>): MediaSource | undefined {
  if (typeof given !== 'string') {
    const address = given.image_url ?? given.url;
    if (address != null) return sourceOf(address);
    return given.file_id == null ? undefined : { kind: 'vendor-file', fileId: given.file_id };
  }
  return readMediaAddress(given);
}
