import {
  isAboutChannel,
  isUnknownModel,
  QUOTA_CODES,
  quotaCode,
  reasonIn,
  type RelayError,
  type RelayErrorKind,
  shownUpstreamStatus,
} from '../model/relay-error.js';
import { limitCode, limitIn } from '../model/full-limit.js';
import { STATUS_OF_KIND } from '../model/status-of-kind.js';
import { eventJson } from '../formats/shared/metering/event-data.js';
import type { GatewayReply } from './dialect.js';
import { jsonError, retryAdvice } from './json-error.js';

/** Type of the gateway's own failures; callers' mistakes carry the type this dialect's clients know. */
const GATEWAY_ERROR = 'tollgate_error';
const INVALID_REQUEST = 'invalid_request_error';

interface OpenaiErrorCode {
  readonly type: string;
  readonly code: string | null;
}

/** Type and code of each failure. */
export const OPENAI_ERROR_CODES: Readonly<Record<RelayErrorKind, OpenaiErrorCode>> = {
  unauthenticated: { type: INVALID_REQUEST, code: 'invalid_api_key' },
  'address-refused': { type: GATEWAY_ERROR, code: 'access_denied' },
  'account-banned': { type: GATEWAY_ERROR, code: 'account_banned' },
  forbidden: { type: GATEWAY_ERROR, code: 'access_denied' },
  'invalid-request': { type: INVALID_REQUEST, code: 'invalid_request' },
  'body-too-large': { type: INVALID_REQUEST, code: 'read_request_body_failed' },
  'unsupported-media': { type: INVALID_REQUEST, code: 'unsupported_media_type' },
  'model-refused': { type: GATEWAY_ERROR, code: 'model_not_allowed' },
  'content-refused': { type: GATEWAY_ERROR, code: 'sensitive_words_detected' },
  'not-found': { type: INVALID_REQUEST, code: null },
  'not-implemented': { type: GATEWAY_ERROR, code: 'api_not_implemented' },
  'model-not-found': { type: INVALID_REQUEST, code: 'model_not_found' },
  'rate-limited': { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  'quota-insufficient': { type: GATEWAY_ERROR, code: QUOTA_CODES.user },
  'limit-full': { type: GATEWAY_ERROR, code: 'limit_reached' },
  'price-missing': { type: GATEWAY_ERROR, code: 'model_price_error' },
  'channel-unavailable': { type: GATEWAY_ERROR, code: 'model_not_found' },
  'channels-full': { type: GATEWAY_ERROR, code: 'channels_full' },
  unavailable: { type: GATEWAY_ERROR, code: 'service_unavailable' },
  'shutting-down': { type: GATEWAY_ERROR, code: 'server_shutdown' },
  internal: { type: GATEWAY_ERROR, code: 'internal_error' },
  'loop-detected': { type: GATEWAY_ERROR, code: 'loop_detected' },
  'limit-reached': { type: GATEWAY_ERROR, code: 'response_limit_reached' },
  'client-gone': { type: GATEWAY_ERROR, code: 'client_gone' },
  'upstream-key-refused': { type: 'upstream_error', code: 'bad_response_status_code' },
  'upstream-quota-spent': { type: 'upstream_error', code: 'bad_response_status_code' },
  'upstream-rate-limited': { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  'upstream-overloaded': { type: 'upstream_error', code: 'bad_response_status_code' },
  'upstream-timeout': { type: 'upstream_error', code: 'upstream_timeout' },
  'upstream-unreachable': { type: 'upstream_error', code: 'do_request_failed' },
  'upstream-request-rejected': { type: 'upstream_error', code: 'bad_response_status_code' },
  'upstream-malformed': { type: 'upstream_error', code: 'bad_response' },
  'upstream-broken': { type: 'upstream_error', code: 'bad_response' },
};

/**
 * `{error: {message, type, param, code}}`; the message ends with the call id, by which an operator finds the call. Refusals by a limit have
 * `limit` beside them.
 */
export function openaiErrorBody(error: RelayError, callId: string): string {
  const row = rowOf(error);
  const limit = limitIn(error);
  return eventJson({
    error: {
      message: `${messageOf(error)} (request id: ${callId})`,
      type: row.type,
      param: paramOf(error),
      code: row.code,
      ...(limit === undefined ? {} : { limit }),
    },
  });
}

export const writeOpenaiError = (error: RelayError, callId: string): GatewayReply =>
  jsonError(rowOf(error).status, openaiErrorBody(error, callId), error, retryAdvice(error));

/** The code of a refusal that is more specific than its kind. */
export const narrowerCode = (error: RelayError): string | undefined =>
  quotaCode(error) ??
  (error.kind === 'limit-full' ? limitCode(error) : undefined) ??
  ('code' in error ? error.code : undefined);

function rowOf(error: RelayError): OpenaiErrorCode & { readonly status: number } {
  const kind = isUnknownModel(error) ? 'model-not-found' : error.kind;
  const row = { status: STATUS_OF_KIND[kind], ...OPENAI_ERROR_CODES[kind] };
  const code = narrowerCode(error);
  if (code !== undefined) return { ...row, code };
  if (error.blame !== 'upstream') return row;
  const shown = shownUpstreamStatus(error);
  if (shown === undefined || isAboutChannel(error)) return { ...row, status: shown ?? row.status };
  switch (error.reason?.is) {
    case 'too-long':
      return { status: shown, type: INVALID_REQUEST, code: 'context_length_exceeded' };
    case 'no-model':
      return { status: shown, type: INVALID_REQUEST, code: 'model_not_found' };
    case 'overloaded': {
      const status = error.isStatusMapped === true ? shown : 503;
      return { status, type: 'service_unavailable_error', code: 'server_is_overloaded' };
    }
    case undefined:
      return { status: shown, ...ownErrorCode(error, row, shown) };
  }
}

/**
 * Types of other APIs that resemble this one's: Anthropic's, Mistral's, llama.cpp's. The status states the kind of the failure; so
 * do types in another spelling (`INVALID_ARGUMENT`, `ValidationException`, `invalid-argument`).
 */
const FOREIGN_TYPES: ReadonlySet<string> = new Set([
  'authentication_error',
  'permission_error',
  'billing_error',
  'not_found_error',
  'request_too_large',
  'api_error',
  'timeout_error',
  'overloaded_error',
  'not_supported_error',
  'exceed_context_size_error',
  'invalid_model',
  'invalid_request_prompt',
  'invalid_request_invalid_args',
]);
const CODE_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

function ownErrorCode(
  { vendorType, vendorCode }: Extract<RelayError, { blame: 'upstream' }>,
  row: OpenaiErrorCode,
  status: number,
): OpenaiErrorCode {
  const type =
    vendorType !== undefined && CODE_PATTERN.test(vendorType) && !FOREIGN_TYPES.has(vendorType)
      ? vendorType
      : undefined;
  const code = vendorCode !== undefined && CODE_PATTERN.test(vendorCode) ? vendorCode : undefined;
  if (type !== undefined) return { type, code: code ?? null };
  if (status === 429) return { type: 'rate_limit_error', code: code ?? 'rate_limit_exceeded' };
  if (status >= 500)
    return { type: vendorType === undefined ? row.type : 'server_error', code: code ?? row.code };
  return { type: INVALID_REQUEST, code: code ?? (status === 404 ? 'not_found' : null) };
}

/** The sentence this API's clients look for, with the vendor's figures where it gave them. */
function messageOf(error: RelayError): string {
  const reason = reasonIn(error);
  if (reason?.is !== 'too-long' || /context length|context window/i.test(error.message)) return error.message;
  if (reason.most === undefined) return `This model's maximum context length is exceeded: ${error.message}`;
  return `This model's maximum context length is ${reason.most} tokens. However, your messages resulted in ${reason.used} tokens. Please reduce the length of the messages.`;
}

function paramOf(error: RelayError): string | null {
  if ('param' in error && error.param !== undefined) return error.param;
  if ('vendorParam' in error && error.vendorParam !== undefined) return error.vendorParam;
  return null;
}
