import { createHash, createHmac } from 'node:crypto';

/** Long-lived or borrowed credentials of an AWS account. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. */
  readonly sessionToken?: string;
}

export interface AwsRequest {
  readonly method: string;
  /** Absolute address; its path is already escaped once, as it goes over the wire. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Proxies and clients on the way may change these. */
const UNSIGNED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'user-agent',
  'accept-encoding',
]);

/**
 * Headers of a request signed with Signature Version 4 (AWS Signature Version 4 for API requests, read 2026-11-21):
 * those given, and `x-amz-date`, `x-amz-content-sha256`, `authorization`, where needed `x-amz-security-token`.
 * @param nowMs  wall clock, milliseconds since 1970; AWS refuses what is more than five minutes off
 */
export function signAwsRequest(
  request: AwsRequest,
  credentials: AwsCredentials,
  scope: { readonly region: string; readonly service: string },
  nowMs: number,
): Readonly<Record<string, string>> {
  const url = new URL(request.url);
  const time = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const payloadHash = hashOf(request.body ?? '');
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    'x-amz-content-sha256': payloadHash,
  };
  if (credentials.sessionToken !== undefined) headers['x-amz-security-token'] = credentials.sessionToken;

  const signed = [
    ['host', url.host] as const,
    ...Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, ' ')] as const)
      .filter(([name]) => !UNSIGNED.has(name)),
  ].sort(([left], [right]) => order(left, right));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    payloadHash,
  ].join('\n');
  const scopeText = `${date}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = [ALGORITHM, time, scopeText, hashOf(canonical)].join('\n');
  const signature = hmac(keyOf(credentials.secretAccessKey, date, scope), toSign).toString('hex');
  headers['authorization'] =
    `${ALGORITHM} Credential=${credentials.accessKeyId}/${scopeText}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

/** Every piece of the path is escaped once more than it is sent. */
const canonicalPath = (path: string): string => path.split('/').map(escape).join('/');

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]) => [escape(name), escape(value)] as const)
    .sort(([name, value], [other, next]) => (name === other ? order(value, next) : order(name, other)))
    .map((pair) => pair.join('='))
    .join('&');
}

const order = (left: string, right: string): number => (left < right ? -1 : 1);

/** RFC 3986: letters, digits and `-._~` stay. */
const escape = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function keyOf(
  secret: string,
  date: string,
  scope: { readonly region: string; readonly service: string },
): Buffer {
  let key = hmac(`AWS4${secret}`, date);
  for (const part of [scope.region, scope.service, 'aws4_request']) key = hmac(key, part);
  return key;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hashOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
