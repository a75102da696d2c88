import {
  isAboutChannel,
  type RelayError,
  type RelayErrorKind,
  shownUpstreamStatus,
} from '../../model/relay-error.js';

/** Google's word for each status (https://cloud.google.com/apis/design/errors, read 2026-11-21). */
const WORDS: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'INVALID_ARGUMENT'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [413, 'INVALID_ARGUMENT'],
  [415, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [501, 'UNIMPLEMENTED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** Status of each failure and the reason a program may look at (relay reference 1.13 and 1.14). */
const ROWS: Readonly<Record<RelayErrorKind, readonly [status: number, reason: string]>> = {
  unauthenticated: [401, 'API_KEY_INVALID'],
  'address-refused': [403, 'ACCESS_DENIED'],
  'account-banned': [403, 'ACCOUNT_BANNED'],
  forbidden: [403, 'ACCESS_DENIED'],
  'invalid-request': [400, 'INVALID_REQUEST'],
  'body-too-large': [413, 'BODY_TOO_LARGE'],
  'unsupported-media': [415, 'UNSUPPORTED_MEDIA_TYPE'],
  'model-refused': [403, 'MODEL_NOT_ALLOWED'],
  'content-refused': [400, 'PROMPT_BLOCKED'],
  'not-found': [404, 'NOT_FOUND'],
  'not-implemented': [501, 'NOT_IMPLEMENTED'],
  'model-not-found': [404, 'MODEL_NOT_FOUND'],
  'rate-limited': [429, 'RATE_LIMIT_EXCEEDED'],
  'quota-insufficient': [403, 'INSUFFICIENT_QUOTA'],
  'price-missing': [400, 'MODEL_PRICE_ERROR'],
  'channel-unavailable': [503, 'NO_CHANNEL'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
  'shutting-down': [503, 'SERVICE_UNAVAILABLE'],
  internal: [500, 'INTERNAL_ERROR'],
  'loop-detected': [508, 'LOOP_DETECTED'],
  'limit-reached': [500, 'RESPONSE_LIMIT_REACHED'],
  'client-gone': [499, 'CLIENT_GONE'],
  'upstream-key-refused': [502, 'UPSTREAM_KEY_REFUSED'],
  'upstream-quota-spent': [502, 'UPSTREAM_QUOTA_SPENT'],
  'upstream-rate-limited': [429, 'UPSTREAM_RATE_LIMITED'],
  'upstream-overloaded': [502, 'UPSTREAM_OVERLOADED'],
  'upstream-timeout': [504, 'UPSTREAM_TIMEOUT'],
  'upstream-unreachable': [502, 'UPSTREAM_UNREACHABLE'],
  'upstream-request-rejected': [502, 'UPSTREAM_REQUEST_REJECTED'],
  'upstream-malformed': [502, 'UPSTREAM_MALFORMED'],
  'upstream-broken': [502, 'UPSTREAM_BROKEN'],
};

const OWN_DOMAIN = 'tollgate';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';

/** Status a failure is answered with. */
export const errorStatus = (error: RelayError): number => shownUpstreamStatus(error) ?? ROWS[error.kind][0];

/** Google's word of a status. */
export const statusWord = (status: number): string =>
  WORDS.get(status) ?? (status >= 500 ? 'INTERNAL' : 'FAILED_PRECONDITION');

/** `{error: {code, message, status, details}}`; the message ends with the call id, by which an operator finds the call. */
export function errorDocument(error: RelayError, callId: string): Record<string, unknown> {
  const status = errorStatus(error);
  const vendorWord = error.blame === 'upstream' && !isAboutChannel(error) ? error.vendorType : undefined;
  return {
    error: {
      code: status,
      message: `${error.message} (request id: ${callId})`,
      status: vendorWord !== undefined && OWN_WORD.test(vendorWord) ? vendorWord : statusWord(status),
      details: detailsOf(error, callId),
    },
  };
}

const OWN_WORD = /^[A-Z][A-Z_]{2,63}$/;

function detailsOf(error: RelayError, callId: string): readonly Record<string, unknown>[] {
  const vendorCode = error.blame === 'upstream' && !isAboutChannel(error) ? error.vendorCode : undefined;
  const reason = vendorCode ?? ROWS[error.kind][1];
  const details: Record<string, unknown>[] = [
    { '@type': ERROR_INFO, reason, domain: OWN_DOMAIN, metadata: { requestId: callId } },
  ];
  const field = 'param' in error ? error.param : undefined;
  if (field !== undefined) {
    details.push({ '@type': BAD_REQUEST, fieldViolations: [{ field, description: error.message }] });
  }
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  if (retryAfterMs !== undefined) {
    details.push({
      '@type': RETRY_INFO,
      retryDelay: `${Math.max(1, Math.ceil(retryAfterMs / 1000))}s`,
    });
  }
  return details;
}
