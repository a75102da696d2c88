import { fail, ok, type Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import { hostedMessages } from '../../formats/anthropic-messages/hosted.js';
import { sameNames } from '../../formats/anthropic-messages/host-betas.js';
import { MESSAGES_FORMAT } from '../../formats/anthropic-messages/id.js';
import { bedrockConverse } from './converse/index.js';
import { bedrockCohereEmbed, novaEmbed, titanEmbed } from './embed.js';
import { documentOf, listOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { bedrockRerank } from '../../formats/rerank/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { adaptClaude, CACHE_MARKS, cacheMarkEdits, claudeEdits } from '../anthropic/models.js';
import { signAwsRequest } from './signing.js';
import { checkBedrockKey, readBedrockCredential, type BedrockCredential } from './credential.js';
import { readBedrockErrorDocument, readBedrockFailure } from './error.js';
import { BEDROCK_MODELS, bedrockModelId } from './models.js';
import type {
  ModelAdaptation,
  Provider,
  ProviderCall,
  ProviderOperation,
  SigningPorts,
} from '../provider.js';
import { withoutOwnPath } from '../shared/base-address.js';
import { joinAddress } from '../shared/upstream-address.js';

const SERVICE = 'bedrock';

/** Newer models have what these features added, and refuse a call that names one. */
const WITHOUT_BETAS = /claude-(?:opus-4-[789]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/;
const BETAS: ReadonlyMap<string, string> = sameNames(`
  computer-use-2025-01-24 computer-use-2025-11-24 token-efficient-tools-2025-02-19
  interleaved-thinking-2025-05-14 fine-grained-tool-streaming-2025-05-14 output-128k-2025-02-19
  context-1m-2025-08-07 context-management-2025-06-27 compact-2026-01-12
`);
const EFFORT_BETA = 'effort-2025-11-24';

/**
 * Beta features of Claude here: any other is "invalid beta flag". https://github.com/QuantumNous/new-api/issues/3041,
 * https://github.com/anthropics/claude-code/issues/49370, https://github.com/anthropics/claude-code/issues/56595 (read 2026-11-29).
 */
function bedrockBetas(model: string): ReadonlyMap<string, string> {
  if (WITHOUT_BETAS.test(model)) return NO_BETAS;
  return /opus-4-5/.test(model) ? new Map([...BETAS, [EFFORT_BETA, EFFORT_BETA]]) : BETAS;
}
const NO_BETAS: ReadonlyMap<string, string> = new Map();

/** Claude's own grammar behind invoke. */
const invokedMessages: UpstreamFormat<'chat'> = {
  ...hostedMessages({
    anthropicVersion: 'bedrock-2023-05-31',
    refusedMembers: ['metadata', 'service_tier', 'mcp_servers', 'container', 'inference_geo'],
    betas: bedrockBetas,
    takesBetasInBody: true,
    // Bedrock's own copy of the grammar refuses it for the newest models.
    hasStructuredOutput: (model) => !/claude-(?:opus-4-[78]|(?:opus|sonnet|fable)-[5-9])/.test(model),
    // From Claude 4.5 on: https://github.com/anthropics/claude-code/issues/2603 (read 2026-11-30).
    takesCacheTtl: (model) => /claude-[a-z]+-(?:4-[5-9]|[5-9])(?:\D|$)/.test(model),
  }),
  framingOf: ({ stream }) => (stream ? 'aws-messages' : 'sse'),
};

const isClaude = ({ route }: ProviderCall): boolean => /anthropic\.|claude/.test(route.upstreamModel);
const named =
  (pattern: RegExp) =>
  ({ route }: ProviderCall): boolean =>
    pattern.test(route.upstreamModel);

interface OperationSpec<O extends Operation> {
  readonly apiFormat: UpstreamFormat<O>;
  /** Path of the call behind the host, whose model is escaped. */
  readonly path: (model: string, stream: boolean) => string;
  readonly serves?: (call: ProviderCall) => boolean;
  /** Host of the service when the channel names none. */
  readonly host?: string;
  readonly acceptsStream: string;
  /** The id the vendor knows; absent = by name and region. */
  readonly modelOf?: (model: string, region: string) => string;
  /** Adaptation by the model name's suffix. */
  readonly adapt?: (call: ProviderCall) => ModelAdaptation<O> | undefined;
  readonly edits?: ProviderOperation<O>['edits'];
}

function operation<O extends Operation>(spec: OperationSpec<O>): ProviderOperation<O> {
  return {
    apiFormat: spec.apiFormat,
    ...(spec.serves === undefined ? {} : { serves: spec.serves }),
    adapt: (call) => {
      const credential = readBedrockCredential(call.route.credential);
      if (!credential.ok) return undefined;
      const { region } = credential.value;
      const asked = spec.adapt?.(call);
      const name = asked?.upstreamModel ?? call.route.upstreamModel;
      const upstreamModel =
        spec.modelOf?.(name, region) ?? bedrockModelId(name, region, profileSetting(call.route));
      if (asked !== undefined) return { ...asked, upstreamModel };
      return upstreamModel === name ? undefined : { upstreamModel };
    },
    address: ({ route, shape }) => {
      const credential = readBedrockCredential(route.credential);
      if (!credential.ok) return credential;
      const model = encodeURIComponent(route.upstreamModel);
      const base = baseOf(route.baseUrl, credential.value.region, spec.host ?? 'bedrock-runtime');
      return joinAddress(base, spec.path(model, shape.stream));
    },
    headers: ({ shape, route }) => ({
      'content-type': 'application/json',
      accept: shape.stream ? spec.acceptsStream : 'application/json',
      'user-agent': 'tollgate',
      ...keyHeader(route.credential),
    }),
    edits: spec.edits ?? (() => PLAIN),
    // Nothing is fetched for callers by this vendor, except from its own store.
    needsBytes: (_media, url) => !url.startsWith('s3://'),
    ownStore: 's3://',
    fileSchemes: ['s3'],
    sign,
    readError: (reply, route) => readBedrockFailure(reply, secretsOf(route)),
    readErrorDocument: (document, route) => readBedrockErrorDocument(document, secretsOf(route)),
  };
}

const PLAIN = { dropStreamOptions: true, usesCompletionCap: false, refusedMembers: [] } as const;
const AWS_STREAM = 'application/vnd.amazon.eventstream';

const converse = operation<'chat'>({
  apiFormat: bedrockConverse,
  path: (model, stream) => `/model/${model}/converse${stream ? '-stream' : ''}`,
  acceptsStream: AWS_STREAM,
  adapt: (call) => (isClaude(call) ? adaptClaude(call) : undefined),
  edits: (call) => (isClaude(call) ? { ...PLAIN, ...cacheMarkEdits(call) } : PLAIN),
});
/** Only for clients of Claude's own grammar, whose words then pass untouched. */
const invokeClaude = operation<'chat'>({
  apiFormat: invokedMessages,
  path: (model, stream) => `/model/${model}/invoke${stream ? '-with-response-stream' : ''}`,
  serves: (call) => call.clientFormat === MESSAGES_FORMAT && isClaude(call),
  acceptsStream: AWS_STREAM,
  adapt: adaptClaude,
  edits: claudeEdits,
});

const embedOperation = (apiFormat: UpstreamFormat<'embed'>, pattern: RegExp): ProviderOperation<'embed'> =>
  operation<'embed'>({
    apiFormat,
    path: (model) => `/model/${model}/invoke`,
    serves: named(pattern),
    acceptsStream: AWS_STREAM,
  });

const rank = operation<'rerank'>({
  apiFormat: bedrockRerank,
  path: () => '/rerank',
  host: 'bedrock-agent-runtime',
  acceptsStream: AWS_STREAM,
  modelOf: (model, region) =>
    model.startsWith('arn:') ? model : `arn:aws:bedrock:${region}::foundation-model/${model}`,
});

/** AWS Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference (read 2026-11-21). */
export const bedrock: Provider = {
  id: 'bedrock',
  channelTypes: [
    {
      code: 33,
      name: 'AWS Bedrock',
      telemetryName: 'aws.bedrock',
      form: {
        keyFormat: 'access_keys_region',
        keyExample: 'Access key id|Secret access key|us-east-1',
        switches: [
          { name: 'aws_inference_profile', choices: ['none', 'us', 'eu', 'apac', 'global'] },
          { name: 'allow_stored_files' },
          CACHE_MARKS,
        ],
        checkKey: checkBedrockKey,
      },
    },
  ],
  operations: {
    chat: [invokeClaude, converse],
    embed: [
      embedOperation(titanEmbed, /titan-embed/),
      embedOperation(novaEmbed, /nova-.*embed/),
      embedOperation(bedrockCohereEmbed, /cohere\.embed/),
    ],
    rerank: [rank],
  },
  defaultBaseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  itemBounds: {
    embed: [
      { most: 1, models: /titan-embed|nova-.*embed/, source: 'inputText, text: the request holds one text' },
      {
        most: 96,
        models: /cohere\.embed/,
        source: 'https://docs.cohere.com/reference/embed (read 2026-11-21)',
      },
    ],
    rerank: [{ most: 1_000, source: 'not read; the figure of the API reference for sources' }],
  },
  defaultModels: BEDROCK_MODELS,
  modelListAddress: (route) => {
    const credential = readBedrockCredential(route.credential);
    if (!credential.ok) return credential;
    const base = baseOf(route.baseUrl, credential.value.region, 'bedrock');
    return joinAddress(base, '/foundation-models?byInferenceType=ON_DEMAND');
  },
  modelListHeaders: (route) => {
    const credential = readBedrockCredential(route.credential);
    const address = bedrock.modelListAddress(route);
    const headers = { accept: 'application/json', 'user-agent': 'tollgate', ...keyHeader(route.credential) };
    if (!credential.ok || credential.value.type !== 'signed' || address?.ok !== true) return headers;
    const { credentials, region } = credential.value;
    const request = { method: 'GET', url: address.value, headers, body: undefined };
    return signAwsRequest(request, credentials, { region, service: SERVICE }, Date.now());
  },
  readModelList: (document) =>
    listOf(documentOf(document)['modelSummaries']).flatMap((item) => {
      const id = textOf(documentOf(item)['modelId']);
      return id === undefined ? [] : [id];
    }),
};

/** The channel's word for inference profiles: its switch, else the free field of channels made by API. */
function profileSetting({ settings, other }: Route): string {
  const chosen = settings.vendor?.['aws_inference_profile'];
  return typeof chosen === 'string' && chosen !== '' ? chosen : other;
}

/** The channel's own address (a private endpoint, a proxy of the operator's), else the region's. */
function baseOf(baseUrl: string, region: string, host: string): string {
  if (baseUrl !== '')
    return withoutOwnPath(
      baseUrl.replaceAll('{region}', region),
      /\/(?:model\/.*|rerank|foundation-models)$/,
    );
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${host}.${region}.${domain}`;
}

function keyHeader(credential: string): Readonly<Record<string, string>> {
  const read = readBedrockCredential(credential);
  return read.ok && read.value.type === 'api-key' ? { authorization: `Bearer ${read.value.apiKey}` } : {};
}

/** Signs the finished bytes; with an API key there is nothing to sign. */
function sign(
  request: UpstreamRequest,
  { route }: ProviderCall,
  signing: SigningPorts,
): Result<UpstreamRequest, RelayError> {
  const credential = readBedrockCredential(route.credential);
  if (!credential.ok) return fail(credential.error);
  if (credential.value.type !== 'signed') return ok(request);
  const { credentials, region } = credential.value;
  const headers = signAwsRequest(request, credentials, { region, service: SERVICE }, signing.clock.nowMs());
  return ok({ ...request, headers });
}

/** Texts to hide from callers: keys, account numbers in ARNs, and the channel's address. */
function secretsOf(route: Route): readonly string[] {
  const read = readBedrockCredential(route.credential);
  // The region is no secret, and cut out of an address it would leave the rest of it.
  const secrets = read.ok ? [...secretPartsOf(read.value)] : [route.credential];
  const account = /^arn:[^:]*:[^:]*:[^:]*:(\d{8,}):/.exec(route.upstreamModel)?.[1];
  if (account !== undefined) secrets.push(account);
  if (URL.canParse(route.baseUrl)) secrets.push(new URL(route.baseUrl).hostname);
  return secrets;
}

const secretPartsOf = (credential: BedrockCredential): readonly string[] =>
  credential.type === 'api-key'
    ? [credential.apiKey]
    : [
        credential.credentials.accessKeyId,
        credential.credentials.secretAccessKey,
        ...(credential.credentials.sessionToken === undefined ? [] : [credential.credentials.sessionToken]),
      ];
