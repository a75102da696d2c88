import type { RelayError } from '../model/relay-error.js';
import type { GatewayReply } from './dialect.js';

/** A failure as one JSON document, with when to come again where that is known. */
export function jsonError(status: number, document: object, error: RelayError): GatewayReply {
  const body = Buffer.from(JSON.stringify(document));
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
  };
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  if (retryAfterMs !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  return { status, headers, body };
}
