import type { ErrorRow } from '../error-row.js';

/** Accounts: names, passwords, roles, balances, notifications. */
export const ACCOUNT_ERRORS = {
  username_and_password_required: { en: 'Username and password cannot be empty', zh: '用户名和密码不能为空' },
  username_invalid: {
    en: 'The username must have 3 to {max} characters: letters, digits, dots, dashes and underscores',
    zh: '用户名须为 3 到 {max} 个字符，只能包含字母、数字、点、短横线和下划线',
  },
  username_reserved: { en: 'This username is reserved', zh: '该用户名已被保留' },
  username_taken: {
    en: 'The username already exists, or belonged to a deregistered account',
    zh: '用户名已存在，或已注销',
  },
  password_length: {
    en: 'The password must have {min} to {max} characters',
    zh: '密码长度须为 {min} 到 {max} 个字符',
  },
  password_well_known: {
    en: 'This password is too common, please choose another',
    zh: '该密码过于常见，请更换其他密码',
  },
  password_original_wrong: { en: 'The original password is wrong', zh: '原密码错误' },
  password_unchanged: {
    en: 'The new password must differ from the original one',
    zh: '新密码需要和原密码不一致',
  },
  display_name_invalid: {
    en: 'The display name must not contain invisible characters or characters that change the reading direction',
    zh: '显示名称不能包含不可见字符或改变文字方向的字符',
  },
  restore_left_account: {
    en: 'The owner deleted this account, so it cannot be restored',
    zh: '该账户由用户本人注销，无法恢复',
  },
  user_not_deregistered: {
    en: 'Only a deregistered account can be changed like this',
    zh: '仅已注销的账户可执行此操作',
  },
  display_name_reserved: { en: 'This display name is reserved', zh: '该显示名称已被保留' },
  display_name_too_long: {
    en: 'The display name may have at most {max} characters',
    zh: '显示名称过长，最多 {max} 个字符',
  },
  group_unknown: { en: 'The group {group} does not exist', zh: '分组 {group} 不存在' },
  user_not_found: { en: 'The user does not exist', zh: '用户不存在' },
  user_out_of_reach: {
    en: 'No permission to act on users of the same or a higher level',
    zh: '无权操作同权限等级或更高权限等级的用户',
  },
  user_role_too_high: {
    en: 'No permission to give a role equal to or above your own',
    zh: '无权将其他用户权限等级提升到大于等于自己的权限等级',
  },
  user_root_protected: {
    en: 'The super administrator cannot be disabled, deleted or demoted',
    zh: '无法禁用、删除或降级超级管理员用户',
  },
  user_promote_by_root_only: {
    en: 'A regular administrator cannot promote to administrator',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  user_already_admin: { en: 'The user already is an administrator', zh: '该用户已经是管理员' },
  user_already_ordinary: { en: 'The user already is an ordinary user', zh: '该用户已经是普通用户' },
  user_deregistered: { en: 'The user is deregistered and cannot be changed', zh: '用户已注销，无法修改' },
  root_cannot_leave: {
    en: 'The super administrator account cannot be deleted',
    zh: '不能删除超级管理员账户',
  },
  account_name_mismatch: {
    en: 'Enter your account name to confirm deletion',
    zh: '请输入您的账户名以确认删除！',
  },
  balance_too_high: { en: 'The balance would become too large', zh: '余额将超出上限' },
  balance_too_low: {
    en: 'The balance is smaller than what is to be taken from it',
    zh: '余额不足，无法扣除该额度',
  },
  adjustment_too_large: {
    en: 'Only root may adjust a balance by more than {limit} at once',
    zh: '单次调整额度超过 {limit} 仅限超级管理员操作',
  },
  gift_too_large: {
    en: 'Only root may set {key} above {limit}',
    zh: '仅超级管理员可将 {key} 设为超过 {limit}',
  },
  administrator_daily_limit: {
    en: 'Administrators may add {limit} quota a day (UTC): {rest} of it is left for you',
    zh: '管理员每日（UTC）可增加的额度上限为 {limit}，您今日剩余 {rest}',
  },
  balance_in_use: {
    en: 'The balance is too low for this: part of it is set aside for running calls',
    zh: '余额不足：部分额度正被进行中的请求占用',
  },
  notify_type_invalid: { en: 'Invalid notification type', zh: '无效的预警类型' },
  time_zone_unknown: {
    en: 'Unknown time zone: enter one such as Asia/Kolkata',
    zh: '未知的时区，请填写如 Asia/Kolkata 的时区名称',
  },
  notify_threshold_invalid: {
    en: 'The warning threshold must be 0 (no warnings) or more',
    zh: '预警阈值必须大于或等于 0（0 表示不提醒）',
  },
  webhook_address_invalid: {
    en: 'The webhook address must be an https address',
    zh: 'Webhook 地址必须以 https:// 开头',
  },
  webhook_address_forbidden: {
    en: 'This webhook address may not be called: it leads into a private network, or to a port that is not allowed',
    zh: '不允许使用该 Webhook 地址：它指向内部网络，或使用了不允许的端口',
  },
  webhook_address: {
    en: 'The webhook was not called: its address is not allowed',
    zh: 'Webhook 未发送：不允许访问该地址',
  },
  webhook_unreachable: {
    en: 'The webhook was not delivered: its address cannot be reached',
    zh: 'Webhook 发送失败：无法访问该地址',
  },
  webhook_refused: {
    en: 'The webhook was called, and did not answer with success',
    zh: 'Webhook 已发送，但对方未返回成功状态',
  },
  notification_address_missing: {
    en: 'There is no address for notifications: bind an email address, or enter a webhook',
    zh: '没有可用的通知地址：请绑定邮箱或填写 Webhook',
  },
  aff_transfer_minimum: { en: 'The transfer amount minimum is {minimum}', zh: '划转额度最低为 {minimum}' },
  aff_transfer_short: {
    en: 'Transfer failed: the invite earnings are smaller than that',
    zh: '划转失败：邀请额度不足',
  },
  notification_mail_invalid: { en: 'Invalid email address', zh: '无效的邮箱地址' },
  weekly_email_unavailable: {
    en: 'The weekly email is not available: it is turned off, or the server has no mail server or public address',
    zh: '每周邮件不可用：该功能已关闭，或服务器未配置邮件服务或公开地址',
  },
  account_deregistered: { en: 'The account has been deregistered', zh: '用户已注销' },
} as const satisfies Record<string, ErrorRow>;
