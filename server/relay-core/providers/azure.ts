import { fail, type Result } from '../../common/result.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import { openaiEmbeddings } from '../wire/openai-embeddings/index.js';
import { openaiResponses } from '../wire/openai-responses/index.js';
import type { BackWire } from '../wire/wire.js';
import { chatWays } from './chat-ways.js';
import { mediaWays } from './media-ways.js';
import { readErrorInside, readFailedReply } from './openai-compatible-error.js';
import { DEFAULT_MODELS } from './default-models.js';
import type { Provider, ProviderCall, ProviderOperation } from './provider.js';
import { reasoningModelQuirks } from './reasoning-models.js';
import { joinAddress } from './upstream-address.js';

/** Used when the channel names none (provider reference 5). */
export const DEFAULT_AZURE_VERSION = '2025-04-01-preview';
const VERSION = /^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|preview|latest|v1)$/;
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com';
/** A base of the newer form, whose paths are OpenAI's own. */
const OWN_FORM = /\/openai\/v1$/;
const COGNITIVE_HOST = /\.cognitiveservices\.azure\.com$/;

const baseOf = (route: Route): string => route.baseUrl.trim().replace(/\/+$/, '');

/** The channel's API version. */
function versionOf(route: Route): string {
  const named = route.other.trim();
  return VERSION.test(named) ? named : DEFAULT_AZURE_VERSION;
}

/**
 * Where a task of a deployment lives; the deployment has the mapped model's name.
 * @param path  OpenAI's own path of the task
 * Fails: upstream-unreachable when the channel names no base.
 */
export function azureAddress(path: string, route: Route): Result<string, RelayError> {
  const base = baseOf(route);
  if (base === '') {
    return fail({
      kind: 'upstream-unreachable',
      blame: 'upstream',
      message:
        'The channel has no base address; ask the administrator to enter the one of its Azure resource.',
    });
  }
  const task = path.replace(/^\/v1\//, '');
  if (OWN_FORM.test(base)) return joinAddress(base, path);
  const deployment = encodeURIComponent(route.upstreamModel);
  // Cloudflare's gateway has the resource and the deployment in its base.
  if (base.startsWith(CLOUDFLARE_GATEWAY))
    return withVersion(joinAddress(base, `/${task}`), versionOf(route));
  return withVersion(joinAddress(base, `/openai/deployments/${deployment}/${task}`), versionOf(route));
}

/** Responses name the model in the body; where they live depends on the kind of resource. */
export function azureResponsesAddress(route: Route): Result<string, RelayError> {
  const base = baseOf(route);
  if (base === '') return azureAddress('/v1/responses', route);
  if (OWN_FORM.test(base)) return joinAddress(base, '/responses');
  const set = route.settings.vendor?.['azure_responses_version'];
  const own = typeof set === 'string' && VERSION.test(set) ? set : undefined;
  const host = URL.canParse(base) ? new URL(base).hostname : '';
  if (COGNITIVE_HOST.test(host))
    return withVersion(joinAddress(base, '/openai/responses'), own ?? versionOf(route));
  return withVersion(joinAddress(base, '/openai/v1/responses'), own ?? 'preview');
}

function withVersion(address: Result<string, RelayError>, version: string): Result<string, RelayError> {
  return address.ok ? { ok: true, value: `${address.value}?api-version=${version}` } : address;
}

/** Keys of the resource, or a token of the directory (`Bearer …`, or a JWT). */
export function azureKeyHeader(credential: string): Readonly<Record<string, string>> {
  const token =
    /^bearer\s+(\S+)$/i.exec(credential)?.[1] ??
    (/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(credential) ? credential : undefined);
  return token === undefined ? { 'api-key': credential } : { authorization: `Bearer ${token}` };
}

function build<O extends Operation>(path: string, wire: BackWire<O>): ProviderOperation<O> {
  const isResponses = wire.id === openaiResponses.id;
  return {
    wire,
    address: ({ route }) => (isResponses ? azureResponsesAddress(route) : azureAddress(path, route)),
    headers: ({ route, shape }) => ({
      'content-type': 'application/json',
      accept: shape.stream ? 'text/event-stream' : 'application/json',
      'user-agent': 'tollgate',
      ...azureKeyHeader(route.credential),
    }),
    quirks: ({ route }: ProviderCall) => ({
      dropStreamOptions: false,
      ...reasoningModelQuirks(route.upstreamModel),
    }),
    readError: (reply, route) => readAzureError(readFailedReply(reply, secretsOf(route))),
    readErrorDocument: (document, route) => readErrorInside(document, secretsOf(route)),
  };
}

/** A deployment that is not there is the operator's to mend. */
function readAzureError(error: RelayError): RelayError {
  if (error.blame !== 'upstream' || error.upstreamStatus !== 404 || error.vendorCode !== 'DeploymentNotFound')
    return error;
  return {
    ...error,
    message: 'The deployment of this model does not exist at the upstream; tell the administrator.',
  };
}

function secretsOf(route: Route): readonly string[] {
  const secrets = [route.credential];
  if (URL.canParse(route.baseUrl)) secrets.push(new URL(route.baseUrl).hostname);
  return secrets;
}

/** Azure OpenAI: OpenAI's models as deployments (provider reference 5). */
export const azure: Provider = {
  id: 'azure',
  name: 'Azure',
  typeCodes: [3],
  defaultBaseUrl: '',
  defaultModels: DEFAULT_MODELS.openai,
  operations: {
    chat: chatWays({ id: 'azure', chatPath: '/v1/chat/completions', hasOpenaiModels: true }, build),
    embed: [build<'embed'>('/v1/embeddings', openaiEmbeddings)],
    ...mediaWays('azure', build),
  },
  modelListAddress: (route) => {
    const base = baseOf(route);
    if (base === '') return azureAddress('/v1/models', route);
    if (OWN_FORM.test(base)) return joinAddress(base, '/models');
    return withVersion(joinAddress(base, '/openai/models'), versionOf(route));
  },
  modelListHeaders: (route) => azureKeyHeader(route.credential),
};
