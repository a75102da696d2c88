import { cloudflareImage, cloudflareTranscription } from './run/index.js';
import { documentOf, listOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { compatibleProvider } from '../openai-compatible/provider.js';
import { names } from '../shared/model-names.js';

const RUN = '/client/v4/accounts/{account}/ai/run/{model}';

/** Names like `@cf/openai/whisper` are part of the path as they are; any other is one escaped segment of it. */
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

/** Cloudflare Workers AI: OpenAI's grammar for texts, its own behind `ai/run` for sound and images. */
export const cloudflare = compatibleProvider({
  id: 'cloudflare',
  channelTypes: [
    {
      code: 39,
      name: 'Cloudflare',
      form: {
        keyExample: 'API token',
        other: 'account_id',
        otherExample: '0a1b2c…',
        needsOther: true,
        otherIsAddressPart: true,
      },
    },
  ],
  defaultBaseUrl: 'https://api.cloudflare.com',
  ownPath: /\/client\/v4(?:\/.*)?$/,
  paths: {
    chat: '/client/v4/accounts/{account}/ai/v1/chat/completions',
    embed: '/client/v4/accounts/{account}/ai/v1/embeddings',
    models: '/client/v4/accounts/{account}/ai/models/search?per_page=1000',
  },
  pathFor: runPath,
  readModelList: (document) =>
    listOf(documentOf(document)['result']).flatMap((item) => textOf(documentOf(item)['name']) ?? []),
  defaultModels: names(`
    @cf/meta/llama-3.1-8b-instruct @cf/meta/llama-3.3-70b-instruct-fp8-fast
    @cf/meta/llama-4-scout-17b-16e-instruct @cf/openai/gpt-oss-120b @cf/qwen/qwq-32b @cf/baai/bge-m3
  `),
  chat: {
    history: 'open-round',
    responsesPath: '/client/v4/accounts/{account}/ai/v1/responses',
  },
  ownOperations: (build) => ({
    transcribe: [build<'transcribe'>(RUN, cloudflareTranscription)],
    image: [build<'image'>(RUN, cloudflareImage)],
  }),
});
