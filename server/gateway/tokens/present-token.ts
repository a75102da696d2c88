import type { TokenView } from './dto/token.dto.js';
import { deriveTokenStatus } from './token-rules.js';
import type { TokenRow } from './tokens.repository.js';

/**
 * A token for its owner.
 * @param key        in clear
 * @param remainder  what a limited token may still spend, unspent reservations included
 */
export function presentToken(token: TokenRow, key: string, remainder: number, nowSeconds: number): TokenView {
  const unlimitedQuota = Boolean(token.unlimitedQuota);
  const limits = { status: token.status, expiredTime: token.expiredTime, unlimitedQuota, remainder };
  return {
    id: token.id,
    user_id: token.userId,
    key,
    status: deriveTokenStatus(limits, nowSeconds),
    name: token.name,
    created_time: token.createdTime,
    accessed_time: token.accessedTime,
    expired_time: token.expiredTime,
    remain_quota: remainder,
    used_quota: token.usedQuota,
    unlimited_quota: unlimitedQuota,
    model_limits_enabled: Boolean(token.modelLimitsEnabled),
    model_limits: token.modelLimits,
    allow_ips: token.allowIps,
    group: token.group,
    DeletedAt: null,
  };
}
