import type { RelayError } from '../../relay-core/model/relay-error.js';
import { isInRanges, type StatusRanges } from '../../relay-core/model/status-ranges.js';

/** Statuses that speak of the channel's own account, never of what a user wrote. */
const ACCOUNT_STATUSES = new Set([401, 402, 403]);
const USUAL_STATUSES: StatusRanges = [[401, 401]];
const TELLING_CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'insufficient_quota',
]);
const TELLING_TYPES = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);

/**
 * Why a failure speaks against the channel itself, or null. Only the status and the vendor's own type and code count;
 * message text is looked at on account statuses alone, so that nobody can provoke it with a prompt (UP-07).
 * @param keywords  operator's phrases, any case
 * @param statuses  operator's list; 402 (nothing left to pay with) always counts, 400 (the request) never
 */
export function evidenceAgainstChannel(
  error: RelayError,
  keywords: readonly string[],
  statuses: StatusRanges = USUAL_STATUSES,
): string | null {
  if (error.blame !== 'upstream') return null;
  const { upstreamStatus, vendorCode, vendorType } = error;
  if (upstreamStatus === undefined || upstreamStatus < 400) return null;
  const isTelling =
    upstreamStatus === 402 || (upstreamStatus !== 400 && isInRanges(statuses, upstreamStatus));
  if (isTelling) return `status ${upstreamStatus}: ${error.message}`;
  // An upstream that answers 400 may be quoting the request in any field.
  if (upstreamStatus !== 400) {
    if (vendorCode !== undefined && TELLING_CODES.has(vendorCode)) return `${vendorCode}: ${error.message}`;
    if (vendorType !== undefined && TELLING_TYPES.has(vendorType)) return `${vendorType}: ${error.message}`;
  }
  if (!ACCOUNT_STATUSES.has(upstreamStatus)) return null;
  const text = error.message.toLowerCase();
  const keyword = keywords.find((phrase) => phrase !== '' && text.includes(phrase.toLowerCase()));
  return keyword === undefined ? null : `status ${upstreamStatus}: ${error.message}`;
}
