import { createHash, createSign } from 'node:crypto';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import { parseDocument, textOf } from '../../formats/shared/fields/json-fields.js';
import type { SigningPorts } from '../provider.js';
import { tokenGrantReader } from '../shared/token-grant.js';

/** What of a service account's key file is used. */
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
/** How long an assertion may be exchanged for a token. */
const ASSERTION_SECONDS = 35 * 60;
/** What a token lasts when the answer does not say. */
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
