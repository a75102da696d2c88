import type { MediaSource } from '../../model/content.js';
import type { ImageRequest } from '../../model/image.js';
import type { Operation } from '../../model/operation.js';
import { IMAGES_FORMAT } from '../../formats/openai-images/id.js';
import { openaiImageEdits, openaiImages, openaiImageVariations } from '../../formats/openai-images/index.js';
import { openaiModeration } from '../../formats/openai-moderation/index.js';
import { openaiSpeech } from '../../formats/openai-speech/index.js';
import { openaiTranscription, openaiTranslation } from '../../formats/openai-transcription/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import type { Provider, ProviderOperation } from '../provider.js';
import type { CompatibleId } from '../shared/default-models.js';

/** Where a look-alike serves pictures, sound and moderation; a missing path is not supported. */
export interface MediaPaths {
  readonly generate?: string;
  readonly edit?: string;
  readonly vary?: string;
  readonly speak?: string;
  readonly transcribe?: string;
  readonly translate?: string;
  readonly moderate?: string;
  /** How its picture requests differ from OpenAI's; its presence makes them go by way of the neutral model. */
  readonly changeImages?: (request: ImageRequest) => ImageRequest;
  /** Edits are picture generations with pictures, told in JSON; `changeImages` says how. */
  readonly editsInJson?: true;
}

const AZURE_MEDIA: MediaPaths = {
  generate: '/v1/images/generations',
  edit: '/v1/images/edits',
  speak: '/v1/audio/speech',
  transcribe: '/v1/audio/transcriptions',
  translate: '/v1/audio/translations',
};
const XINFERENCE_MEDIA: MediaPaths = { ...AZURE_MEDIA, vary: '/v1/images/variations' };
const OPENAI_MEDIA: MediaPaths = { ...XINFERENCE_MEDIA, moderate: '/v1/moderations' };

/** By provider id. */
const MEDIA: { readonly [Id in CompatibleId]?: MediaPaths } = {
  openai: OPENAI_MEDIA,
  azure: AZURE_MEDIA,
  'openai-max': OPENAI_MEDIA,
  'oh-my-gpt': OPENAI_MEDIA,
  custom: OPENAI_MEDIA,
  ails: OPENAI_MEDIA,
  'ai-proxy': OPENAI_MEDIA,
  api2gpt: OPENAI_MEDIA,
  aigc2d: OPENAI_MEDIA,
  'new-api': OPENAI_MEDIA,
  xinference: XINFERENCE_MEDIA,
  siliconflow: {
    generate: '/v1/images/generations',
    edit: '/v1/images/generations',
    editsInJson: true,
    speak: '/v1/audio/speech',
    transcribe: '/v1/audio/transcriptions',
    changeImages: siliconFlowImages,
  },
  'zhipu-v4': {
    generate: '/api/paas/v4/images/generations',
    speak: '/api/paas/v4/audio/speech',
    transcribe: '/api/paas/v4/audio/transcriptions',
  },
  volcengine: {
    generate: '/api/v3/images/generations',
    edit: '/api/v3/images/generations',
    editsInJson: true,
    changeImages: volcengineImages,
  },
  xai: {
    generate: '/v1/images/generations',
    edit: '/v1/images/edits',
    editsInJson: true,
    changeImages: xaiImages,
  },
  mistral: {
    speak: '/v1/audio/speech',
    transcribe: '/v1/audio/transcriptions',
    moderate: '/v1/moderations',
  },
  'baidu-v2': { generate: '/v2/images/generations', edit: '/v2/images/edits' },
};

/** Builds one operation of a look-alike at a path. */
export type BuildOperation = <O extends Operation>(
  path: string,
  apiFormat: UpstreamFormat<O>,
) => ProviderOperation<O>;

/** The operations of a provider's pictures, sound and moderation. */
export function mediaOperations(providerId: CompatibleId, build: BuildOperation): Provider['operations'] {
  const paths = MEDIA[providerId];
  return paths === undefined ? {} : operationsAt(paths, build);
}

function operationsAt(paths: MediaPaths, build: BuildOperation): Provider['operations'] {
  const picture = (task: ImageRequest['task'], apiFormat: UpstreamFormat<'image'>) =>
    at(paths[task], (path) => imageOperation(task, build<'image'>(path, apiFormat), paths));
  const image = [
    ...picture('generate', openaiImages),
    ...picture('edit', paths.editsInJson ? openaiImages : openaiImageEdits),
    ...picture('vary', openaiImageVariations),
  ];
  const sound = (task: 'transcribe' | 'translate', apiFormat: UpstreamFormat<'transcribe'>) =>
    at(paths[task], (path) => onlyFor(task, build<'transcribe'>(path, apiFormat)));
  const transcribe = [...sound('transcribe', openaiTranscription), ...sound('translate', openaiTranslation)];
  const { speak, moderate } = paths;
  return {
    ...(image.length === 0 ? {} : { image }),
    ...(speak === undefined ? {} : { speak: [build<'speak'>(speak, openaiSpeech)] }),
    ...(transcribe.length === 0 ? {} : { transcribe }),
    ...(moderate === undefined ? {} : { moderate: [build<'moderate'>(moderate, openaiModeration)] }),
  };
}

const at = <T>(path: string | undefined, make: (path: string) => T): readonly T[] =>
  path === undefined ? [] : [make(path)];

function imageOperation(
  task: ImageRequest['task'],
  operation: ProviderOperation<'image'>,
  { changeImages }: MediaPaths,
): ProviderOperation<'image'> {
  const limited = onlyFor(task, operation);
  if (changeImages === undefined) return limited;
  return { ...limited, adapt: ({ route }) => ({ upstreamModel: route.upstreamModel, change: changeImages }) };
}

/** An operation's task is asked for at its own address; a call that names none asks for the first. */
function onlyFor<O extends Operation>(
  task: ImageRequest['task'] | 'transcribe' | 'translate',
  operation: ProviderOperation<O>,
): ProviderOperation<O> {
  return {
    ...operation,
    serves: (call) =>
      (call.shape.task ?? (task === 'transcribe' ? 'transcribe' : 'generate')) === task &&
      operation.serves?.(call) !== false,
  };
}

// ── what differs ───────────────────────────────────────────────────────────────────────────────────────────────────

type OwnFields = Readonly<Record<string, unknown>>;

/** Members in this format's own words; what the request says itself under those names is left out. */
function withFields(request: ImageRequest, members: OwnFields): ImageRequest {
  const { mask: _mask, ...rest } = request;
  return {
    ...rest,
    task: 'generate',
    images: [],
    vendorOptions: {
      ...request.vendorOptions,
      [IMAGES_FORMAT]: { ...request.vendorOptions?.[IMAGES_FORMAT], ...members },
    },
  };
}

const addressOf = (source: MediaSource): string =>
  source.kind === 'url'
    ? source.url
    : source.kind === 'base64'
      ? `data:${source.mediaType ?? 'image/png'};base64,${source.base64}`
      : source.fileId;

/** `size` is `image_size`, `n` is `batch_size`, pictures are `image`, `image2`, `image3`. */
function siliconFlowImages(request: ImageRequest): ImageRequest {
  const { size, ...rest } = request;
  const members: Record<string, unknown> = {};
  if (size !== undefined) members['image_size'] = size;
  if (request.count > 1) members['batch_size'] = request.count;
  for (const [index, source] of request.images.entries())
    members[index === 0 ? 'image' : `image${index + 1}`] = addressOf(source);
  return withFields({ ...rest, count: 1 }, members);
}

/** `image` is an address or a list of them; several pictures are a wish of its own. */
function volcengineImages(request: ImageRequest): ImageRequest {
  const sources = request.images.map(addressOf);
  const members: Record<string, unknown> = {};
  if (sources.length > 0) members['image'] = sources.length === 1 ? sources[0] : sources;
  if (request.count > 1) {
    members['sequential_image_generation'] = 'auto';
    members['sequential_image_generation_options'] = { max_images: request.count };
  }
  return withFields({ ...request, count: 1 }, members);
}

/** Size and quality are refused; a picture is an object with its address. */
function xaiImages(request: ImageRequest): ImageRequest {
  const { size: _size, quality: _quality, style: _style, ...rest } = request;
  const first = request.images[0];
  return withFields(rest, first === undefined ? {} : { image: { url: addressOf(first) } });
}
