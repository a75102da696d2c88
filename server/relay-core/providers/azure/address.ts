import { fail, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { readBase, withoutOwnPath } from '../shared/base-address.js';
import { joinAddress } from '../shared/upstream-address.js';

/** Used when the channel names none. */
export const DEFAULT_AZURE_VERSION = '2025-04-01-preview';
const VERSION = /^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|preview|latest|v1)$/;
/** Versions without a date are those of the newer form, whose paths are OpenAI's own (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle, read 2026-11-25). */
const UNDATED = /^(?:preview|latest|v1)$/;
/** Paths behind a resource's name on the pages that show it. */
const OWN_PATH = /\/openai(?:\/v1)?$|\/models$|\/api\/projects\/[^/]+$/;
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com';
const COGNITIVE_HOST = /\.cognitiveservices\.azure\.com$/;

interface AzureBase {
  /** Address of the resource. */
  readonly resource: string;
  /** Deployment the base names; else it is the mapped model. */
  readonly deployment: string | undefined;
  /** The base, or the version, is of the newer form. */
  readonly isNewer: boolean;
}

/** Reads each address that operators copy: the resource, `…/openai`, `…/openai/v1`, a deployment, or the whole address of a call. */
export function readAzureBase(route: Pick<Route, 'baseUrl' | 'other'>): AzureBase {
  const { root } = readBase(route.baseUrl);
  const [, resource = root, deployment] = /^(.*?)(?:\/openai)?\/deployments\/([^/]+)$/.exec(root) ?? [];
  const isNewer = /(?<!\/)\/openai\/v1$/.test(resource) || UNDATED.test(route.other.trim());
  return {
    resource: withoutOwnPath(resource, OWN_PATH),
    deployment,
    isNewer,
  };
}

/** The channel's API version. */
export function versionOf(route: Route): string {
  const named = route.other.trim();
  return VERSION.test(named) ? named : DEFAULT_AZURE_VERSION;
}

/** A path of the newer form; only previews are named in the query. */
export function newerAddress(resource: string, path: string, version: string): Result<string, RelayError> {
  const address = joinAddress(resource, `/openai${path}`);
  return version === 'preview' || version === 'latest' ? withVersion(address, version) : address;
}

export function noBase(): Result<string, RelayError> {
  return fail(refusal('base-missing-azure'));
}

/**
 * The address of a task: at a deployment, which has the mapped model's name, or in the newer form at OpenAI's own path.
 * @param path  OpenAI's own path of the task
 * Fails: upstream-unreachable when the channel names no base.
 */
export function azureAddress(path: string, route: Route): Result<string, RelayError> {
  const { resource, deployment, isNewer } = readAzureBase(route);
  if (resource === '') return noBase();
  const task = path.replace(/^\/v1\//, '');
  // Cloudflare's gateway has the resource and the deployment in its base.
  if (resource.startsWith(CLOUDFLARE_GATEWAY))
    return withVersion(joinAddress(resource, `/${task}`), versionOf(route));
  if (isNewer) return newerAddress(resource, path, versionOf(route));
  const name = deployment ?? encodeURIComponent(route.upstreamModel);
  return withVersion(joinAddress(resource, `/openai/deployments/${name}/${task}`), versionOf(route));
}

/** Responses name the model in the body; where they live depends on the kind of resource. */
export function azureResponsesAddress(route: Route): Result<string, RelayError> {
  const { resource, isNewer } = readAzureBase(route);
  if (resource === '') return noBase();
  if (isNewer) return newerAddress(resource, '/v1/responses', versionOf(route));
  const set = route.settings.vendor?.['azure_responses_version'];
  const own = typeof set === 'string' && VERSION.test(set) ? set : undefined;
  const host = URL.canParse(resource) ? new URL(resource).hostname : '';
  if (COGNITIVE_HOST.test(host))
    return withVersion(joinAddress(resource, '/openai/responses'), own ?? versionOf(route));
  return withVersion(joinAddress(resource, '/openai/v1/responses'), own ?? 'preview');
}

export function withVersion(
  address: Result<string, RelayError>,
  version: string,
): Result<string, RelayError> {
  return address.ok ? { ok: true, value: `${address.value}?api-version=${version}` } : address;
}

/** Keys of the resource, or a token of the directory (`Bearer …`, or a JWT). */
export function azureKeyHeader(credential: string): Readonly<Record<string, string>> {
  const token =
    /^bearer\s+(\S+)$/i.exec(credential)?.[1] ??
    (/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(credential) ? credential : undefined);
  return token === undefined ? { 'api-key': credential } : { authorization: `Bearer ${token}` };
}
