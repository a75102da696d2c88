import type { Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Route } from '../../ports/channel-picker.js';
import { spliceFields } from '../../framing/json-splice.js';
import { anthropicMessages } from '../../formats/anthropic-messages/index.js';
import { listBetas } from '../../formats/anthropic-messages/vendor-headers.js';
import { numberOf, documentOf } from '../../formats/shared/fields/json-fields.js';
import { STEERING_FIELDS } from '../../formats/shared/fields/request-fields.js';
import { adaptClaude, claudeEdits } from './models.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import type { ProviderCall, ProviderOperation } from '../provider.js';
import { hostOf } from '../shared/base-address.js';
import { secretsOf } from '../shared/channel-secrets.js';
import type { RequestEdits } from '../../formats/contract/api-format.js';

export const ANTHROPIC_VERSION = '2023-06-01';

/** An endpoint of the Messages API: Anthropic's own, or a compatible one of another vendor. */
export interface MessagesEndpoint {
  /** Full address of `/v1/messages` for a channel. Fails: upstream-unreachable. */
  address(route: Route): Result<string, RelayError>;
  /** Header of the key; compatible vendors take a Bearer token, gateways may read either header. */
  readonly key: 'x-api-key' | 'bearer' | 'both';
  /** The models are Claude: names have endings that ask for thinking, and settings of the operator. */
  readonly isClaude: boolean;
  /** The endpoint counts tokens. */
  readonly counts: boolean;
  serves?(call: ProviderCall): boolean;
  /** Interface of another vendor's endpoint. */
  describe?(call: ProviderCall): VendorDescription;
}

/** A chat way over a Messages endpoint. */
export function messagesOperation(endpoint: MessagesEndpoint): ProviderOperation<'chat'> {
  return {
    apiFormat: anthropicMessages,
    ...(endpoint.serves === undefined ? {} : { serves: (call) => endpoint.serves?.(call) === true }),
    ...(endpoint.isClaude ? { adapt: adaptClaude } : {}),
    ...(endpoint.describe === undefined ? {} : { describe: (call) => endpoint.describe?.(call) }),
    address: (call) => withBeta(endpoint.address(call.route), call, ''),
    headers: (call) => messagesHeaders(call, endpoint),
    edits: endpoint.isClaude ? (call) => ({ ...claudeEdits(call), ...samplingEdits(call) }) : claudeEdits,
    readError: (reply, route) => readMessagesFailure(readFailedReply(reply, secretsOf(route))),
    readErrorDocument: (document, route) => readMessagesFailure(readErrorInside(document, secretsOf(route))),
    ...(endpoint.counts
      ? {
          count: {
            address: (call) => withBeta(endpoint.address(call.route), call, '/count_tokens'),
            write: (parsed, upstreamModel) =>
              spliceFields(
                parsed.document,
                new Map<string, unknown>([
                  ['model', upstreamModel],
                  ...NOT_COUNTED.map((name) => [name, undefined] as const),
                ]),
              ),
            read: (document) => numberOf(documentOf(document)['input_tokens']),
          },
        }
      : {}),
  };
}

/** Models of Anthropic's own address are Claude, also under other names. */
const samplingEdits = ({ route }: ProviderCall): Pick<RequestEdits, 'takesOneSampling'> =>
  (route.baseUrl === '' || hostOf(route) === OWN_HOST) && !/claude/i.test(route.upstreamModel)
    ? { takesOneSampling: true }
    : {};
const OWN_HOST = 'api.anthropic.com';

/** Members a count has no use for; the vendor refuses them there, or they must not leave. */
const NOT_COUNTED: readonly string[] = [
  'max_tokens',
  'max_tokens_to_sample',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'speed',
  'container',
  'inference_geo',
  ...STEERING_FIELDS,
];

/** `?beta=true` when the client sent it, or the channel insists. */
function withBeta(
  address: Result<string, RelayError>,
  call: ProviderCall,
  tail: string,
): Result<string, RelayError> {
  if (!address.ok) return address;
  const asks = call.vendorQuery === 'beta=true' || call.route.settings.vendor?.['claude_beta_query'] === true;
  return { ok: true, value: `${address.value}${tail}${asks ? '?beta=true' : ''}` };
}

/** Headers from scratch; the client's version and features, which belong to the format, together with the operator's. */
function messagesHeaders(
  call: ProviderCall,
  endpoint: Pick<MessagesEndpoint, 'key' | 'isClaude'>,
): Readonly<Record<string, string>> {
  const { route, shape, options, vendorHeaders } = call;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: shape.stream ? 'text/event-stream' : 'application/json',
    'user-agent': 'tollgate',
    'anthropic-version': vendorHeaders?.['anthropic-version'] ?? ANTHROPIC_VERSION,
  };
  if (route.credential !== '') {
    if (endpoint.key !== 'bearer') headers['x-api-key'] = route.credential;
    if (endpoint.key !== 'x-api-key') headers['authorization'] = `Bearer ${route.credential}`;
  }
  const betas = vendorHeaders?.['anthropic-beta'];
  if (betas !== undefined) headers['anthropic-beta'] = betas;
  if (endpoint.isClaude) addConfigured(headers, options.claude.headers[shape.model], route);
  return headers;
}

/** Headers that carry the channel's key; no setting writes them. */
const KEY_HEADERS: ReadonlySet<string> = new Set(['x-api-key', 'authorization', 'host', 'content-length']);

/** The operator's headers of a model: values joined with what is there already, each once. */
function addConfigured(
  headers: Record<string, string>,
  configured: Readonly<Record<string, readonly string[]>> | undefined,
  route: Route,
): void {
  for (const [given, values] of Object.entries(configured ?? {})) {
    const name = given.toLowerCase();
    if (
      KEY_HEADERS.has(name) ||
      values.some((value) => value.includes(route.credential) && route.credential !== '')
    ) {
      continue;
    }
    const before = name === 'anthropic-beta' ? (listBetas(headers[name]) ?? []) : [];
    headers[name] = [...new Set([...before, ...values])].join(',');
  }
}

/** A spent balance arrives as an ordinary refusal of the request; only its message shows it. */
function readMessagesFailure(error: RelayError): RelayError {
  if (error.kind !== 'upstream-request-rejected' || !/credit balance is too low/i.test(error.message)) {
    return error;
  }
  return { ...error, ...refusal('channel-spent') };
}
