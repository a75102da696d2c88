import type { Operation } from '../../model/operation.js';
import { baiduChat } from './chat/index.js';
import { baiduEmbed } from './embed.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { tokenKeyOf, withAccessToken } from './token.js';
import { codedFailures, codeOf, statusTable } from '../shared/coded-failures.js';
import {
  bearerHeaders,
  nativeAddress,
  nativeOperation,
  type NativeVendor,
} from '../shared/native-operations.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { Provider, ProviderCall, ProviderOperation } from '../provider.js';

const PREFIX = '/rpc/2.0/ai_custom/v1/wenxinworkshop';
const VENDOR: NativeVendor = {
  defaultBaseUrl: 'https://aip.baidubce.com',
  ownPath: /\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop(?:\/.*)?$/,
};

/** Last parts of addresses that are not the model's name in small letters. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['ERNIE-4.0', 'completions_pro'],
  ['ERNIE-4.0-8K', 'completions_pro'],
  ['ERNIE-Bot-4', 'completions_pro'],
  ['ERNIE-Bot', 'completions'],
  ['ERNIE-3.5-8K', 'completions'],
  ['ERNIE-Bot-turbo', 'eb-instant'],
  ['ERNIE-Lite-8K-0922', 'eb-instant'],
  ['ERNIE-Speed', 'ernie_speed'],
  ['ERNIE-Speed-8K', 'ernie_speed'],
  ['ERNIE-Bot-8K', 'ernie_bot_8k'],
  ['ERNIE-Lite-8K-0308', 'ernie-lite-8k'],
  ['BLOOMZ-7B', 'bloomz_7b1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
]);

const addressOf = (model: string): string => encodeURIComponent(ADDRESSES.get(model) ?? model.toLowerCase());

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh (read 2026-11-24). */
const STATUSES = statusTable([
  [400, '336001 336002 336003 336004 336005 336006 336007 336103 336200'],
  [403, '6 13 14 15'],
  [429, '4 17 18 19 336501 336502 336503'],
  // The token ended before its time, not the key: the call is sent once more with another one.
  [503, '110 111 336000 336100'],
]);
const TOKEN_CODES: ReadonlySet<string> = new Set(['110', '111']);

function operation<O extends Operation>(
  apiFormat: UpstreamFormat<O>,
  kind: 'chat' | 'embeddings',
): ProviderOperation<O> {
  const path = ({ route }: ProviderCall): string => `${PREFIX}/${kind}/${addressOf(route.upstreamModel)}`;
  return {
    ...nativeOperation(VENDOR, apiFormat, path),
    ...codedFailures({
      read: (document) => {
        const failure = documentOf(document);
        return { code: codeOf(failure['error_code']), message: textOf(failure['error_msg']) };
      },
      statusOf: (code) => STATUSES.get(code),
    }),
    headers: ({ shape }) => bearerHeaders('', shape.stream ? 'text/event-stream' : 'application/json'),
    sign: (request, { route }, signing) => {
      const exchange = nativeAddress(VENDOR, route.baseUrl, '/oauth/2.0/token');
      return exchange.ok ? withAccessToken(request, route, exchange.value, signing) : exchange;
    },
    staleToken: (error, route) =>
      error.blame === 'upstream' && TOKEN_CODES.has(error.vendorCode ?? '') ? tokenKeyOf(route) : undefined,
  };
}

/** ERNIE by its first interface, for accounts that have no newer key. */
export const baidu: Provider = {
  id: 'baidu',
  channelTypes: [
    { code: 15, name: 'Baidu', form: { keyFormat: 'two_parts', keyExample: 'API key|Secret key' } },
  ],
  operations: {
    chat: [{ ...operation(baiduChat, 'chat'), describe: () => CONSERVATIVE }],
    embed: [operation(baiduEmbed, 'embeddings')],
  },
  itemBounds: { embed: [{ most: 16, source: 'not read; the figure that LangChain sends at most' }] },
  defaultBaseUrl: VENDOR.defaultBaseUrl,
  defaultModels: [
    'ERNIE-4.0-8K',
    'ERNIE-3.5-8K',
    'ERNIE-3.5-8K-0205',
    'ERNIE-3.5-8K-1222',
    'ERNIE-3.5-4K-0205',
    'ERNIE-Bot-8K',
    'ERNIE-Speed-8K',
    'ERNIE-Speed-128K',
    'ERNIE-Lite-8K-0922',
    'ERNIE-Lite-8K-0308',
    'ERNIE-Tiny-8K',
    'BLOOMZ-7B',
    'Embedding-V1',
    'bge-large-zh',
    'bge-large-en',
    'tao-8k',
  ],
  modelListAddress: () => undefined,
  modelListHeaders: () => bearerHeaders('', 'application/json'),
};
