/**
 * Every refusal of the console API: a stable code, its HTTP status, and the sentence in both languages.
 * Business refusals are 200 with `success: false`, as the clients of this API family expect (design/contract).
 */
export interface ErrorRow {
  readonly status: 200 | 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;
  readonly en: string;
  readonly zh: string;
}

export const ERROR_CATALOGUE = {
  not_signed_in: {
    status: 401,
    en: 'Not logged in or login has expired, please log in again',
    zh: '未登录或登录已过期，请重新登录',
  },
  session_required: {
    status: 200,
    en: 'This needs a login: an access token may not do it',
    zh: '此操作需要登录后进行，不能使用访问令牌',
  },
  not_permitted: { status: 200, en: 'You have no permission to do this', zh: '无权进行此操作' },
  not_found: { status: 200, en: 'Not found', zh: '未找到' },
  invalid_input: { status: 200, en: 'Invalid parameter: {field}', zh: '参数错误：{field}' },
  too_many_requests: {
    status: 429,
    en: 'Too many requests, please try again later',
    zh: '请求次数过多，请稍后再试',
  },
  internal: {
    status: 500,
    en: 'Internal server error, please contact the administrator (request {requestId})',
    zh: '服务器内部错误，请联系管理员（请求 {requestId}）',
  },

  // Requests
  malformed_input: {
    status: 400,
    en: 'Invalid parameter: {field}{problem}',
    zh: '参数错误：{field}{problem}',
  },
  body_unreadable: { status: 400, en: 'The request body is not valid JSON', zh: '请求体不是有效的 JSON' },
  body_too_complex: {
    status: 400,
    en: 'The request body is nested too deeply or has too many members',
    zh: '请求体嵌套过深或成员过多',
  },
  body_too_large: { status: 413, en: 'The request body is too large', zh: '请求体过大' },
  media_type_unsupported: {
    status: 415,
    en: 'The request body must be JSON (Content-Type: application/json, not compressed)',
    zh: '请求体必须是 JSON（Content-Type: application/json，且未压缩）',
  },
  address_unreadable: { status: 400, en: 'The address of the request is malformed', zh: '请求地址格式错误' },
  parameter_repeated: {
    status: 400,
    en: 'The parameter {name} was given more than once',
    zh: '参数 {name} 重复',
  },
  foreign_origin: {
    status: 403,
    en: 'The request comes from another site and was refused',
    zh: '请求来自其他站点，已被拒绝',
  },
  server_busy: {
    status: 503,
    en: 'The server is busy, please try again shortly',
    zh: '服务器繁忙，请稍后再试',
  },
  store_unavailable: {
    status: 503,
    en: 'A service this needs is not available right now, please try again shortly',
    zh: '所需的服务暂时不可用，请稍后再试',
  },
  database_unavailable: {
    status: 503,
    en: 'The database is not available right now, please try again shortly',
    zh: '数据库暂时不可用，请稍后再试',
  },
  demo_site: { status: 405, en: 'This site is for demonstration only', zh: '本站仅作演示之用' },
  method_not_allowed: {
    status: 405,
    en: 'This address does not allow {method}',
    zh: '该地址不支持 {method} 方法',
  },

  // Signing in
  login_fields_required: { status: 200, en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    status: 200,
    en: 'Wrong username or password, or the account is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  login_by_password_off: {
    status: 200,
    en: 'The administrator has switched off signing in with a password',
    zh: '管理员关闭了密码登录',
  },
  login_too_often: {
    status: 429,
    en: 'Too many failed attempts, please try again in {seconds} seconds',
    zh: '失败次数过多，请在 {seconds} 秒后再试',
  },
  account_banned: { status: 200, en: 'The account has been banned', zh: '用户已被封禁' },
  register_off: {
    status: 200,
    en: 'The administrator has switched off registration',
    zh: '管理员关闭了新用户注册',
  },
  register_by_password_off: {
    status: 200,
    en: 'The administrator has switched off registration with a password, please use another way to sign in',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  passwords_differ: {
    status: 200,
    en: 'The two passwords are inconsistent',
    zh: '两次输入的密码不一致',
  },
  mail_required: { status: 200, en: 'Please enter a mail address', zh: '请输入邮箱地址' },
  mail_invalid: { status: 200, en: 'Invalid mail address', zh: '无效的邮箱地址' },
  mail_domain_refused: {
    status: 200,
    en: 'The administrator accepts addresses of certain mail domains only, and this is none of them',
    zh: '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
  },
  mail_alias_refused: {
    status: 200,
    en: 'The administrator does not accept mail aliases: the part before @ must not contain "+" or "."',
    zh: '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝',
  },
  mail_taken: { status: 200, en: 'This mail address is already in use', zh: '邮箱地址已被占用' },
  mail_code_required: {
    status: 200,
    en: 'Please enter the mail address and the verification code sent to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  mail_code_missing: { status: 200, en: 'Enter the email verification code', zh: '请输入邮箱验证码！' },
  mail_code_wrong: {
    status: 200,
    en: 'The verification code is wrong or has expired',
    zh: '验证码错误或已过期',
  },
  mail_too_often: {
    status: 429,
    en: 'Mails were just sent to this address, please try again in {seconds} seconds',
    zh: '邮件发送过于频繁，请在 {seconds} 秒后再试',
  },
  mail_unavailable: {
    status: 200,
    en: 'Sending mail is not set up on this server. Please ask the administrator',
    zh: '此服务器尚未设置邮件发送，请联系管理员',
  },
  mail_not_sent: {
    status: 200,
    en: 'The mail could not be sent, please try again later or ask the administrator',
    zh: '邮件发送失败，请稍后再试或联系管理员',
  },
  mail_failed: { status: 200, en: 'The mail could not be sent: {reason}', zh: '邮件发送失败：{reason}' },
  reset_unavailable: {
    status: 200,
    en: 'Passwords cannot be reset by mail: the administrator has not set the server address',
    zh: '无法通过邮件重置密码：管理员尚未设置服务器地址',
  },
  reset_link_invalid: {
    status: 200,
    en: 'The reset link is invalid or has expired',
    zh: '重置链接非法或已过期',
  },
  human_check_required: {
    status: 200,
    en: 'Please retry in a few seconds: the human check has not finished yet',
    zh: '请稍后几秒重试，Turnstile 正在检查用户环境！',
  },
  human_check_failed: {
    status: 200,
    en: 'The human check failed, please refresh and retry',
    zh: 'Turnstile 校验失败，请刷新重试！',
  },
  human_check_away: {
    status: 200,
    en: 'The human check cannot be made right now, please try again shortly',
    zh: '人机验证服务暂时不可用，请稍后再试',
  },
  register_mail_unavailable: {
    status: 200,
    en: 'Registration needs a code sent by mail, and sending mail is not set up on this server. Please ask the administrator',
    zh: '注册需要邮箱验证码，但此服务器尚未设置邮件发送，请联系管理员',
  },

  // Accounts
  account_deregistered: { status: 200, en: 'The account has been deregistered', zh: '用户已注销' },

  // Outside identities
  identity_state_invalid: {
    status: 403,
    en: 'This sign-in attempt is unknown, expired, used up or was begun in another browser; please start again',
    zh: '登录状态无效、已过期、已使用或来自其他浏览器，请重新发起',
  },
  identity_provider_off: {
    status: 200,
    en: 'The administrator has not enabled signing in with {provider}',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  identity_refused: {
    status: 200,
    en: '{provider} did not confirm the sign-in; please start again',
    zh: '{provider} 未确认此次登录，请重新发起',
  },
  identity_denied: {
    status: 200,
    en: 'The sign-in was broken off at {provider}: {reason}',
    zh: '{provider} 登录已中止：{reason}',
  },
  identity_unreachable: {
    status: 200,
    en: '{provider} cannot be reached at the moment; please try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试',
  },
  identity_answer_unreadable: {
    status: 200,
    en: '{provider} answered in a form that cannot be used; please contact the administrator',
    zh: '{provider} 返回的内容无法使用，请联系管理员',
  },
  identity_not_welcome: {
    status: 200,
    en: 'This {provider} account is not active or is restricted there',
    zh: '该 {provider} 账户未激活或已被限制',
  },
  identity_trust_too_low: {
    status: 200,
    en: 'Your trust level at {provider} is {level}; level {minimum} is required',
    zh: '您的 {provider} 信任等级为 {level}，需要达到 {minimum} 级',
  },
  identity_taken: {
    status: 200,
    en: 'This {provider} account is already bound to a user',
    zh: '该 {provider} 账户已被绑定',
  },
  identity_bound_already: {
    status: 200,
    en: 'Your account is already bound to another {provider} account; unbind that one first',
    zh: '您的账户已绑定其他 {provider} 账户，请先解绑',
  },
  identity_not_bound: {
    status: 200,
    en: 'Your account is not bound to a {provider} account',
    zh: '您的账户未绑定 {provider} 账户',
  },
  identity_unknown: {
    status: 200,
    en: 'This {provider} account is not bound to any user; sign in another way and bind it in the personal settings',
    zh: '该 {provider} 账户未绑定，请先以其他方式登录并在个人设置中绑定',
  },
  identity_last_way: {
    status: 200,
    en: 'This is the only way to sign in to your account; set a password or bind another identity first',
    zh: '这是您账户唯一的登录方式，请先设置密码或绑定其他账户',
  },
  server_address_required: {
    status: 200,
    en: 'The administrator has to set the server address before this can be used',
    zh: '管理员需要先设置服务器地址',
  },
  wechat_code_wrong: { status: 200, en: 'The code is wrong or has expired', zh: '验证码错误或已过期' },
  telegram_expired: {
    status: 200,
    en: 'The confirmation of Telegram has expired or was used before; please start again',
    zh: 'Telegram 登录确认已过期或已使用，请重新发起',
  },
  telegram_forged: {
    status: 200,
    en: 'The confirmation of Telegram is not genuine',
    zh: '无效的 Telegram 登录请求',
  },
  oidc_address_invalid: {
    status: 200,
    en: 'The well-known URL must start with http:// or https://',
    zh: 'Well-Known URL 必须以 http:// 或 https:// 开头',
  },
  oidc_discovery_failed: {
    status: 200,
    en: 'Failed to fetch the OIDC configuration, please check the network and the well-known URL: {reason}',
    zh: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确：{reason}',
  },
  username_and_password_required: {
    status: 200,
    en: 'Username and password cannot be empty',
    zh: '用户名和密码不能为空',
  },
  username_invalid: {
    status: 200,
    en: 'The username must have 3 to {max} characters: letters, digits, dots, dashes and underscores',
    zh: '用户名须为 3 到 {max} 个字符，只能包含字母、数字、点、短横线和下划线',
  },
  username_reserved: { status: 200, en: 'This username is reserved', zh: '该用户名已被保留' },
  username_taken: {
    status: 200,
    en: 'The username already exists, or belonged to a deregistered account',
    zh: '用户名已存在，或已注销',
  },
  password_length: {
    status: 200,
    en: 'The password must have {min} to {max} characters',
    zh: '密码长度须为 {min} 到 {max} 个字符',
  },
  password_well_known: {
    status: 200,
    en: 'This password is one of those everybody tries first, please choose another',
    zh: '该密码过于常见，请更换其他密码',
  },
  password_original_wrong: { status: 200, en: 'The original password is wrong', zh: '原密码错误' },
  password_unchanged: {
    status: 200,
    en: 'The new password must differ from the original one',
    zh: '新密码需要和原密码不一致',
  },
  display_name_invalid: {
    status: 200,
    en: 'The display name must not contain invisible characters or characters that change the reading direction',
    zh: '显示名称不能包含不可见字符或改变文字方向的字符',
  },
  display_name_too_long: {
    status: 200,
    en: 'The display name may have at most {max} characters',
    zh: '显示名称过长，最多 {max} 个字符',
  },
  group_unknown: { status: 200, en: 'The group {group} does not exist', zh: '分组 {group} 不存在' },
  user_not_found: { status: 200, en: 'The user does not exist', zh: '用户不存在' },
  user_out_of_reach: {
    status: 200,
    en: 'No permission to act on users of the same or a higher level',
    zh: '无权操作同权限等级或更高权限等级的用户',
  },
  user_role_too_high: {
    status: 200,
    en: 'No permission to give a role equal to or above your own',
    zh: '无权将其他用户权限等级提升到大于等于自己的权限等级',
  },
  user_root_protected: {
    status: 200,
    en: 'The super administrator cannot be disabled, deleted or demoted',
    zh: '无法禁用、删除或降级超级管理员用户',
  },
  user_promote_by_root_only: {
    status: 200,
    en: 'A regular administrator cannot promote to administrator',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  user_already_admin: { status: 200, en: 'The user already is an administrator', zh: '该用户已经是管理员' },
  user_already_ordinary: {
    status: 200,
    en: 'The user already is an ordinary user',
    zh: '该用户已经是普通用户',
  },
  user_deregistered: {
    status: 200,
    en: 'The user is deregistered and cannot be changed',
    zh: '用户已注销，无法修改',
  },
  root_cannot_leave: {
    status: 200,
    en: 'The super administrator account cannot be deleted',
    zh: '不能删除超级管理员账户',
  },
  account_name_mismatch: {
    status: 200,
    en: 'Enter your account name to confirm deletion',
    zh: '请输入你的账户名以确认删除！',
  },
  balance_too_high: { status: 200, en: 'The balance would become too large', zh: '余额将超出上限' },
  adjustment_too_large: {
    status: 200,
    en: 'Only root may adjust a balance by more than {limit} at once',
    zh: '单次调整额度超过 {limit} 仅限超级管理员操作',
  },
  balance_in_use: {
    status: 200,
    en: 'The balance is too low for this: part of it is set aside for running calls',
    zh: '余额不足：部分额度正被进行中的请求占用',
  },
  notify_type_invalid: { status: 200, en: 'Invalid notification type', zh: '无效的预警类型' },
  notify_threshold_invalid: {
    status: 200,
    en: 'The warning threshold must be above 0',
    zh: '预警阈值必须大于 0',
  },
  webhook_address_invalid: {
    status: 200,
    en: 'The webhook address must be an https address',
    zh: 'Webhook 地址必须以 https:// 开头',
  },
  webhook_address: {
    status: 200,
    en: 'The webhook was not called: its address is not allowed',
    zh: 'Webhook 未发送：不允许访问该地址',
  },
  webhook_unreachable: {
    status: 200,
    en: 'The webhook was not delivered: its address cannot be reached',
    zh: 'Webhook 发送失败：无法访问该地址',
  },
  webhook_refused: {
    status: 200,
    en: 'The webhook was called, and did not answer with success',
    zh: 'Webhook 已发送，但对方未返回成功状态',
  },
  notification_address_missing: {
    status: 200,
    en: 'There is no address for notifications: bind a mail address, or enter a webhook',
    zh: '没有可用的通知地址：请绑定邮箱或填写 Webhook',
  },
  aff_transfer_minimum: {
    status: 200,
    en: 'The transfer amount minimum is {minimum}',
    zh: '划转额度最低为 {minimum}',
  },
  aff_transfer_short: {
    status: 200,
    en: 'Transfer failed: the invite earnings are smaller than that',
    zh: '划转失败：邀请额度不足',
  },
  notification_mail_invalid: { status: 200, en: 'Invalid mail address', zh: '无效的邮箱地址' },

  // Second step, passkeys, proofs
  two_factor_code_wrong: {
    status: 200,
    en: 'The code is wrong or was used already. Codes of an app change every 30 seconds',
    zh: '验证码错误或已被使用。验证器中的验证码每 30 秒更换一次',
  },
  two_factor_locked: {
    status: 429,
    en: 'Too many wrong codes, please try again in {minutes} minutes',
    zh: '验证码错误次数过多，请在 {minutes} 分钟后再试',
  },
  two_factor_on: {
    status: 200,
    en: 'Two-factor authentication is already on',
    zh: '两步验证已经启用',
  },
  two_factor_off: { status: 200, en: 'Two-factor authentication is not on', zh: '尚未启用两步验证' },
  two_factor_setup_missing: {
    status: 200,
    en: 'The set-up has expired, please scan a new QR code',
    zh: '设置已过期，请重新扫描二维码',
  },
  second_step_expired: {
    status: 200,
    en: 'This login has expired, please sign in again',
    zh: '本次登录已过期，请重新登录',
  },
  proof_required: {
    status: 200,
    en: 'Please enter your password to confirm',
    zh: '请输入密码以确认操作',
  },
  proof_wrong: { status: 200, en: 'The password is wrong', zh: '密码错误' },
  proof_by_code: {
    status: 200,
    en: 'Please confirm with a code of your authenticator app',
    zh: '请使用验证器中的验证码进行确认',
  },
  factors_own: {
    status: 200,
    en: 'Your own two-factor authentication and passkeys are changed in the personal settings',
    zh: '请在个人设置中修改自己的两步验证和通行密钥',
  },
  password_change_required: {
    status: 403,
    en: 'The root account has a password that everybody knows: change it before anything else',
    zh: '超级管理员正在使用众所周知的默认密码，请先修改密码',
  },
  login_not_fresh: {
    status: 403,
    en: 'This needs a recent login: please confirm who you are and try again',
    zh: '此操作需要近期登录验证，请先确认身份后重试',
  },
  passkey_off: {
    status: 200,
    en: 'The administrator has switched off passkeys',
    zh: '管理员关闭了通行密钥登录',
  },
  passkey_unavailable: {
    status: 200,
    en: 'Passkeys need the console to be opened by its host name over https (or on localhost)',
    zh: '通行密钥需要通过 https 域名（或 localhost）访问控制台',
  },
  passkey_refused: {
    status: 200,
    en: 'The passkey was not accepted, please try again',
    zh: '通行密钥验证失败，请重试',
  },
  passkey_known: { status: 200, en: 'This passkey is already registered', zh: '该通行密钥已注册' },
  passkey_limit: {
    status: 200,
    en: 'An account can have {max} passkeys; please remove one first',
    zh: '每个账户最多可有 {max} 个通行密钥，请先删除一个',
  },
  passkey_last_way: {
    status: 200,
    en: 'This passkey is the only way to sign in to this account and cannot be removed',
    zh: '该通行密钥是此账户唯一的登录方式，无法删除',
  },
  passkey_name_invalid: {
    status: 200,
    en: 'The name must have 1 to {max} characters',
    zh: '名称长度必须为 1 到 {max} 个字符',
  },

  // Set-up
  setup_done: { status: 400, en: 'The system is already initialised', zh: '系统已经初始化完成' },
  setup_passwords_differ: {
    status: 400,
    en: 'The passwords entered do not match',
    zh: '两次输入的密码不一致',
  },
  setup_username_invalid: {
    status: 400,
    en: 'The administrator username must have 3 to {max} characters: letters, digits, dots, dashes and underscores',
    zh: '管理员用户名须为 3 到 {max} 个字符，只能包含字母、数字、点、短横线和下划线',
  },
  setup_password_length: {
    status: 400,
    en: 'The password must be at least {min} characters long',
    zh: '密码长度至少为 {min} 个字符',
  },
  setup_one_mode: {
    status: 400,
    en: 'Choose one mode: self-use and demo exclude each other',
    zh: '自用模式与演示模式不能同时启用',
  },
  setup_token_wrong: {
    status: 403,
    en: 'Set-up needs the code configured as SETUP_TOKEN on the server',
    zh: '初始化需要服务器上 SETUP_TOKEN 配置的验证码',
  },
  setup_failed: {
    status: 500,
    en: 'System initialisation failed, please retry',
    zh: '系统初始化失败，请重试',
  },

  // Options
  option_unknown: { status: 200, en: 'There is no option {key}', zh: '不存在的选项：{key}' },
  option_invalid: {
    status: 200,
    en: 'Option {key} must be: {range}',
    zh: '选项 {key} 的值无效，应为：{range}',
  },
  option_incomplete: {
    status: 200,
    en: 'Fill in {missing} before switching {key} on',
    zh: '请先填写 {missing}，再启用 {key}',
  },
  option_refused: { status: 200, en: 'The value cannot be used: {reason}', zh: '该值无法使用：{reason}' },
  option_no_history: {
    status: 200,
    en: 'Option {key} is a secret: earlier values are not kept, type it again',
    zh: '选项 {key} 为密钥，不保留历史值，请重新填写',
  },
  ratio_config_closed: { status: 403, en: 'The price ratios are not public here', zh: '本站未公开倍率配置' },
  price_list_missing: {
    status: 200,
    en: 'Upload a price list, or give its address',
    zh: '请上传价格表，或填写其地址',
  },
  price_list_address: {
    status: 200,
    en: 'The address of the list must be https, without credentials',
    zh: '价格表地址必须为 https，且不含账号信息',
  },
  price_list_unreachable: {
    status: 200,
    en: 'The list could not be fetched: {reason}',
    zh: '无法获取价格表：{reason}',
  },
  price_list_unreadable: {
    status: 200,
    en: 'This is no price list of models.dev or LiteLLM',
    zh: '该文件不是 models.dev 或 LiteLLM 格式的价格表',
  },
  price_option_expected: {
    status: 200,
    en: 'Option {key} is not a price: only prices can be previewed',
    zh: '选项 {key} 不是价格项，只能预览价格变更',
  },
  price_preview_running: {
    status: 200,
    en: 'Another price preview is running. Please wait until it is done',
    zh: '已有价格预览正在进行，请稍候',
  },
  option_group_in_use: {
    status: 200,
    en: 'Group {group} is still used by {users} accounts and {tokens} API keys: move them first, or keep the group',
    zh: '分组 {group} 仍有 {users} 个用户和 {tokens} 个令牌在使用，请先迁移或保留该分组',
  },
  option_secret_retype: {
    status: 200,
    en: 'The secret {secret} was typed for another address: switch {switch} off first, or type the secret again in the same save',
    zh: '密钥 {secret} 属于原地址：请先关闭 {switch}，或在同一次保存中重新填写密钥',
  },
  option_one_mode: {
    status: 200,
    en: 'Self-use mode and demo mode exclude each other',
    zh: '自用模式与演示模式不能同时启用',
  },
  option_default_group: {
    status: 200,
    en: 'The group ratios must contain the group "default"',
    zh: '分组倍率中必须包含 default 分组',
  },
  option_last_login_way: {
    status: 200,
    en: 'Signing in with a password is the only way in, so it cannot be switched off',
    zh: '密码登录是目前唯一的登录方式，不能关闭',
  },

  // Tokens
  token_in_address: {
    status: 401,
    en: 'Send the key in the Authorization header; in an address it is written into logs, so make a new one',
    zh: '请通过 Authorization 请求头发送密钥；地址中的密钥会被写入日志，请更换该密钥',
  },
  token_invalid: { status: 401, en: 'Invalid token', zh: '无效的令牌' },
  token_name_required: { status: 200, en: 'Please enter a name for the token', zh: '请输入令牌名称' },
  token_name_too_long: {
    status: 200,
    en: 'The token name may have at most {max} characters',
    zh: '令牌名称过长，最多 {max} 个字符',
  },
  token_expiry_past: {
    status: 200,
    en: 'The expiry time must be in the future',
    zh: '过期时间必须晚于当前时间',
  },
  token_quota_negative: { status: 200, en: 'The quota must not be negative', zh: '额度不能为负数' },
  token_address_invalid: {
    status: 200,
    en: 'Not an IP address or CIDR range: {address}',
    zh: '不是有效的 IP 地址或网段：{address}',
  },
  token_limit_reached: {
    status: 200,
    en: 'You already have {max} tokens, delete some first',
    zh: '令牌数量已达上限 {max}，请先删除一些',
  },
  token_still_expired: {
    status: 200,
    en: 'The token has expired: change its expiry time first, or set it to never expire',
    zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
  },
  token_still_exhausted: {
    status: 200,
    en: 'The quota of the token is used up: raise it first, or set it to unlimited',
    zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
  },
  group_not_usable: { status: 200, en: 'You cannot use the group {group}', zh: '无权使用分组 {group}' },

  // Channels
  channel_name_and_key_required: {
    status: 200,
    en: 'Please enter the channel name and key',
    zh: '请填写渠道名称和渠道密钥！',
  },
  channel_name_too_long: {
    status: 200,
    en: 'The channel name may have at most {max} characters',
    zh: '渠道名称过长，最多 {max} 个字符',
  },
  channel_model_required: { status: 200, en: 'Please choose at least one model', zh: '请至少选择一个模型！' },
  channel_model_too_long: {
    status: 200,
    en: 'A model name may have at most {max} bytes',
    zh: '模型名称过长，最多 {max} 个字节',
  },
  channel_group_required: { status: 200, en: 'Please choose at least one group', zh: '请至少选择一个分组！' },
  channel_too_wide: {
    status: 200,
    en: 'Models times groups of one channel may be at most {max}',
    zh: '单个渠道的模型数乘以分组数不能超过 {max}',
  },
  channel_type_unknown: { status: 200, en: 'Unknown channel type {type}', zh: '未知的渠道类型 {type}' },
  channel_base_url_required: {
    status: 200,
    en: 'This channel type needs a base address',
    zh: '该渠道类型必须填写代理地址',
  },
  channel_base_url_invalid: {
    status: 200,
    en: 'The base address must be an http or https address without query, fragment and credentials',
    zh: '代理地址必须是不含查询参数、片段和用户信息的 http 或 https 地址',
  },
  channel_address_refused: {
    status: 200,
    en: 'This address cannot be used: {reason}',
    zh: '该地址不可用：{reason}',
  },
  channel_other_invalid: {
    status: 200,
    en: 'The version, region or account field may hold letters, digits, dots, dashes and underscores only',
    zh: '版本、区域或账户字段只能包含字母、数字、点、短横线和下划线',
  },
  channel_other_required: {
    status: 200,
    en: 'This channel type needs its extra field: the account, bot or version that belongs to the key',
    zh: '该渠道类型必须填写附加字段：与密钥对应的账户、机器人或版本',
  },
  channel_region_required: {
    status: 200,
    en: 'This channel type needs a region, or a JSON object of regions with a member "default"',
    zh: '部署地区不能为空；若为 JSON 格式，必须包含 default 字段',
  },
  channel_key_invalid: {
    status: 200,
    en: 'The key contains characters that no provider key has',
    zh: '渠道密钥格式错误',
  },
  channel_key_part: {
    status: 200,
    en: 'The key must have the form {form}: {part} is missing or wrong',
    zh: '密钥格式应为 {form}：{part} 缺失或有误',
  },
  channel_key_unserved: {
    status: 200,
    en: 'Keys of the form {form} belong to an older interface of this provider, which is not served: enter an API key',
    zh: '{form} 格式的密钥属于该服务商的旧接口，不受支持：请填写 API Key',
  },
  channel_keys_too_many: { status: 200, en: 'At most {max} keys at once', zh: '一次最多添加 {max} 个密钥' },
  channel_key_retype: {
    status: 200,
    en: 'The type, address or proxy of this channel changes, so its key would be sent elsewhere: enter the key again to confirm',
    zh: '渠道的类型、地址或代理已更改，密钥将被发送到新的目标：请重新输入密钥以确认',
  },
  channel_model_mapping_invalid: {
    status: 200,
    en: 'The model mapping must be a JSON object of model names',
    zh: '模型映射必须是合法的 JSON 格式！',
  },
  channel_model_mapping_cycle: {
    status: 200,
    en: 'The model mapping leads back to {model}',
    zh: '模型映射存在循环：{model}',
  },
  channel_status_mapping_invalid: {
    status: 200,
    en: 'The status code mapping must be a JSON object with whole numbers from 400 to 599',
    zh: '状态码复写必须是合法的 JSON 格式，且状态码为 400 到 599 的整数',
  },
  channel_override_invalid: {
    status: 200,
    en: 'The parameter override must be a JSON object',
    zh: '参数覆盖必须是合法的 JSON 格式！',
  },
  channel_override_fixed: {
    status: 200,
    en: 'The parameter override may not set {member}: it decides what a call costs or how it is answered',
    zh: '参数覆盖不能设置 {member}：它决定调用的费用或返回方式',
  },
  channel_override_operation: {
    status: 200,
    en: 'The parameter override is not understood at {at}',
    zh: '参数覆盖在 {at} 处无法识别',
  },
  channel_header_override_invalid: {
    status: 200,
    en: 'The header override must be a JSON object of texts',
    zh: '请求头覆盖必须是由文本组成的 JSON 对象',
  },
  channel_header_override_fixed: {
    status: 200,
    en: 'The header override may not set {header}',
    zh: '请求头覆盖不能设置 {header}',
  },
  channel_not_multi_key: {
    status: 200,
    en: 'This channel has only one key',
    zh: '该渠道只有一个密钥',
  },
  channel_key_index_unknown: {
    status: 200,
    en: 'The channel has no key number {index}; reload the list',
    zh: '渠道没有第 {index} 个密钥，请刷新列表',
  },
  channel_last_key: {
    status: 200,
    en: 'The last key of a channel cannot be deleted; delete the channel',
    zh: '不能删除渠道的最后一个密钥，请删除渠道',
  },
  channel_setting_invalid: {
    status: 200,
    en: 'The channel settings must be a valid JSON object',
    zh: '渠道额外设置必须是合法的 JSON 格式！',
  },
  channel_proxy_invalid: {
    status: 200,
    en: 'The proxy must be an http, https, socks5 or socks5h address',
    zh: '代理必须是 http、https、socks5 或 socks5h 地址',
  },
  channel_balance_unsupported: {
    status: 200,
    en: 'The balance of this channel type cannot be read',
    zh: '尚未实现该渠道类型的余额查询',
  },
  channel_balance_failed: {
    status: 200,
    en: 'The provider did not answer with a balance',
    zh: '供应商未返回余额',
  },
  channel_test_running: {
    status: 200,
    en: 'A test of all channels is already running',
    zh: '测试已在运行中',
  },
  channel_job_running: { status: 200, en: 'This job is already running', zh: '该任务已在运行中' },
  models_fetch_failed: {
    status: 200,
    en: 'Could not fetch the model list: {reason}',
    zh: '获取模型列表失败：{reason}',
  },

  // Logs
  page_out_of_reach: {
    status: 400,
    en: 'Only the first {max} rows can be paged through: narrow the filters',
    zh: '只能翻看前 {max} 行：请缩小筛选范围',
  },

  // Redemption codes
  redemption_code_required: { status: 200, en: 'Please enter a code', zh: '请输入兑换码！' },
  redemption_invalid: {
    status: 200,
    en: 'The code is invalid or was already used',
    zh: '无效的兑换码，或该兑换码已被使用',
  },
  redemption_name_length: {
    status: 200,
    en: 'The name of a code must have 1 to {max} characters',
    zh: '兑换码名称长度必须在 1-{max} 之间',
  },
  redemption_count_range: {
    status: 200,
    en: 'Between 1 and {max} codes can be made at once',
    zh: '一次兑换码批量生成的个数必须在 1-{max} 之间',
  },
  redemption_quota_range: {
    status: 200,
    en: 'The quota of a code must be a whole number from 1 to {max}',
    zh: '兑换码额度必须为 1 到 {max} 的整数',
  },
  redemption_expiry_past: {
    status: 200,
    en: 'The expiry time must be in the future',
    zh: '过期时间必须晚于当前时间',
  },
  redemption_not_unused: {
    status: 200,
    en: 'Only unused codes can be changed',
    zh: '只能修改未使用的兑换码',
  },
  redemption_used: {
    status: 200,
    en: 'The code was used and cannot be changed any more',
    zh: '兑换码已被使用，无法再修改',
  },

  // Top-up
  topup_off: {
    status: 200,
    en: 'The administrator has not switched on online top-up',
    zh: '管理员未开启在线充值！',
  },
  topup_amount_too_small: {
    status: 200,
    en: 'The top-up amount must not be below {min}',
    zh: '充值数量不能小于 {min}',
  },
  topup_amount_too_large: {
    status: 200,
    en: 'The top-up amount must not be above {max}',
    zh: '充值数量不能大于 {max}',
  },
  topup_money_too_small: { status: 200, en: 'The sum to pay is too small', zh: '充值金额过低' },
  topup_method_unknown: { status: 200, en: 'Unknown payment method', zh: '支付方式不存在' },
  topup_start_failed: {
    status: 200,
    en: 'The payment could not be started, please try again later',
    zh: '拉起支付失败，请稍后再试',
  },
  topup_too_many_pending: {
    status: 200,
    en: 'You have {max} unpaid orders: pay one of them or wait until they expire',
    zh: '您有 {max} 个未支付的订单，请先支付或等待其过期',
  },
  topup_not_completable: {
    status: 200,
    en: 'The order is paid already',
    zh: '订单已支付',
  },
  reason_required: { status: 200, en: 'Please give a reason', zh: '请填写原因' },

  // Dashboard
  span_too_long: {
    status: 200,
    en: 'The time range may be at most {days} days',
    zh: '时间跨度不能超过 {days} 天',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
