import type { ErrorRow } from '../error-row.js';

/** Signing in, registering, letters and the human check. */
export const SIGN_IN_ERRORS = {
  login_fields_required: { en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    en: 'Wrong username or password, or the account is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  login_by_password_off: {
    en: 'The administrator has turned off logging in with a password',
    zh: '管理员关闭了密码登录',
  },
  login_too_often: {
    status: 429,
    en: 'Too many failed attempts, please try again in {seconds} seconds',
    zh: '失败次数过多，请在 {seconds} 秒后再试',
  },
  account_banned: { en: 'The account has been banned', zh: '用户已被封禁' },
  register_off: { en: 'The administrator has turned off registration', zh: '管理员关闭了新用户注册' },
  register_by_password_off: {
    en: 'The administrator has turned off registration with a password, please use another way to log in',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  passwords_differ: { en: 'The two passwords are inconsistent', zh: '两次输入的密码不一致' },
  mail_required: { en: 'Please enter an email address', zh: '请输入邮箱地址' },
  mail_invalid: { en: 'Invalid email address', zh: '无效的邮箱地址' },
  mail_domain_refused: {
    en: 'The administrator accepts addresses of certain mail domains only, and this is none of them',
    zh: '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
  },
  mail_alias_refused: {
    en: 'The administrator does not accept mail aliases: the part before @ must not contain "+" or "."',
    zh: '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝',
  },
  mail_taken: { en: 'This email address is already in use', zh: '邮箱地址已被占用' },
  mail_code_required: {
    en: 'Please enter the email address and the verification code sent to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  mail_code_missing: { en: 'Enter the email verification code', zh: '请输入邮箱验证码！' },
  mail_code_wrong: { en: 'The verification code is wrong or has expired', zh: '验证码错误或已过期' },
  mail_too_often: {
    status: 429,
    en: 'Mails were just sent to this address, please try again in {seconds} seconds',
    zh: '邮件发送过于频繁，请在 {seconds} 秒后再试',
  },
  mail_unavailable: {
    en: 'Sending mail is not set up on this server. Please ask the administrator',
    zh: '此服务器尚未设置邮件发送，请联系管理员',
  },
  mail_not_sent: {
    en: 'The mail could not be sent, please try again later or ask the administrator',
    zh: '邮件发送失败，请稍后再试或联系管理员',
  },
  mail_failed: { en: 'The mail could not be sent: {reason}', zh: '邮件发送失败：{reason}' },
  reset_unavailable: {
    en: 'Passwords cannot be reset by mail: the administrator has not set the server address',
    zh: '无法通过邮件重置密码：管理员尚未设置服务器地址',
  },
  reset_link_invalid: { en: 'The reset link is invalid or has expired', zh: '重置链接非法或已过期' },
  human_check_required: {
    en: 'Please retry in a few seconds: the human check has not finished yet',
    zh: '请稍后几秒重试，Turnstile 正在检查用户环境！',
  },
  human_check_failed: {
    en: 'The human check failed, please refresh and retry',
    zh: 'Turnstile 校验失败，请刷新重试！',
  },
  human_check_away: {
    en: 'The human check cannot be made right now, please try again shortly',
    zh: '人机验证服务暂时不可用，请稍后再试',
  },
  register_mail_unavailable: {
    en: 'Registration needs a code sent by mail, and sending mail is not set up on this server. Please ask the administrator',
    zh: '注册需要邮箱验证码，但此服务器尚未设置邮件发送，请联系管理员',
  },
} as const satisfies Record<string, ErrorRow>;
