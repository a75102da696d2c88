import { rerank } from '../../../formats/rerank/index.js';
import { names } from '../../shared/model-names.js';
import { withFields } from '../chat-edits.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import type { SuffixRule } from '../model-suffixes.js';

const beforeBar = (credential: string): string => credential.split('|')[0] ?? credential;

const SEARCH = {
  web_search: { enable: true, enable_citation: true, enable_trace: true, enable_status: false },
};

/** `ernie-…-search`. */
const baiduSuffix: SuffixRule = (model) => {
  const name = /^(.+)-search$/.exec(model)?.[1];
  return name === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withFields(request, SEARCH) };
};

/** Baidu Qianfan, second interface: the ERNIE models. */
export const baiduV2: CompatibleProfile = {
  id: 'baidu-v2',
  channelTypes: [{ code: 46, name: 'Baidu v2', form: { keyExample: 'bce-v3/…' } }],
  defaultBaseUrl: 'https://qianfan.baidubce.com',
  paths: { chat: '/v2/chat/completions', embed: '/v2/embeddings', models: '/v2/models' },
  keyPart: beforeBar,
  extraHeaders: ({ credential }) => {
    const application = credential.split('|')[1];
    return application === undefined || application === '' ? undefined : { appid: application };
  },
  defaultModels: names(`
    ernie-4.0-8k ernie-4.0-8k-latest ernie-4.0-turbo-8k ernie-4.0-turbo-128k ernie-3.5-8k
    ernie-3.5-128k ernie-speed-8k ernie-speed-128k ernie-speed-pro-128k ernie-lite-8k
    ernie-lite-pro-128k ernie-tiny-8k ernie-char-8k ernie-novel-8k deepseek-v3 deepseek-r1
  `),
  itemBounds: { embed: [{ most: 16, source: 'not read; the figure that LangChain sends at most' }] },
  chat: { history: 'open-round', plainJson: true, suffix: baiduSuffix },
  media: { generate: '/v2/images/generations', edit: '/v2/images/edits' },
  rank: { path: '/v2/rerank', apiFormat: rerank },
};
