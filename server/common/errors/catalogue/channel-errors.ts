import type { ErrorRow } from '../error-row.js';

/** Channels, their keys, tests and balances. */
export const CHANNEL_ERRORS = {
  channel_name_and_key_required: {
    en: 'Please enter the channel name and key',
    zh: '请填写渠道名称和渠道密钥！',
  },
  channel_name_too_long: {
    en: 'The channel name may have at most {max} characters',
    zh: '渠道名称过长，最多 {max} 个字符',
  },
  channel_model_required: { en: 'Please choose at least one model', zh: '请至少选择一个模型！' },
  channel_model_too_long: {
    en: 'A model name may have at most {max} bytes',
    zh: '模型名称过长，最多 {max} 个字节',
  },
  channel_group_required: { en: 'Please choose at least one group', zh: '请至少选择一个分组！' },
  channel_too_wide: {
    en: 'Models times groups of one channel may be at most {max}',
    zh: '单个渠道的模型数乘以分组数不能超过 {max}',
  },
  channel_type_unknown: { en: 'Unknown channel type {type}', zh: '未知的渠道类型 {type}' },
  channels_to_tag_required: {
    en: 'Please choose the channels to tag first',
    zh: '请先选择要设置标签的渠道！',
  },
  channels_to_delete_required: {
    en: 'Please choose the channels to delete first',
    zh: '请先选择要删除的通道！',
  },
  channel_tag_required: { en: 'The tag must not be empty; null takes it away', zh: '标签不能为空！' },
  channel_tag_unknown: { en: 'No channel has the tag {tag}', zh: '没有渠道使用标签 {tag}' },
  channel_type_unserved: {
    en: 'Channels of type {name} are not served by this version of the gateway: choose another type',
    zh: '当前版本不支持 {name} 类型的渠道：请选择其他类型',
  },
  channel_base_url_required: {
    en: 'This channel type needs a base address',
    zh: '该渠道类型必须填写代理地址',
  },
  channel_base_url_invalid: {
    en: 'The base address must be an http or https address without query, fragment and credentials',
    zh: '代理地址必须是不含查询参数、片段和用户信息的 http 或 https 地址',
  },
  channel_base_url_query: {
    en: 'Leave {part} out of the base address: every call gets its own path and query behind it',
    zh: '请从代理地址中去掉 {part}：每次调用都会自动添加路径和参数',
  },
  channel_address_refused: { en: 'This address cannot be used: {reason}', zh: '该地址不可用：{reason}' },
  channel_other_invalid: {
    en: 'The version, region or account field may hold letters, digits, dots, dashes and underscores only',
    zh: '版本、区域或账户字段只能包含字母、数字、点、短横线和下划线',
  },
  channel_other_required: {
    en: 'This channel type needs its extra field: the account, bot or version that belongs to the key',
    zh: '该渠道类型必须填写附加字段：与密钥对应的账户、机器人或版本',
  },
  channel_region_required: {
    en: 'This channel type needs a region, or a JSON object of regions with a member "default"',
    zh: '部署地区不能为空；若为 JSON 格式，必须包含 default 字段',
  },
  channel_key_invalid: { en: 'The key contains characters that no provider key has', zh: '渠道密钥格式错误' },
  channel_key_part: {
    en: 'The key must have the form {form}: {part} is missing or wrong',
    zh: '密钥格式应为 {form}：{part} 缺失或有误',
  },
  channel_keys_too_many: { en: 'At most {max} keys at once', zh: '一次最多添加 {max} 个密钥' },
  channel_key_retype: {
    en: 'The type, address or proxy of this channel changes, so its key would be sent elsewhere: enter the key again to confirm',
    zh: '渠道的类型、地址或代理已更改，密钥将被发送到新的目标：请重新输入密钥以确认',
  },
  channel_override_member: {
    en: 'The parameter override has an unknown member: {member}',
    zh: '参数覆盖中存在无法识别的成员：{member}',
  },
  channel_document_member: {
    en: '{document} has an unknown member: {member}',
    zh: '{document} 中存在无法识别的成员：{member}',
  },
  channel_document_value: {
    en: '{member} in {document} must be {expected}',
    zh: '{document} 中的 {member} 必须为 {expected}',
  },
  channel_document_twice: {
    en: '{document} names {member} more than once',
    zh: '{document} 中的 {member} 重复出现',
  },
  channel_model_mapping_invalid: {
    en: 'The model mapping must be a JSON object of model names',
    zh: '模型映射必须是合法的 JSON 格式！',
  },
  channel_model_mapping_cycle: {
    en: 'The model mapping leads back to {model}',
    zh: '模型映射存在循环：{model}',
  },
  channel_status_mapping_invalid: {
    en: 'The status code mapping must be a JSON object with whole numbers from 400 to 599',
    zh: '状态码复写必须是合法的 JSON 格式，且状态码为 400 到 599 的整数',
  },
  channel_override_invalid: {
    en: 'The parameter override must be a JSON object',
    zh: '参数覆盖必须是合法的 JSON 格式！',
  },
  channel_override_fixed: {
    en: 'The parameter override may not set {member}: it decides what a call costs or how it is answered',
    zh: '参数覆盖不能设置 {member}：它决定调用的费用或返回方式',
  },
  channel_override_operation: {
    en: 'The parameter override is not understood at {at}',
    zh: '参数覆盖在 {at} 处无法识别',
  },
  channel_header_override_invalid: {
    en: 'The header override must be a JSON object of texts',
    zh: '请求头覆盖必须是由文本组成的 JSON 对象',
  },
  channel_header_override_fixed: {
    en: 'The header override may not set {header}',
    zh: '请求头覆盖不能设置 {header}',
  },
  channel_not_multi_key: { en: 'This channel has only one key', zh: '该渠道只有一个密钥' },
  channel_key_index_unknown: {
    en: 'The channel has no key number {index}; reload the list',
    zh: '渠道没有第 {index} 个密钥，请刷新列表',
  },
  channel_last_key: {
    en: 'The last key of a channel cannot be deleted; delete the channel',
    zh: '不能删除渠道的最后一个密钥，请删除渠道',
  },
  channel_setting_invalid: {
    en: 'The channel settings must be a valid JSON object',
    zh: '渠道额外设置必须是合法的 JSON 格式！',
  },
  channel_proxy_invalid: {
    en: 'The proxy must be an http, https, socks5 or socks5h address',
    zh: '代理必须是 http、https、socks5 或 socks5h 地址',
  },
  channel_balance_unsupported: {
    en: 'The balance of this channel type cannot be read',
    zh: '尚未实现该渠道类型的余额查询',
  },
  channel_balance_failed: { en: 'The provider did not answer with a balance', zh: '服务商未返回余额' },
  channel_balance_refused: {
    en: 'The provider did not answer with a balance: {reason}',
    zh: '服务商未返回余额：{reason}',
  },
  channel_test_running: { en: 'A test of all channels is already running', zh: '测试已在运行中' },
  channel_test_costs: {
    en: 'A test of {model} generates an image, which the provider charges; confirm it with confirm_cost=true',
    zh: '测试 {model} 会生成一张图片，服务商将收取费用；请用 confirm_cost=true 确认',
  },
  channel_job_running: { en: 'This job is already running', zh: '该任务已在运行中' },
  models_fetch_failed: { en: 'Could not fetch the model list: {reason}', zh: '获取模型列表失败：{reason}' },
} as const satisfies Record<string, ErrorRow>;
