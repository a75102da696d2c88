import { DomainError } from '../../common/errors/domain-error.js';
import { readRange } from '../../common/ip-address.js';
import { cleanLine, cleanText, lengthOf, splitList } from '../../common/text.js';
import {
  joinTags,
  MOST_TAG_CHARACTERS,
  MOST_TAGS,
  splitTags,
  tagText,
} from '../../relay-core/model/tag-text.js';
import { TOKEN_LENGTHS } from './dto/token.dto.js';
import { NEVER, TOKEN_STATUS } from './token.codes.js';

const MAX_MODEL_LIMITS = 2_000;
const MAX_MODEL_NAME_BYTES = 255;
const MAX_ALLOWED_ADDRESSES = 500;

/** Fails: token_name_required, token_name_too_long. */
export function checkTokenName(text: string): string {
  const name = cleanLine(text);
  if (name === '') throw new DomainError('token_name_required');
  const max = TOKEN_LENGTHS.name;
  if (lengthOf(name) > max) throw new DomainError('token_name_too_long', { max });
  return name;
}

/**
 * Expiry as it is stored: -1 = never (0 means the same). An unchanged past expiry may be saved again.
 * Fails: token_expiry_past.
 */
export function checkExpiry(expiredTime: number, nowSeconds: number, stored?: number): number {
  if (expiredTime === NEVER || expiredTime === stored) return expiredTime;
  if (expiredTime <= nowSeconds) throw new DomainError('token_expiry_past');
  return expiredTime;
}

/** Fails: token_quota_negative. */
export function checkTokenQuota(remainQuota: number): number {
  if (remainQuota < 0) throw new DomainError('token_quota_negative');
  return remainQuota;
}

/**
 * One address or CIDR range per line, in the form it will be compared in.
 * Fails: token_address_invalid, naming the line.
 */
export function checkAllowedAddresses(text: string | null): string {
  const lines = splitList(cleanText(text ?? ''));
  if (lines.length > MAX_ALLOWED_ADDRESSES)
    throw new DomainError('invalid_input', {
      field: 'allow_ips',
      problem: ` (must be at most ${MAX_ALLOWED_ADDRESSES} lines)`,
    });
  for (const line of lines) {
    if (readRange(line) === null)
      throw new DomainError('token_address_invalid', { address: line.slice(0, 64) });
  }
  return lines.join('\n');
}

/** Comma list of tags in the form calls have them. Fails: invalid_input. */
export function checkTokenTags(tags: string | readonly string[]): string {
  const read = splitTags(typeof tags === 'string' ? tags : tags.join(',')).map(tagText);
  const names = [...new Set(read.map(({ text }) => text).filter((text) => text !== ''))];
  if (names.length > MOST_TAGS || read.some(({ isCut }) => isCut))
    throw new DomainError('invalid_input', {
      field: 'tags',
      problem: ` (must be at most ${MOST_TAGS} tags of at most ${MOST_TAG_CHARACTERS} characters)`,
    });
  return joinTags(names);
}

/** Comma list of model names, cleaned. Fails: invalid_input. */
export function checkModelLimits(models: string | readonly string[]): string {
  const names = splitList(typeof models === 'string' ? models : models.join(','));
  const tooLong = names.some((name) => Buffer.byteLength(name) > MAX_MODEL_NAME_BYTES);
  if (tooLong || names.length > MAX_MODEL_LIMITS)
    throw new DomainError('invalid_input', {
      field: 'model_limits',
      problem: ` (must be at most ${MAX_MODEL_LIMITS} names of at most ${MAX_MODEL_NAME_BYTES} bytes)`,
    });
  return names.join(',');
}

/** Fails: group_not_usable. Empty = the owner's own group, always allowed. */
export function checkTokenGroup(group: string, usable: ReadonlySet<string>): string {
  const name = cleanLine(group);
  if (name !== '' && !usable.has(name)) throw new DomainError('group_not_usable', { group: name });
  return name;
}

/** Limits of a token, beside the stored switch. */
export interface TokenLimits {
  readonly status: number;
  readonly expiredTime: number;
  readonly unlimitedQuota: boolean;
  /** Quota it may still spend, unspent reservations included. */
  readonly remainder: number;
}

/** The state clients read: expired and exhausted follow from the limits, so that a renewed token works at once. */
export function deriveTokenStatus(limits: TokenLimits, nowSeconds: number): number {
  if (limits.status === TOKEN_STATUS.disabled) return TOKEN_STATUS.disabled;
  if (limits.expiredTime !== NEVER && limits.expiredTime <= nowSeconds) return TOKEN_STATUS.expired;
  if (!limits.unlimitedQuota && limits.remainder <= 0) return TOKEN_STATUS.exhausted;
  return TOKEN_STATUS.enabled;
}

/**
 * Status a person asks for. Only 1 and 2 are stored; a token still past its limit cannot be enabled.
 * Fails: invalid_input, token_still_expired, token_still_exhausted.
 */
export function checkStatusChange(status: number, limits: TokenLimits, nowSeconds: number): number {
  if (status === TOKEN_STATUS.disabled) return status;
  if (status !== TOKEN_STATUS.enabled)
    throw new DomainError('invalid_input', {
      field: 'status',
      problem: ' (must be 1, enabled, or 2, disabled)',
    });
  const after = deriveTokenStatus({ ...limits, status }, nowSeconds);
  if (after === TOKEN_STATUS.expired) throw new DomainError('token_still_expired');
  if (after === TOKEN_STATUS.exhausted) throw new DomainError('token_still_exhausted');
  return status;
}

/** Facts of a token that its row does not hold. */
export interface TokenState {
  /** In clear. */
  readonly key: string;
  /** Quota a limited token may still spend, unspent reservations included. */
  readonly remainder: number;
  readonly nowSeconds: number;
}
