import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine, lengthOf } from '../../common/text.js';

export const MAX_CODES_AT_ONCE = 100;
const MAX_NAME_CHARACTERS = 20;
/** Largest worth of one code. */
export const MAX_CODE_QUOTA = 1_000_000_000_000;

/** @returns the name as it is stored. Fails: redemption_name_length; characters are counted, not bytes. */
export function checkCodeName(typed: string): string {
  const name = cleanLine(typed);
  const length = lengthOf(name);
  if (length < 1 || length > MAX_NAME_CHARACTERS)
    throw new DomainError('redemption_name_length', { max: MAX_NAME_CHARACTERS });
  return name;
}

/** Fails: redemption_quota_range. */
export function checkCodeQuota(quota: number): number {
  if (!Number.isSafeInteger(quota) || quota < 1 || quota > MAX_CODE_QUOTA)
    throw new DomainError('redemption_quota_range', { max: MAX_CODE_QUOTA });
  return quota;
}

/** Fails: redemption_count_range. */
export function checkCodeCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_CODES_AT_ONCE)
    throw new DomainError('redemption_count_range', { max: MAX_CODES_AT_ONCE });
  return count;
}

/** @param expiry  seconds; 0 = never. Fails: redemption_expiry_past. */
export function checkCodeExpiry(expiry: number, nowSeconds: number): number {
  if (!Number.isSafeInteger(expiry) || expiry < 0 || (expiry > 0 && expiry <= nowSeconds))
    throw new DomainError('redemption_expiry_past');
  return expiry;
}
