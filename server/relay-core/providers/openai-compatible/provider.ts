import { getOrRemember } from '../../../common/get-or-add.js';
import { fail, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import type { RequestEdits, UpstreamFormat } from '../../formats/contract/api-format.js';
import { withoutOwnPath } from '../shared/base-address.js';
import { DEFAULT_MODELS } from '../shared/default-models.js';
import { chatOperations } from './chat-operations.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import { OPENAI_COMPATIBLE_PROFILES, type CompatibleProfile } from './profiles.js';
import { mediaOperations } from './media-operations.js';
import { messagesOperations, withoutMessagesBase } from './messages-operations.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { cloudflareOperations } from '../cloudflare/operations.js';
import { rankOperations } from './rank-operations.js';
import { reasoningModelEdits } from './reasoning-models.js';
import { fullAddress, joinAddress } from '../shared/upstream-address.js';
import { secretsOf } from '../shared/channel-secrets.js';

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
