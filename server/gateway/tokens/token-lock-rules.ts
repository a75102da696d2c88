import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine, lengthOf } from '../../common/text.js';
import { LOCK_REASON_LENGTH } from './dto/administered-token.dto.js';
import type { TokenEntity } from './token.entity.js';
import { TOKEN_STATUS } from './token.codes.js';

type Locked = Pick<TokenEntity, 'lockedAtMs' | 'lockReason'>;

/** Fails: token_locked with the administrator's reason, while the token has a lock. */
export function assertUnlocked(token: Locked): void {
  if (token.lockedAtMs !== null) throw new DomainError('token_locked', { reason: token.lockReason });
}

/** The switch as it counts: a token with a lock is disabled, also where an older instance has enabled it. */
export const storedStatus = (token: Pick<TokenEntity, 'status' | 'lockedAtMs'>): number =>
  token.lockedAtMs === null ? token.status : TOKEN_STATUS.disabled;

/** The reason of a lock, one line of 1 to 200 characters. Fails: token_lock_reason. */
export function checkLockReason(text: string): string {
  const reason = cleanLine(text);
  if (reason === '' || lengthOf(reason) > LOCK_REASON_LENGTH)
    throw new DomainError('token_lock_reason', { max: LOCK_REASON_LENGTH });
  return reason;
}
