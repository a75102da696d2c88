import { secondsToWait } from '../../../common/retry-after.js';
import {
  isAboutChannel,
  isFinalFailure,
  isUnknownModel,
  quotaCode,
  reasonIn,
  type RelayError,
  type RelayErrorKind,
  shownUpstreamStatus,
} from '../../model/relay-error.js';
import { limitCode, limitIn } from '../../model/full-limit.js';
import type { ShownLimit } from '../../model/limit-refusal.js';
import { STATUS_OF_KIND } from '../../model/status-of-kind.js';

/** Google's word for each status (https://cloud.google.com/apis/design/errors, read 2026-11-21). */
const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
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

/** The reason of each failure that a program may look at. */
const REASONS: Readonly<Record<RelayErrorKind, string>> = {
  unauthenticated: 'API_KEY_INVALID',
  'address-refused': 'ACCESS_DENIED',
  'account-banned': 'ACCOUNT_BANNED',
  forbidden: 'ACCESS_DENIED',
  'invalid-request': 'INVALID_REQUEST',
  'body-too-large': 'BODY_TOO_LARGE',
  'unsupported-media': 'UNSUPPORTED_MEDIA_TYPE',
  'model-refused': 'MODEL_NOT_ALLOWED',
  'content-refused': 'PROMPT_BLOCKED',
  'not-found': 'NOT_FOUND',
  'not-implemented': 'NOT_IMPLEMENTED',
  'model-not-found': 'MODEL_NOT_FOUND',
  'rate-limited': 'RATE_LIMIT_EXCEEDED',
  'quota-insufficient': 'INSUFFICIENT_USER_QUOTA',
  'limit-full': 'LIMIT_REACHED',
  'price-missing': 'MODEL_PRICE_ERROR',
  'channel-unavailable': 'NO_CHANNEL',
  'channels-full': 'CHANNELS_FULL',
  unavailable: 'SERVICE_UNAVAILABLE',
  'shutting-down': 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_ERROR',
  'loop-detected': 'LOOP_DETECTED',
  'limit-reached': 'RESPONSE_LIMIT_REACHED',
  'client-gone': 'CLIENT_GONE',
  'upstream-key-refused': 'UPSTREAM_KEY_REFUSED',
  'upstream-quota-spent': 'UPSTREAM_QUOTA_SPENT',
  'upstream-rate-limited': 'UPSTREAM_RATE_LIMITED',
  'upstream-overloaded': 'UPSTREAM_OVERLOADED',
  'upstream-timeout': 'UPSTREAM_TIMEOUT',
  'upstream-unreachable': 'UPSTREAM_UNREACHABLE',
  'upstream-request-rejected': 'UPSTREAM_REQUEST_REJECTED',
  'upstream-malformed': 'UPSTREAM_MALFORMED',
  'upstream-broken': 'UPSTREAM_BROKEN',
};

const OWN_DOMAIN = 'tollgate';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const QUOTA_FAILURE = 'type.googleapis.com/google.rpc.QuotaFailure';
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';

/** Status a failure is answered with. */
export function errorStatus(error: RelayError): number {
  if (isUnknownModel(error)) return STATUS_OF_KIND['model-not-found'];
  const isMapped = error.blame === 'upstream' && error.isStatusMapped === true;
  if (reasonIn(error)?.is === 'overloaded' && !isMapped) return 503;
  // This API's clients repeat every 5xx for a minute and know no header against it; a precondition is not repeated.
  if (isAboutChannel(error) && !isMapped && isFinalFailure(error)) return 400;
  return shownUpstreamStatus(error) ?? STATUS_OF_KIND[error.kind];
}

/** Google's word of a status. */
export const statusName = (status: number): string =>
  STATUS_NAMES.get(status) ?? (status >= 500 ? 'INTERNAL' : 'FAILED_PRECONDITION');

/** `{error: {code, message, status, details}}`; the message ends with the call id, by which an operator finds the call. */
export function errorDocument(error: RelayError, callId: string): Record<string, unknown> {
  const status = errorStatus(error);
  return {
    error: {
      code: status,
      message: `${messageOf(error)} (request id: ${callId})`,
      status: statusNameOf(error, status),
      details: detailsOf(error, callId),
    },
  };
}

/** Words of this API that stand beside the usual one of their status; there are no others (`google.rpc.Code`). */
const STATUS_ALIASES: ReadonlyMap<string, number> = new Map([
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['ALREADY_EXISTS', 409],
  ['UNKNOWN', 500],
  ['DATA_LOSS', 500],
]);

function statusNameOf(error: RelayError, status: number): string {
  if (isAboutChannel(error)) return status === 400 ? 'FAILED_PRECONDITION' : statusName(status);
  const own = error.blame === 'upstream' ? (error.vendorType ?? '') : '';
  // A word that belongs to another status would contradict the one that is shown.
  return STATUS_ALIASES.get(own) === status ? own : statusName(status);
}

/** The sentence this API's clients look for, with the vendor's figures where it gave them. */
function messageOf(error: RelayError): string {
  const reason = reasonIn(error);
  if (reason?.is !== 'too-long' || /input token count/i.test(error.message)) return error.message;
  const figures = reason.most === undefined ? undefined : [reason.used, reason.most];
  if (figures === undefined)
    return `The input token count exceeds the maximum number of tokens allowed: ${error.message}`;
  return `The input token count (${figures[0]}) exceeds the maximum number of tokens allowed (${figures[1]}).`;
}

const RPC_STATUS_NAMES: ReadonlySet<string> = new Set([...STATUS_NAMES.values(), ...STATUS_ALIASES.keys()]);

/** Reasons of this API are upper snake case; other vendors' codes are not shown as one. */
const OWN_REASON = /^[A-Z][A-Z0-9_]{1,62}$/;

function detailsOf(error: RelayError, callId: string): readonly Record<string, unknown>[] {
  const said =
    error.blame === 'upstream' && !isAboutChannel(error) ? [error.vendorCode, error.vendorType] : [];
  const limit = limitIn(error);
  const ownReason =
    (quotaCode(error) ?? limitCode(error))?.toUpperCase() ??
    REASONS[isUnknownModel(error) ? 'model-not-found' : error.kind];
  // A word that is no code of a status (`MALFORMED_FUNCTION_CALL`) is the reason, where the vendor gave no other.
  const reason = said.find(
    (word) => word !== undefined && OWN_REASON.test(word) && !RPC_STATUS_NAMES.has(word),
  );
  const details: Record<string, unknown>[] = [
    {
      '@type': ERROR_INFO,
      reason: reason ?? ownReason,
      domain: OWN_DOMAIN,
      metadata: { requestId: callId, ...limitMetadata(limit) },
    },
  ];
  if (limit !== undefined) {
    details.push({
      '@type': QUOTA_FAILURE,
      violations: [{ subject: `${limit.scope}:${limit.name}`, description: error.message }],
    });
  }
  const field = 'param' in error ? error.param : undefined;
  if (field !== undefined) {
    details.push({ '@type': BAD_REQUEST, fieldViolations: [{ field, description: error.message }] });
  }
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  if (retryAfterMs !== undefined) {
    details.push({
      '@type': RETRY_INFO,
      retryDelay: `${secondsToWait(retryAfterMs)}s`,
    });
  }
  return details;
}

/** Values of this map are texts in Google's form. */
function limitMetadata(limit: ShownLimit | undefined): Readonly<Record<string, string>> {
  if (limit === undefined) return {};
  return {
    limit: limit.name,
    limitScope: limit.scope,
    limitMeasure: limit.measure,
    limitAmount: String(limit.amount),
    limitUnit: limit.unit,
    ...(limit.period === null ? {} : { limitPeriod: limit.period }),
    ...(limit.resets_at === null ? {} : { limitResetsAt: limit.resets_at }),
    ...(limit.needed === undefined ? {} : { limitNeeded: String(limit.needed) }),
  };
}
