import { cohereChat } from './chat/index.js';
import { cohereEmbed } from './embed.js';
import { cohereRerank } from '../../formats/rerank/index.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://api.cohere.ai',
  // Paths name their version themselves; a version typed with the address is not theirs.
  ownPath: /(?:\/compatibility)?\/v[12](?:\/(?:chat|chat\/completions|embed|embeddings|rerank|models))?$/,
};

/** Cohere, version 2: https://docs.cohere.com/reference (read 2026-11-21). */
export const cohere: Provider = {
  id: 'cohere',
  channelTypes: [{ code: 34, name: 'Cohere', form: { keyExample: 'API key' } }],
  operations: {
    chat: [nativeOperation(VENDOR, cohereChat, '/v2/chat', { describe: () => CONSERVATIVE })],
    embed: [nativeOperation(VENDOR, cohereEmbed, '/v2/embed')],
    rerank: [nativeOperation(VENDOR, cohereRerank, '/v2/rerank')],
  },
  itemBounds: {
    embed: [{ most: 96, source: 'https://docs.cohere.com/reference/embed (read 2026-11-21)' }],
    rerank: [
      { most: 10_000, source: 'https://docs.cohere.com/docs/reranking-best-practices (read 2026-11-29)' },
    ],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [
    'command-a-03-2025',
    'command-a-reasoning-08-2025',
    'command-a-vision-07-2025',
    'command-r7b-12-2024',
    'command-r-08-2024',
    'command-r-plus-08-2024',
    'embed-v4.0',
    'rerank-v3.5',
    'rerank-english-v3.0',
    'rerank-multilingual-v3.0',
  ],
  modelListAddress: (route) => nativeAddress(VENDOR, route.baseUrl, '/v1/models?page_size=1000'),
  modelListHeaders: (route) => bearerHeaders(route.credential, 'application/json'),
};
