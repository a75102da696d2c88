import { jinaEmbed } from './embed.js';
import { rerank } from '../../formats/rerank/index.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import type { Provider } from '../provider.js';

const VENDOR: NativeVendor = { defaultBaseUrl: 'https://api.jina.ai' };

/** Jina: https://api.jina.ai/redoc (read 2026-11-21). */
export const jina: Provider = {
  id: 'jina',
  channelTypes: [{ code: 38, name: 'Jina', form: { keyExample: 'jina_…' } }],
  operations: {
    embed: [nativeOperation(VENDOR, jinaEmbed, '/v1/embeddings')],
    rerank: [nativeOperation(VENDOR, rerank, '/v1/rerank')],
  },
  itemBounds: {
    embed: [{ most: 2_048, source: 'not read; the bound of the API that its own has the form of' }],
  },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [
    'jina-embeddings-v3',
    'jina-embeddings-v4',
    'jina-clip-v2',
    'jina-clip-v1',
    'jina-reranker-v2-base-multilingual',
    'jina-reranker-m0',
  ],
  probeAs: (model) => (model.startsWith('jina-') ? 'embed' : undefined),
  modelListAddress: (route) => nativeAddress(VENDOR, route.baseUrl, '/v1/models'),
  modelListHeaders: (route) => bearerHeaders(route.credential, 'application/json'),
};
