import type { ErrorRow } from '../error-row.js';

/** Second step, passkeys and proofs of who is asking. */
export const FACTOR_ERRORS = {
  two_factor_code_wrong: {
    en: 'The code is wrong or was used already. Codes of an app change every 30 seconds',
    zh: '验证码错误或已被使用。验证器中的验证码每 30 秒更换一次',
  },
  two_factor_locked: {
    status: 429,
    en: 'Too many wrong codes, please try again in {minutes} minutes',
    zh: '验证码错误次数过多，请在 {minutes} 分钟后再试',
  },
  two_factor_on: { en: 'Two-factor authentication is already on', zh: '两步验证已经启用' },
  two_factor_off: { en: 'Two-factor authentication is not on', zh: '尚未启用两步验证' },
  two_factor_setup_missing: {
    en: 'The set-up has expired, please scan a new QR code',
    zh: '设置已过期，请重新扫描二维码',
  },
  second_step_expired: {
    en: 'This login has expired, please log in again',
    zh: '本次登录已过期，请重新登录',
  },
  proof_required: { en: 'Please enter your password to confirm', zh: '请输入密码以确认操作' },
  proof_wrong: { en: 'The password is wrong', zh: '密码错误' },
  proof_by_code: {
    en: 'Please confirm with a code of your authenticator app',
    zh: '请使用验证器中的验证码进行确认',
  },
  factors_own: {
    en: 'Your own two-factor authentication and passkeys are changed in the personal settings',
    zh: '请在个人设置中修改自己的两步验证和通行密钥',
  },
  password_change_required: {
    status: 403,
    en: 'The root account has a well-known password: change it before anything else',
    zh: '超级管理员正在使用众所周知的默认密码，请先修改密码',
  },
  login_not_fresh: {
    status: 403,
    en: 'This needs a recent login: please confirm who you are and try again',
    zh: '此操作需要近期登录验证，请先确认身份后重试',
  },
  passkey_off: { en: 'The administrator has turned off passkeys', zh: '管理员关闭了通行密钥登录' },
  passkey_unavailable: {
    en: 'Passkeys need the console to be opened by its host name over https (or on localhost)',
    zh: '通行密钥需要通过 https 域名（或 localhost）访问控制台',
  },
  passkey_refused: { en: 'The passkey was not accepted, please try again', zh: '通行密钥验证失败，请重试' },
  passkey_known: { en: 'This passkey is already registered', zh: '该通行密钥已注册' },
  passkey_limit: {
    en: 'An account can have {max} passkeys; please remove one first',
    zh: '每个账户最多可有 {max} 个通行密钥，请先删除一个',
  },
  passkey_last_way: {
    en: 'This passkey is the only way to log in to this account and cannot be removed',
    zh: '该通行密钥是此账户唯一的登录方式，无法删除',
  },
  passkey_name_invalid: {
    en: 'The name must have 1 to {max} characters',
    zh: '名称长度必须为 1 到 {max} 个字符',
  },
} as const satisfies Record<string, ErrorRow>;
