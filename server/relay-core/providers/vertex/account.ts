import { createHash, createSign } from 'node:crypto';
import { parseJson } from '../../../common/parse-json.js';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import { parseDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import { ADDRESS_PART, type KeyFault, type OtherFault } from '../channel-form.js';
import type { SigningPorts } from '../provider.js';
import { tokenGrantReader } from '../shared/token-grant.js';

/** Used fields of a service account's key file. */
export interface ServiceAccount {
  readonly projectId: string;
  readonly clientEmail: string;
  /** PEM. */
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly tokenUri: string;
}

const DEFAULT_TOKEN_URI = 'https://www.googleapis.com/oauth2/v4/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Lifetime of an assertion that is exchanged for a token. */
const ASSERTION_SECONDS = 35 * 60;
/** Lifetime of a token when the answer gives none. */
const USUAL_LIFETIME_SECONDS = 30 * 60;

/** Fails: upstream-key-refused, naming the member that is missing. */
export function readServiceAccount(credential: string): Result<ServiceAccount, RelayError> {
  const document = parseDocument(credential);
  if (document === undefined) return unusable('it is not the JSON of a service account');
  const projectId = textOf(document['project_id']);
  const clientEmail = textOf(document['client_email']);
  const privateKey = textOf(document['private_key']);
  if (projectId === undefined) return unusable('project_id is missing');
  if (clientEmail === undefined) return unusable('client_email is missing');
  if (privateKey === undefined) return unusable('private_key is missing');
  if (!/^[a-z0-9.:-]{1,128}$/i.test(projectId)) return unusable('project_id cannot be one');
  return ok({
    projectId,
    clientEmail,
    privateKey,
    privateKeyId: textOf(document['private_key_id']),
    tokenUri: textOf(document['token_uri']) ?? DEFAULT_TOKEN_URI,
  });
}

function unusable(why: string, cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({ ...refusal('channel-key-unusable', { why }), cause });
}

/**
 * The request with an access token for its service account, exchanged for a signed assertion (RFC 7523) and remembered
 * by a digest of the key. Fails: upstream-key-refused, upstream-unreachable, upstream-timeout.
 */
export async function signWithAccount(
  request: UpstreamRequest,
  credential: string,
  { clock, tokens }: SigningPorts,
): Promise<Result<UpstreamRequest, RelayError>> {
  const account = readServiceAccount(credential);
  if (!account.ok) return account;
  const key = `vertex:${createHash('sha256').update(credential).digest('hex')}`;
  const ask = (): UpstreamRequest => ({
    method: 'POST',
    url: account.value.tokenUri,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': 'tollgate',
    },
    body: Buffer.from(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: signAssertion(account.value, Math.floor(clock.nowMs() / 1_000)),
      }).toString(),
    ),
    ...(request.proxy === undefined ? {} : { proxy: request.proxy }),
  });
  let token: Result<string, RelayError>;
  try {
    const secrets = [account.value.privateKey, ...linesOf(account.value.privateKey)];
    token = await tokens.tokenOf(key, {
      request: ask,
      read: tokenGrantReader(USUAL_LIFETIME_SECONDS),
      secrets,
    });
  } catch (cause) {
    // Expected failures are values: what throws is a key that is no RSA key.
    return unusable('private_key cannot be read', cause);
  }
  if (!token.ok) return token;
  return ok({
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${token.value}`,
      'x-goog-user-project': account.value.projectId,
    },
  });
}

/** A vendor may quote a part of a key. */
const linesOf = (pem: string): readonly string[] =>
  pem.split('\n').filter((line) => !line.startsWith('-----'));

/** A JSON web token, RS256. Throws when the key is no RSA key. */
function signAssertion(account: ServiceAccount, nowSeconds: number): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { privateKeyId } = account;
  const header = { alg: 'RS256', typ: 'JWT', ...(privateKeyId === undefined ? {} : { kid: privateKeyId }) };
  const claims = {
    iss: account.clientEmail,
    scope: SCOPE,
    aud: account.tokenUri,
    iat: nowSeconds,
    exp: nowSeconds + ASSERTION_SECONDS,
  };
  const unsigned = `${encode(header)}.${encode(claims)}`;
  const signature = createSign('RSA-SHA256').update(unsigned).sign(account.privateKey, 'base64url');
  return `${unsigned}.${signature}`;
}

const ACCOUNT_FORM = '{"project_id": …, "client_email": …, "private_key": …}';
const ACCOUNT_MEMBERS = ['project_id', 'client_email', 'private_key'];

/** The first member that a service account lacks; API keys of Google have no parts. */
export function checkVertexKey(key: string): KeyFault | undefined {
  if (!key.startsWith('{') || readServiceAccount(key).ok) return undefined;
  const account: unknown = JSON.parse(key);
  const members =
    typeof account === 'object' && account !== null ? new Map(Object.entries(account)) : new Map();
  const missing = ACCOUNT_MEMBERS.find(
    (name) => typeof members.get(name) !== 'string' || members.get(name) === '',
  );
  return { form: ACCOUNT_FORM, part: missing ?? 'project_id' };
}

/** API keys of Google, one a line. */
const API_KEYS = /^[\w.-]{20,200}(\n[\w.-]{20,200})*$/;

/** True for a key that has to be a service account: every key except API keys. */
export const isJsonKey = (key: string): boolean => !API_KEYS.test(key);

/** Holds `other` to one region, or a JSON object model → region with a member `default`. */
export function checkRegions(other: string): OtherFault | undefined {
  if (other === '') return 'region-missing';
  if (!other.startsWith('{')) return ADDRESS_PART.test(other) ? undefined : 'invalid';
  const regions = parseJson(other);
  const values = typeof regions === 'object' && regions !== null ? Object.entries(regions) : [];
  if (!values.some(([name]) => name === 'default')) return 'region-missing';
  return values.every(([, region]) => typeof region === 'string' && ADDRESS_PART.test(region))
    ? undefined
    : 'invalid';
}
