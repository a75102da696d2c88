import type { ErrorRow } from '../error-row.js';

/** Sign-in by an external provider: GitHub, OIDC, WeChat and the like. */
export const IDENTITY_ERRORS = {
  identity_state_invalid: {
    status: 403,
    en: 'This login attempt is unknown, expired, used up or was started in another browser; please start again',
    zh: '登录状态无效、已过期、已使用或来自其他浏览器，请重新发起',
  },
  identity_provider_off: {
    en: 'The administrator has not enabled logging in with {provider}',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  identity_refused: {
    en: '{provider} did not confirm the login; please start again',
    zh: '{provider} 未确认此次登录，请重新发起',
  },
  identity_denied: {
    en: 'The login was canceled at {provider}: {reason}',
    zh: '{provider} 登录已中止：{reason}',
  },
  identity_unreachable: {
    en: '{provider} cannot be reached at the moment; please try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试',
  },
  identity_answer_unreadable: {
    en: '{provider} answered in a form that cannot be used; please contact the administrator',
    zh: '{provider} 返回的内容无法使用，请联系管理员',
  },
  identity_not_welcome: {
    en: 'This {provider} account is not active or is restricted there',
    zh: '该 {provider} 账户未激活或已被限制',
  },
  identity_trust_too_low: {
    en: 'Your trust level at {provider} is {level}; level {minimum} is required',
    zh: '您的 {provider} 信任等级为 {level}，需要达到 {minimum} 级',
  },
  identity_taken: {
    en: 'This {provider} account is already bound to a user',
    zh: '该 {provider} 账户已被绑定',
  },
  identity_bound_already: {
    en: 'Your account is already bound to another {provider} account; unbind that one first',
    zh: '您的账户已绑定其他 {provider} 账户，请先解绑',
  },
  identity_not_bound: {
    en: 'Your account is not bound to a {provider} account',
    zh: '您的账户未绑定 {provider} 账户',
  },
  identity_unknown: {
    en: 'This {provider} account is not bound to any user; log in another way and bind it in the personal settings',
    zh: '该 {provider} 账户未绑定，请先以其他方式登录并在个人设置中绑定',
  },
  identity_last_way: {
    en: 'This is the only way to log in to your account; set a password or bind another identity first',
    zh: '这是您账户唯一的登录方式，请先设置密码或绑定其他账户',
  },
  reset_release_needs_login: {
    en: 'Log in first: an authenticator app guards this account',
    zh: '该账户启用了身份验证器，请先登录',
  },
  server_address_required: {
    en: 'The administrator has to set the server address before this can be used',
    zh: '管理员需要先设置服务器地址',
  },
  wechat_code_wrong: { en: 'The code is wrong or has expired', zh: '验证码错误或已过期' },
  telegram_expired: {
    en: 'The confirmation of Telegram has expired or was used before; please start again',
    zh: 'Telegram 登录确认已过期或已使用，请重新发起',
  },
  telegram_forged: { en: 'The confirmation of Telegram is not genuine', zh: '无效的 Telegram 登录请求' },
  oidc_address_invalid: {
    en: 'The well-known URL must start with http:// or https://',
    zh: 'Well-Known URL 必须以 http:// 或 https:// 开头',
  },
  oidc_discovery_failed: {
    en: 'Failed to fetch the OIDC configuration, please check the network and the well-known URL: {reason}',
    zh: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确：{reason}',
  },
} as const satisfies Record<string, ErrorRow>;
