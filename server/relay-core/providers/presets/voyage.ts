import type { Preset } from './preset.js';

/** https://docs.voyageai.com/reference */
export const voyage: Preset = {
  id: 'voyage',
  name: 'Voyage AI',
  mark: 'Vo',
  type: 1,
  baseUrl: 'https://api.voyageai.com',
  addressExample: '',
  paths: {},
  keyExample: 'pa-…',
  keyPrefix: 'pa-',
  models: [
    'voyage-3.5',
    'voyage-3.5-lite',
    'voyage-3-large',
    'voyage-code-3',
    'rerank-2.5',
    'rerank-2.5-lite',
  ],
  description: {
    en: 'Embeddings and rankings for retrieval; no chat.',
    zh: '用于检索的向量与重排序；不提供对话。',
  },
  source: {
    page: 'https://docs.voyageai.com/reference',
    notRead: 'rests on the OpenAPI document and the clients that repeat it',
  },
  itemBounds: {
    embed: [{ most: 1_000, source: 'not read; the figure of its reference, clients send 128 to 1,024' }],
    rerank: [
      { most: 1_000, source: 'https://docs.rs/rig-core, which repeats the reference (read 2026-11-29)' },
    ],
  },
};
