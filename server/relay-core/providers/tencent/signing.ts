import { createHash, createHmac } from 'node:crypto';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';

const ALGORITHM = 'TC3-HMAC-SHA256';
const SERVICE = 'hunyuan';
const VERSION = '2023-09-01';
const SIGNED_HEADERS = 'content-type;host;x-tc-action';

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** True when the channel's key is a pair of the cloud's own keys, which sign instead of being sent. */
export const isKeyPair = (credential: string): boolean => credential.includes('|');

/**
 * The request with the signature of Tencent Cloud's API 3.0 over exactly the bytes that are sent
 * (https://cloud.tencent.com/document/api/1729/101843, read 2026-11-24).
 * Fails: upstream-key-refused when a part of the key is missing.
 */
export function signTencent(
  request: UpstreamRequest,
  action: string,
  credential: string,
  nowMs: number,
): Result<UpstreamRequest, RelayError> {
  const [, secretId = '', secretKey = ''] = credential.split('|').map((part) => part.trim());
  if (secretId === '' || secretKey === '') {
    return fail(refusal('channel-key-unusable', { why: 'it has the form AppId|SecretId|SecretKey' }));
  }
  const timestamp = Math.floor(nowMs / 1_000);
  const date = new Date(timestamp * 1_000).toISOString().slice(0, 10);
  const scope = `${date}/${SERVICE}/tc3_request`;
  const contentType = request.headers['content-type'] ?? '';
  const canonical = [
    request.method,
    '/',
    '',
    `content-type:${contentType}`,
    `host:${new URL(request.url).host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    SIGNED_HEADERS,
    sha256(request.body ?? ''),
  ].join('\n');
  const toSign = [ALGORITHM, timestamp, scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), SERVICE), 'tc3_request');
  const signature = hmac(key, toSign).toString('hex');
  return ok({
    ...request,
    headers: {
      ...request.headers,
      'x-tc-action': action,
      'x-tc-version': VERSION,
      'x-tc-timestamp': String(timestamp),
      authorization: `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
    },
  });
}
