import { getOrRemember } from '../../../common/get-or-add.js';
import { fail, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import type { RequestEdits, UpstreamFormat } from '../../formats/contract/api-format.js';
import { readBase, withoutOwnPath } from '../shared/base-address.js';
import { type CompatibleId, DEFAULT_MODELS } from '../shared/default-models.js';
import { chatOperations } from './chat-operations.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import { type CompatibleProfile, OPENAI_COMPATIBLE_PROFILES } from './profiles.js';
import { namedFormats, OPENAI_TAIL } from './named-formats.js';
import { type BuildOperation, mediaOperations } from './media-operations.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { cloudflareOperations } from '../cloudflare/operations.js';
import { reasoningModelEdits } from './reasoning-models.js';
import { fullAddress, joinAddress } from '../shared/upstream-address.js';
import { secretsOf } from '../shared/channel-secrets.js';
import { rerank, siliconflowRerank, xinferenceRerank } from '../../formats/rerank/index.js';
import { type MessagesEndpoint, messagesOperation } from '../anthropic/operations.js';

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

const MESSAGES_BASE = /(?<!\/)\/anthropic$/;

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

const PLAIN: RankPath = { path: '/v1/rerank', apiFormat: rerank };

/** Where a look-alike ranks documents, by provider id. */
const RANKS: { readonly [Id in CompatibleId]?: RankPath } = {
  openai: PLAIN,
  'new-api': PLAIN,
  moonshot: PLAIN,
  siliconflow: { path: '/v1/rerank', apiFormat: siliconflowRerank },
  xinference: { path: '/v1/rerank', apiFormat: xinferenceRerank },
  volcengine: { path: '/api/v3/rerank', apiFormat: rerank },
  'baidu-v2': { path: '/v2/rerank', apiFormat: rerank },
};

/** Joined addresses of the channels in use; forgotten all at once when too many were edited. */
const MAX_REFIELDED = 2_000;

const NO_REFUSED_FIELDS: readonly string[] = [];

/** What a look-alike refuses always, and what its models do by their names. */
function editsOf(
  { hasReasoningModels, refusedMembers = NO_REFUSED_FIELDS }: CompatibleProfile,
  model: string,
): Pick<RequestEdits, 'usesCompletionCap' | 'refusedMembers'> {
  if (hasReasoningModels !== true) return { usesCompletionCap: false, refusedMembers };
  const edits = reasoningModelEdits(model);
  if (refusedMembers.length === 0) return edits;
  return { ...edits, refusedMembers: [...new Set([...edits.refusedMembers, ...refusedMembers])] };
}

/** Builds the provider a profile row describes. */
function compatibleProvider(profile: CompatibleProfile): Provider {
  const addresses = new Map<string, Result<string, RelayError>>();

  function baseOf({ baseUrl }: Route): string {
    if (baseUrl === '') return profile.defaultBaseUrl;
    const named = profile.namedBases?.[baseUrl];
    if (named !== undefined || profile.baseIsFullAddress === true) return named ?? baseUrl;
    const base = withoutMessagesBase(profile.id, baseUrl);
    return profile.ownPath === undefined ? base : withoutOwnPath(base, profile.ownPath);
  }

  function addressOf(path: string, route: Route): Result<string, RelayError> {
    const base = baseOf(route);
    if (profile.baseIsFullAddress === true)
      return base === '' ? noBase() : fullAddress(base, route.upstreamModel);
    const key = `${base}\n${path}`;
    return getOrRemember(addresses, MAX_REFIELDED, key, () =>
      base === '' ? noBase() : joinAddress(base, path),
    );
  }

  function operation<O extends Operation>(path: string, apiFormat: UpstreamFormat<O>): ProviderOperation<O> {
    return {
      apiFormat,
      address: ({ route }) => addressOf(profile.pathFor?.(path, route) ?? path, route),
      headers: ({ route, shape }) => headersOf(profile, route, shape.stream),
      edits: ({ route }) => ({
        dropStreamOptions: profile.refusesStreamOptions === true,
        ...editsOf(profile, route.upstreamModel),
      }),
      readError: (reply, route) => readFailedReply(reply, secretsOf(route)),
      readErrorDocument: (document, route) => readErrorInside(document, secretsOf(route)),
    };
  }

  const { chat, embed, models } = profile.paths;
  return {
    id: profile.id,
    typeCodes: profile.typeCodes,
    defaultBaseUrl: profile.defaultBaseUrl,
    defaultModels: DEFAULT_MODELS[profile.id],
    operations: {
      ...(chat === undefined
        ? {}
        : {
            chat: [
              ...namedFormats(profile.id, profile.defaultBaseUrl, operation),
              ...chatOperations(
                { id: profile.id, chatPath: chat, hasOpenaiModels: profile.hasReasoningModels === true },
                operation,
              ),
              ...messagesOperations(profile.id, profile.defaultBaseUrl),
            ],
          }),
      ...(embed === undefined ? {} : { embed: [operation<'embed'>(embed, openaiEmbeddings)] }),
      ...mediaOperations(profile.id, operation),
      ...rankOperations(profile.id, operation),
      ...cloudflareOperations(profile.id, operation),
    },
    modelListHeaders: (route) => {
      const { 'content-type': _body, ...headers } = headersOf(profile, route, false);
      return headers;
    },
    ...(profile.readModelList === undefined ? {} : { readModelList: profile.readModelList }),
    modelListAddress: (route) => {
      if (models === undefined) return undefined;
      const base = baseOf(route);
      return base === '' ? noBase() : joinAddress(base, profile.pathFor?.(models, route) ?? models);
    },
  };
}

function headersOf(
  profile: CompatibleProfile,
  route: Route,
  stream: boolean,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'user-agent': 'tollgate',
  };
  if (route.credential !== '')
    headers['authorization'] = `Bearer ${profile.keyPart?.(route.credential) ?? route.credential}`;
  if (route.organization !== '' && profile.sendsOrganization === true) {
    headers['openai-organization'] = route.organization;
  }
  const extra = profile.extraHeaders?.(route);
  return extra === undefined ? headers : Object.assign(headers, extra);
}

function noBase(): Result<string, RelayError> {
  return fail(refusal('base-missing'));
}

export const OPENAI_COMPATIBLE: readonly Provider[] = OPENAI_COMPATIBLE_PROFILES.map(compatibleProvider);

interface RankPath {
  readonly path: string;
  readonly apiFormat: UpstreamFormat<'rerank'>;
}

/** The way a look-alike ranks documents, where it does. */
export function rankOperations(providerId: CompatibleId, build: BuildOperation): Provider['operations'] {
  const rank = RANKS[providerId];
  return rank === undefined ? {} : { rerank: [build<'rerank'>(rank.path, rank.apiFormat)] };
}

/** The Messages endpoint a vendor of OpenAI's family keeps for Anthropic's clients. */
interface VendorMessages {
  /** Behind the vendor's own base address, whatever version or prefix that was typed with. */
  readonly path?: string;
  /** Words of the base address field → the Messages base they stand for. */
  readonly namedBases?: Readonly<Record<string, string>>;
  readonly key?: MessagesEndpoint['key'];
  readonly counts?: true;
}

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
