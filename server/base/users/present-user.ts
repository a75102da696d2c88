import type { UserView } from './user-view.js';
import type { UserEntity } from './user.entity.js';
import { presentSetting } from './user-setting.js';

/** An account as the console sees it: a list of members, never the row. */
export function presentUser(user: UserEntity, balance: number, viewer: 'owner' | 'administrator'): UserView {
  return {
    id: user.id,
    username: user.username,
    password: '',
    original_password: '',
    display_name: user.displayName,
    role: user.role,
    status: user.status,
    email: user.email,
    github_id: user.githubId ?? '',
    oidc_id: user.oidcId ?? '',
    wechat_id: user.wechatId ?? '',
    telegram_id: user.telegramId ?? '',
    linux_do_id: user.linuxDoId ?? '',
    verification_code: '',
    quota: balance,
    used_quota: user.usedQuota,
    refunded_quota: user.refundedQuota,
    request_count: user.requestCount,
    group: user.group,
    aff_code: user.affCode ?? '',
    aff_count: user.affCount,
    aff_quota: user.affQuota,
    aff_history_quota: user.affHistory,
    inviter_id: user.inviterId,
    setting: presentSetting(user.setting, viewer === 'owner'),
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
    DeletedAt: user.deletedAtMs === null ? null : new Date(user.deletedAtMs).toISOString(),
  };
}

/** Answer of a login: the account, and nothing else. */
export function presentLogin(user: {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly role: number;
  readonly status: number;
  readonly group: string;
}): UserView {
  return {
    id: user.id,
    username: user.username,
    password: '',
    original_password: '',
    display_name: user.displayName,
    role: user.role,
    status: user.status,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    verification_code: '',
    quota: 0,
    used_quota: 0,
    refunded_quota: 0,
    request_count: 0,
    group: user.group,
    aff_code: '',
    aff_count: 0,
    aff_quota: 0,
    aff_history_quota: 0,
    inviter_id: 0,
    setting: '',
    created_at: 0,
    last_login_at: 0,
    DeletedAt: null,
  };
}
