import type { ErrorRow } from '../error-row.js';

/** API tokens. */
export const TOKEN_ERRORS = {
  token_in_address: {
    status: 401,
    en: 'Send the key in the Authorization header; in an address it is written into logs, so make a new one',
    zh: '请通过 Authorization 请求头发送密钥；地址中的密钥会被写入日志，请更换该密钥',
  },
  token_invalid: { status: 401, en: 'Invalid token', zh: '无效的令牌' },
  token_name_required: { en: 'Please enter a name for the token', zh: '请输入令牌名称' },
  token_name_too_long: {
    en: 'The token name may have at most {max} characters',
    zh: '令牌名称过长，最多 {max} 个字符',
  },
  token_expiry_past: { en: 'The expiry time must be in the future', zh: '过期时间必须晚于当前时间' },
  token_quota_negative: { en: 'The quota must not be negative', zh: '额度不能为负数' },
  token_address_invalid: {
    en: 'Not an IP address or CIDR range: {address}',
    zh: '不是有效的 IP 地址或网段：{address}',
  },
  restore_owner_deregistered: {
    en: 'The account of this token is deregistered; restore the account first',
    zh: '该令牌所属账户已注销，请先恢复账户',
  },
  token_limit_reached: {
    en: 'You already have {max} tokens, delete some first',
    zh: '令牌数量已达上限 {max}，请先删除一些',
  },
  token_still_expired: {
    en: 'The token has expired: change its expiry time first, or set it to never expire',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  },
  token_still_exhausted: {
    en: 'The quota of the token is used up: raise it first, or set it to unlimited',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  },
  token_locked: {
    en: 'An administrator has disabled this token: {reason}. It can only be deleted',
    zh: '管理员已禁用该令牌：{reason}。该令牌只能删除',
  },
  token_not_locked: { en: 'The token has no lock', zh: '该令牌未被锁定' },
  token_lock_reason: {
    en: 'Please enter a reason of 1 to {max} characters; the owner reads it',
    zh: '请填写 1-{max} 个字符的原因，令牌所有者会看到',
  },
  group_not_usable: { en: 'You cannot use the group {group}', zh: '无权使用分组 {group}' },
} as const satisfies Record<string, ErrorRow>;
