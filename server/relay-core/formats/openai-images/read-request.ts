import { z } from 'zod';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageRequest } from '../../model/image.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import type { FormFields } from '../shared/requests/form-call.js';
import { readMediaAddress } from '../shared/fields/media-address.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { IMAGES_FORMAT, type ImageTask } from './id.js';

const picture = z.union([
  z.string().min(1),
  z.looseObject({
    image_url: z.string().nullish(),
    url: z.string().nullish(),
    file_id: z.string().nullish(),
  }),
]);
const word = z.string().nullish();

/** Body of a picture request, strict about what we read and silent about the rest. */
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
