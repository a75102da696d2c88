import type { Operation } from '../../model/operation.js';
import { cloudflareImage, cloudflareTranscription } from './run/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import type { Provider, ProviderOperation } from '../provider.js';
import type { CompatibleId } from '../shared/default-models.js';

const RUN = '/client/v4/accounts/{account}/ai/run/{model}';

/** Builds one operation of a look-alike at a path. */
type BuildOperation = <O extends Operation>(
  path: string,
  apiFormat: UpstreamFormat<O>,
) => ProviderOperation<O>;

/** What Cloudflare serves behind `ai/run` only. */
export function cloudflareOperations(
  providerId: CompatibleId,
  build: BuildOperation,
): Provider['operations'] {
  if (providerId !== 'cloudflare') return {};
  return {
    transcribe: [build<'transcribe'>(RUN, cloudflareTranscription)],
    image: [build<'image'>(RUN, cloudflareImage)],
  };
}

/** Names like `@cf/openai/whisper` are part of the path as they are; any other is one escaped piece of it. */
export const runPath = (
  path: string,
  route: { readonly upstreamModel: string; readonly other: string },
): string =>
  path
    .replace('{account}', encodeURIComponent(route.other))
    .replace('{model}', () =>
      /^@(?:cf|hf)(?:\/[\w-][\w.-]*)+$/.test(route.upstreamModel)
        ? route.upstreamModel
        : encodeURIComponent(route.upstreamModel),
    );
