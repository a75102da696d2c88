import { secondsToWait } from '../../common/retry-after.js';
import { isFinalFailure, type RelayError } from '../model/relay-error.js';
import type { GatewayReply } from './dialect.js';

/** A failure as one JSON document, with the time of the next try if it is known. */
export function jsonError(
  status: number,
  document: string,
  error: RelayError,
  ownHeaders: Readonly<Record<string, string>> = {},
): GatewayReply {
  const body = Buffer.from(document);
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      ...ownHeaders,
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(secondsToWait(retryAfterMs)) }),
    },
    body,
  };
}

/** The official SDKs retry every 5xx by themselves unless a header forbids it. */
export const retryAdvice = (error: RelayError): Readonly<Record<string, string>> =>
  isFinalFailure(error) ? { 'x-should-retry': 'false' } : {};
