import type { Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { messagesOperation, type MessagesEndpoint } from '../anthropic/operations.js';
import type { ProviderOperation } from '../provider.js';
import { readBase, withoutOwnPath } from '../shared/base-address.js';
import type { CompatibleId } from '../shared/default-models.js';
import { fullAddress, joinAddress } from '../shared/upstream-address.js';

/** The Messages endpoint a vendor of OpenAI's family keeps for Anthropic's clients. */
interface VendorMessages {
  /** Behind the vendor's own base address, whatever version or prefix that was typed with. */
  readonly path?: string;
  /** Words of the base address field → the Messages base they stand for. */
  readonly namedBases?: Readonly<Record<string, string>>;
  readonly key?: MessagesEndpoint['key'];
  readonly counts?: true;
}

const VENDORS: { readonly [Id in CompatibleId]?: VendorMessages } = {
  deepseek: { path: '/anthropic/v1/messages' },
  moonshot: {
    path: '/anthropic/v1/messages',
    namedBases: { 'kimi-coding-plan': 'https://api.kimi.com/coding' },
  },
  'zhipu-v4': {
    path: '/api/anthropic/v1/messages',
    namedBases: {
      'glm-coding-plan': 'https://open.bigmodel.cn/api/anthropic',
      'glm-coding-plan-international': 'https://api.z.ai/api/anthropic',
    },
  },
  minimax: { path: '/anthropic/v1/messages' },
  xai: { path: '/v1/messages' },
  // Ark has it in its coding plan only.
  volcengine: {
    namedBases: { 'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding' },
  },
  'new-api': { path: '/v1/messages', key: 'both', counts: true },
};

/** What operators type behind a vendor's host for its OpenAI-like endpoints. */
const OPENAI_TAIL = /(?:\/api(?:\/coding)?\/paas)?\/(?:v\d+[a-z0-9]*|beta)$/i;
const MESSAGES_BASE = /(?<!\/)\/anthropic$/;

/** Operations over Messages endpoints: none, or one that callers of that format pass through. */
export function messagesOperations(
  vendorId: CompatibleId,
  defaultBaseUrl: string,
): readonly ProviderOperation<'chat'>[] {
  if (vendorId === 'custom') return [customOperation];
  const vendor = VENDORS[vendorId];
  if (vendor === undefined) return [];
  return [
    messagesOperation({
      address: (route) => addressOf(vendor, route, defaultBaseUrl),
      key: vendor.key ?? 'bearer',
      isClaude: false,
      counts: vendor.counts === true,
      serves: ({ route }) => vendor.path !== undefined || vendor.namedBases?.[route.baseUrl] !== undefined,
    }),
  ];
}

function addressOf(
  { path = '/v1/messages', namedBases }: VendorMessages,
  { baseUrl }: Route,
  defaultBaseUrl: string,
): Result<string, RelayError> {
  const named = namedBases?.[baseUrl];
  if (named !== undefined) return joinAddress(named, '/v1/messages');
  const { root } = readBase(baseUrl === '' ? defaultBaseUrl : baseUrl);
  const base = withoutOwnPath(root, OPENAI_TAIL);
  return joinAddress(base, MESSAGES_BASE.test(base) ? '/v1/messages' : path);
}

/** The base of a vendor's OpenAI-like endpoints, where the one of its Messages endpoint was typed. */
export function withoutMessagesBase(vendorId: CompatibleId, baseUrl: string): string {
  const own = VENDORS[vendorId]?.path?.replace(/\/v1\/messages$/, '');
  if (own === undefined || own === '') return baseUrl;
  const { root } = readBase(baseUrl);
  const base = withoutOwnPath(root, /\/v1$/);
  return base.endsWith(own) && base.at(-1 - own.length) !== '/' ? base.slice(0, -own.length) : baseUrl;
}

/** A custom address that ends where Messages live speaks Messages, to all callers. */
const isMessagesAddress = ({ baseUrl }: Pick<Route, 'baseUrl'>): boolean =>
  (baseUrl.split(/[?#]/)[0] ?? '').replace(/\/+$/, '').endsWith('/messages');

const customOperation = messagesOperation({
  address: ({ baseUrl, upstreamModel }) => fullAddress(baseUrl, upstreamModel),
  key: 'both',
  isClaude: false,
  counts: false,
  serves: ({ route }) => isMessagesAddress(route),
});
