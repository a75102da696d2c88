import { anthropicMessages } from '../formats/anthropic-messages/index.js';
import { anthropicLimitHeaders } from '../model/limit-figures.js';
import type { Dialect, GatewayReply } from './dialect.js';
import { findKey } from './find-key.js';
import {
  isAboutChannel,
  isUnknownModel,
  quotaCode,
  reasonIn,
  type RelayError,
  shownUpstreamStatus,
} from '../model/relay-error.js';
import { limitCode, limitIn } from '../model/full-limit.js';
import { STATUS_OF_KIND } from '../model/status-of-kind.js';
import { eventJson } from '../formats/shared/metering/event-data.js';
import { jsonError, retryAdvice } from './json-error.js';

/** The types this dialect's clients know, by status: https://docs.claude.com/en/api/errors (read 2026-11-21). */
const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [405, 'invalid_request_error'],
  [413, 'request_too_large'],
  [415, 'invalid_request_error'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);
const KNOWN_TYPES: ReadonlySet<string> = new Set(TYPES.values());

export const writeAnthropicError = (error: RelayError, callId: string): GatewayReply =>
  jsonError(statusOf(error), anthropicErrorBody(error, callId), error, {
    'request-id': callId,
    ...retryAdvice(error),
  });

/** This API has a status of its own for it. */
const OVERLOADED = 529;

/** Anthropic's client API: https://docs.claude.com/en/api/overview (read 2026-11-21). */
export const anthropic: Dialect = {
  id: 'anthropic',
  routes: [
    { method: 'POST', path: '/v1/messages', operation: 'chat', apiFormat: anthropicMessages },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      operation: 'chat',
      apiFormat: anthropicMessages,
      writeCount: (tokens) => Buffer.from(JSON.stringify({ input_tokens: tokens })),
    },
  ],
  findCredential: (headers) => findKey(headers, { header: 'x-api-key', missing: 'key-missing-anthropic' }),
  writeError: writeAnthropicError,
  limitHeaders: anthropicLimitHeaders,
  writeErrorFrame: (error, callId) => `event: error\ndata: ${anthropicErrorBody(error, callId)}\n\n`,
};

/** `{type: "error", error: {type, message}, request_id}`; the message ends with the call id, as in every dialect. */
export function anthropicErrorBody(error: RelayError, callId: string): string {
  const details = detailsOf(error);
  return eventJson({
    type: 'error',
    error: {
      type: typeOf(error),
      message: `${messageOf(error)} (request id: ${callId})`,
      ...(details === undefined ? {} : { details }),
    },
    request_id: callId,
  });
}

/** The types of this API do not distinguish an account from a key, and no limits. */
function detailsOf(error: RelayError): Readonly<Record<string, unknown>> | undefined {
  const code = quotaCode(error);
  if (code !== undefined) return { code };
  const limit = limitIn(error);
  if (limit !== undefined) return { code: limitCode(error), limit };
  return 'details' in error ? error.details : undefined;
}

function statusOf(error: RelayError): number {
  if (isUnknownModel(error)) return STATUS_OF_KIND['model-not-found'];
  const isMapped = error.blame === 'upstream' && error.isStatusMapped === true;
  if (reasonIn(error)?.is === 'overloaded' && !isMapped) return OVERLOADED;
  return shownUpstreamStatus(error) ?? STATUS_OF_KIND[error.kind];
}

function typeOf(error: RelayError): string {
  const status = statusOf(error);
  if (reasonIn(error)?.is === 'overloaded') return 'overloaded_error';
  const own = error.blame === 'upstream' && !isAboutChannel(error) ? error.vendorType : undefined;
  // A type of another vendor may exist in this API by chance: the status decides its meaning here.
  if (own !== undefined && KNOWN_TYPES.has(own) && TYPES.get(status) === undefined) return own;
  return TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

/** The sentence this API's clients look for, with the vendor's figures where it gave them. */
function messageOf(error: RelayError): string {
  const reason = reasonIn(error);
  if (reason?.is !== 'too-long' || /prompt is too long/i.test(error.message)) return error.message;
  if (reason.most === undefined) return `prompt is too long: ${error.message}`;
  return `prompt is too long: ${reason.used} tokens > ${reason.most} maximum`;
}
