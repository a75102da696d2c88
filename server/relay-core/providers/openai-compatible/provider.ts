import { getOrRemember } from '../../../common/get-or-add.js';
import { fail, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Route } from '../../ports/channel-picker.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import type { RequestEdits, UpstreamFormat } from '../../formats/contract/api-format.js';
import { hostOf, readBase, withoutOwnPath } from '../shared/base-address.js';
import { chatOperations } from './chat-operations.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import { PLAIN } from './chat-profiles.js';
import type { CompatibleProfile, VendorMessages } from './compatible-profile.js';
import { OPENAI_COMPATIBLE_PROFILES } from './profiles.js';
import { namedFormats, OPENAI_TAIL } from './named-formats.js';
import { mediaOperations } from './media-operations.js';
import { presetOf } from '../presets/presets.js';
import { presetOperations } from '../presets/voyage-operations.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { reasoningModelEdits } from './reasoning-models.js';
import { byModel } from './undescribed.js';
import { fullAddress, joinAddress } from '../shared/upstream-address.js';
import { bearerRealtime } from '../shared/realtime-handshake.js';
import { CONSERVATIVE, MODELSCOPE } from '../shared/default-descriptions.js';
import { secretsOf } from '../shared/channel-secrets.js';
import { messagesOperation } from '../anthropic/operations.js';

const MESSAGES_BASE = /(?<!\/)\/anthropic$/;

/** A custom address that ends in the Messages path has the Messages API for all callers. */
const isMessagesAddress = ({ baseUrl }: Pick<Route, 'baseUrl'>): boolean =>
  (baseUrl.split(/[?#]/)[0] ?? '').replace(/\/+$/, '').endsWith('/messages');

const customOperation = messagesOperation({
  address: ({ baseUrl, upstreamModel }) => fullAddress(baseUrl, upstreamModel),
  key: 'both',
  isClaude: false,
  counts: false,
  serves: ({ route }) => isMessagesAddress(route),
  describe: ({ route }) => byModel(CONSERVATIVE, route.upstreamModel),
});

/** Joined addresses of the channels in use; forgotten all at once when too many were edited. */
const MAX_REFIELDED = 2_000;

const NO_REFUSED_FIELDS: readonly string[] = [];

/** Fields a compatible vendor always refuses, and edits by model name. */
function editsOf(
  { hasReasoningModels, refusedMembers = NO_REFUSED_FIELDS }: CompatibleProfile,
  model: string,
): Pick<RequestEdits, 'usesCompletionCap' | 'refusedMembers'> {
  if (hasReasoningModels !== true) return { usesCompletionCap: false, refusedMembers };
  const edits = reasoningModelEdits(model);
  if (refusedMembers.length === 0) return edits;
  return { ...edits, refusedMembers: [...new Set([...edits.refusedMembers, ...refusedMembers])] };
}

/** Vendors with a row of their own by the host of their address, for channels of types with open addresses. */
const DESCRIBED_HOSTS: ReadonlyMap<string, VendorDescription> = new Map([
  ['api-inference.modelscope.cn', MODELSCOPE],
  ...OPENAI_COMPATIBLE_PROFILES.flatMap(({ defaultBaseUrl: baseUrl, description, namesFormats }) => {
    const host = hostOf({ baseUrl });
    return host === undefined || description === undefined || namesFormats === true
      ? []
      : [[host, description] as const];
  }),
]);

/** Builds the provider a profile row describes. */
export function compatibleProvider(profile: CompatibleProfile): Provider {
  const addresses = new Map<string, Result<string, RelayError>>();

  function baseOf({ baseUrl }: Route): string {
    if (baseUrl === '') return profile.defaultBaseUrl;
    const named = profile.namedBases?.[baseUrl];
    if (named !== undefined || profile.baseIsFullAddress === true) return named ?? baseUrl;
    const base = withoutMessagesBase(profile.messages, baseUrl);
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
  const { rank } = profile;
  return {
    id: profile.id,
    channelTypes: profile.channelTypes,
    defaultBaseUrl: profile.defaultBaseUrl,
    defaultModels: profile.defaultModels,
    ...(profile.namedBases === undefined ? {} : { namedBases: profile.namedBases }),
    ...(profile.refusesStreamOptions === true ? {} : { asksForUsage: true }),
    operations: {
      ...(chat === undefined
        ? {}
        : {
            chat: [
              ...(profile.namesFormats === true ? namedFormats(profile.defaultBaseUrl, operation) : []),
              ...chatOperations(
                {
                  profile: profile.chat ?? PLAIN,
                  description: profile.description ?? CONSERVATIVE,
                  chatPath: chat,
                  hasOpenaiModels: profile.hasReasoningModels === true,
                  baseIsFullAddress: profile.baseIsFullAddress === true,
                  describedHosts: DESCRIBED_HOSTS,
                },
                operation,
              ),
              ...messagesOperations(profile),
            ],
          }),
      ...(embed === undefined
        ? {}
        : { embed: [changed(profile, operation<'embed'>(embed, openaiEmbeddings))] }),
      ...mediaOperations(profile.media, operation),
      ...(rank === undefined ? {} : { rerank: [operation<'rerank'>(rank.path, rank.apiFormat)] }),
      ...profile.ownOperations?.(operation),
    },
    ...(profile.itemBounds === undefined ? {} : { itemBounds: profile.itemBounds }),
    ...(profile.namesFormats === true
      ? {
          operationsAt: presetOperations(operation),
          itemBounds: (route: Route) => presetOf(route)?.itemBounds ?? profile.itemBounds,
        }
      : {}),
    ...(profile.balance === undefined ? {} : { balance: profile.balance }),
    ...(profile.probeAs === undefined ? {} : { probeAs: profile.probeAs }),
    ...(profile.realtime === undefined
      ? {}
      : { realtime: (route: Route, asBrowser: boolean) => bearerRealtime(profile, route, asBrowser) }),
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

/** The embeddings of a vendor that takes other members than OpenAI. */
function changed(
  { changeEmbeddings }: CompatibleProfile,
  operation: ProviderOperation<'embed'>,
): ProviderOperation<'embed'> {
  if (changeEmbeddings === undefined) return operation;
  return {
    ...operation,
    adapt: ({ route: { upstreamModel } }) => ({
      upstreamModel,
      change: (request) => changeEmbeddings(request, upstreamModel),
    }),
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

/** Operations over Messages endpoints: none, or one that callers of that format pass through. */
function messagesOperations({
  baseIsFullAddress,
  messages: vendor,
  defaultBaseUrl,
  description = CONSERVATIVE,
}: CompatibleProfile): readonly ProviderOperation<'chat'>[] {
  if (baseIsFullAddress === true) return [customOperation];
  if (vendor === undefined) return [];
  return [
    messagesOperation({
      address: (route) => addressOf(vendor, route, defaultBaseUrl),
      key: vendor.key ?? 'bearer',
      isClaude: false,
      counts: vendor.counts === true,
      serves: ({ route }) => vendor.path !== undefined || vendor.namedBases?.[route.baseUrl] !== undefined,
      describe: () => description,
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
function withoutMessagesBase(messages: VendorMessages | undefined, baseUrl: string): string {
  const own = messages?.path?.replace(/\/v1\/messages$/, '');
  if (own === undefined || own === '') return baseUrl;
  const { root } = readBase(baseUrl);
  const base = withoutOwnPath(root, /\/v1$/);
  return base.endsWith(own) && base.at(-1 - own.length) !== '/' ? base.slice(0, -own.length) : baseUrl;
}
