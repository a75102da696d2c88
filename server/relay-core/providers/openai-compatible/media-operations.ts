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

/** Paths at which a compatible vendor serves images, audio and moderation; a missing path is not supported. */
export interface MediaPaths {
  readonly generate?: string;
  readonly edit?: string;
  readonly vary?: string;
  readonly speak?: string;
  readonly transcribe?: string;
  readonly translate?: string;
  readonly moderate?: string;
  /** Edits its image requests, which are then translated by the neutral model. Absent = as OpenAI's. */
  readonly changeImages?: (request: ImageRequest) => ImageRequest;
  /** Edits are image generations with source images in JSON; `changeImages` writes them. */
  readonly editsInJson?: true;
}

export const AZURE_MEDIA: MediaPaths = {
  generate: '/v1/images/generations',
  edit: '/v1/images/edits',
  speak: '/v1/audio/speech',
  transcribe: '/v1/audio/transcriptions',
  translate: '/v1/audio/translations',
};
export const XINFERENCE_MEDIA: MediaPaths = { ...AZURE_MEDIA, vary: '/v1/images/variations' };
export const OPENAI_MEDIA: MediaPaths = { ...XINFERENCE_MEDIA, moderate: '/v1/moderations' };

/** Builds one operation of a compatible vendor at a path. */
export type BuildOperation = <O extends Operation>(
  path: string,
  apiFormat: UpstreamFormat<O>,
) => ProviderOperation<O>;

/** The operations of a provider's images, audio and moderation. */
export function mediaOperations(
  paths: MediaPaths | undefined,
  build: BuildOperation,
): Provider['operations'] {
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

/** Each task of an operation has its own address; a call without one means the first. */
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

/** Members under this format's names; the request's own members under those names are left out. */
export function withImageFields(request: ImageRequest, members: OwnFields): ImageRequest {
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

export const pictureAddress = (source: MediaSource): string =>
  source.kind === 'url'
    ? source.url
    : source.kind === 'base64'
      ? `data:${source.mediaType ?? 'image/png'};base64,${source.base64}`
      : source.fileId;
