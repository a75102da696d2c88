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

  // Tokens
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
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
