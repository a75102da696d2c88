import { ok, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { hostedMessages } from '../../formats/anthropic-messages/hosted.js';
import { sameNames, takenBetas } from '../../formats/anthropic-messages/host-betas.js';
import { BETA_HEADER, listBetas } from '../../formats/anthropic-messages/vendor-headers.js';
import { vertexEmbed } from '../../formats/gemini-embed/index.js';
import { parseDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { adaptClaude, CACHE_MARKS, claudeEdits } from '../anthropic/models.js';
import {
  generateOperations,
  googleOperation,
  imageOperations,
  speechOperations,
  type GoogleEndpoint,
} from '../gemini/operations.js';
import { GEMINI_MODELS } from '../gemini/provider.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import type { Provider, ProviderCall, ProviderOperation } from '../provider.js';
import { withoutOwnPath } from '../shared/base-address.js';
import { joinAddress } from '../shared/upstream-address.js';
import { checkRegions, checkVertexKey, isJsonKey, readServiceAccount, signWithAccount } from './account.js';

const GLOBAL = 'global';
/** Regions that are whole continents have hosts of their own kind. */
const MULTI_REGIONS: ReadonlySet<string> = new Set(['us', 'eu']);
const REGION = /^[a-z0-9-]{2,40}$/;
/** Files its models read with the permissions of the channel's account. */
const STORE = 'gs://';

/** The channel's region: one word, or JSON by model with `default`; none = everywhere. */
function regionOf({ other, upstreamModel }: Pick<Route, 'other' | 'upstreamModel'>): string {
  const text = other.trim();
  const regions = text.startsWith('{') ? parseDocument(text) : undefined;
  const named =
    regions === undefined ? text : (textOf(regions[upstreamModel]) ?? textOf(regions['default']) ?? '');
  return REGION.test(named) ? named : GLOBAL;
}

function hostOf(region: string): string {
  if (region === GLOBAL) return 'https://aiplatform.googleapis.com';
  return MULTI_REGIONS.has(region)
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`;
}

const OWN_PATH = /\/v\d+[a-z0-9]*(?:\/(?:projects|publishers)\/.*)?$/;

const baseOf = ({ baseUrl }: Route, region: string): string =>
  baseUrl === '' ? hostOf(region) : withoutOwnPath(baseUrl, OWN_PATH);

/** The channel's key is an API key instead of a service account's file. */
const usesApiKey = ({ settings, credential }: Route): boolean =>
  settings.vendor?.['vertex_key_type'] === 'api_key' || !credential.trimStart().startsWith('{');

/** Address of a model's action. @param publisher  whose model it is */
function modelAddress(
  route: Route,
  publisher: string,
  model: string,
  tail: string,
): Result<string, RelayError> {
  const region = regionOf(route);
  const base = baseOf(route, region);
  const action = `publishers/${publisher}/models/${encodeURIComponent(model)}:${tail}`;
  if (usesApiKey(route)) {
    const address = joinAddress(base, `/v1/${action}`);
    if (!address.ok) return address;
    const url = new URL(address.value);
    url.searchParams.set('key', route.credential);
    return ok(url.href);
  }
  const account = readServiceAccount(route.credential);
  if (!account.ok) return account;
  return joinAddress(base, `/v1/projects/${account.value.projectId}/locations/${region}/${action}`);
}

const headers = ({ shape }: ProviderCall): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  accept: shape.stream && shape.streamForm !== 'json-array' ? 'text/event-stream' : 'application/json',
  'user-agent': 'tollgate',
});

const sign: NonNullable<ProviderOperation<'chat'>['sign']> = (request, { route }, signing) =>
  usesApiKey(route) ? ok(request) : signWithAccount(request, route.credential, signing);

const google: GoogleEndpoint = {
  address: ({ route }, tail) => modelAddress(route, 'google', route.upstreamModel, tail),
  headers,
  sign,
};

/** Claude's names have their date behind an at sign here; the second 3.5 Sonnet has a number of its own. */
function claudeModel(model: string): string {
  if (model === 'claude-3-5-sonnet-20241022') return 'claude-3-5-sonnet-v2@20241022';
  return model.replace(/^(claude-.+)-(\d{8})$/, '$1@$2');
}

/**
 * Beta features of Claude here: any other is refused, and so are members of features that are not named.
 * https://github.com/tombii/better-ccflare/issues/47, https://github.com/anthropics/claude-code/issues/21612 (read 2026-11-29).
 */
const BETAS: ReadonlyMap<string, string> = new Map([
  ...sameNames(`
    computer-use-2025-01-24 computer-use-2025-11-24 interleaved-thinking-2025-05-14
    context-1m-2025-08-07 context-management-2025-06-27 compact-2026-01-12 compact-2026-09-04
    effort-2025-11-24 web-search-2025-03-05 tool-search-tool-2025-10-19
  `),
  ['advanced-tool-use-2025-11-20', 'tool-search-tool-2025-10-19'],
]);

const claude: GoogleEndpoint = {
  ...google,
  address: ({ route }, tail) => modelAddress(route, 'anthropic', claudeModel(route.upstreamModel), tail),
  headers: (call) => {
    const betas = takenBetas(listBetas(call.vendorHeaders?.[BETA_HEADER]) ?? [], BETAS);
    return { ...headers(call), ...(betas.length === 0 ? {} : { [BETA_HEADER]: betas.join(',') }) };
  },
};

const messages = hostedMessages({
  anthropicVersion: 'vertex-2023-10-16',
  refusedMembers: ['metadata', 'service_tier', 'container', 'mcp_servers'],
  betas: () => BETAS,
  takesBetasInBody: false,
  hasStructuredOutput: () => false,
});
/** Models of other houses, in OpenAI's grammar. */
const open: GoogleEndpoint = {
  ...google,
  address: ({ route }) => {
    const region = regionOf(route);
    const account = readServiceAccount(route.credential);
    if (!account.ok) return account;
    const base = baseOf(route, region);
    const { projectId } = account.value;
    return joinAddress(
      base,
      `/v1beta1/projects/${projectId}/locations/${region}/endpoints/openapi/chat/completions`,
    );
  },
};

const isClaude = ({ route }: ProviderCall): boolean => /claude/.test(route.upstreamModel);
const isOpen = ({ route }: ProviderCall): boolean => /llama|-maas$|\//.test(route.upstreamModel);

const chatOperations: readonly ProviderOperation<'chat'>[] = [
  {
    ...googleOperation(claude, messages, ({ shape }) =>
      shape.stream ? 'streamRawPredict?alt=sse' : 'rawPredict',
    ),
    serves: isClaude,
    adapt: adaptClaude,
    edits: claudeEdits,
    needsBytes: (_media, url) => /^https?:\/\//i.test(url),
  },
  {
    ...googleOperation(open, openaiChat, () => ''),
    serves: (call) => !isClaude(call) && isOpen(call),
    describe: () => CONSERVATIVE,
  },
  ...generateOperations(google, false, (call) => !isClaude(call) && !isOpen(call)),
];
const withStore = <O extends Operation>(operation: ProviderOperation<O>): ProviderOperation<O> => ({
  ...operation,
  ownStore: STORE,
});

const predict = <O extends Operation>(apiFormat: UpstreamFormat<O>): ProviderOperation<O> =>
  googleOperation(google, apiFormat, () => 'predict');

const EMBEDDINGS_PAGE =
  'https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings (read 2026-11-29)';

/** Vertex AI: https://cloud.google.com/vertex-ai/generative-ai/docs (read 2026-11-21). */
export const vertexProvider: Provider = {
  id: 'vertex',
  channelTypes: [
    {
      code: 41,
      name: 'Vertex AI',
      telemetryName: 'gcp.vertex_ai',
      form: {
        keyFormat: 'json',
        keyExample: '{"type": "service_account", "project_id": …, "private_key": …, "client_email": …}',
        keyDocumentType: 'service_account',
        other: 'region',
        otherExample: 'us-central1',
        needsOther: true,
        switches: [
          { name: 'vertex_key_type', choices: ['json', 'api_key'] },
          { name: 'allow_stored_files' },
          CACHE_MARKS,
        ],
        checkKey: checkVertexKey,
        checkOther: checkRegions,
        isJsonKey,
      },
    },
  ],
  defaultBaseUrl: hostOf(GLOBAL),
  defaultModels: [
    ...GEMINI_MODELS.filter((model) => !model.startsWith('gemma')),
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'claude-opus-4-5@20251101',
    'claude-sonnet-4-5@20250929',
    'claude-haiku-4-5@20251001',
    'claude-opus-4-1@20250805',
    'claude-sonnet-4@20250514',
    'text-embedding-005',
    'text-multilingual-embedding-002',
    'meta/llama3-405b-instruct-maas',
  ],
  itemBounds: {
    embed: [
      { most: 1, models: /gemini-embedding/, source: EMBEDDINGS_PAGE },
      { most: 250, source: EMBEDDINGS_PAGE },
    ],
  },
  operations: {
    chat: chatOperations.map(withStore),
    embed: [withStore(predict(vertexEmbed))],
    image: imageOperations(google).map(withStore),
    speak: speechOperations(google),
  },
  // The list of a project's models needs a token of its own and contains models that cannot be called.
  modelListAddress: () => undefined,
  modelListHeaders: () => ({ accept: 'application/json', 'user-agent': 'tollgate' }),
};
