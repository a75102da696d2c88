import type { ErrorRow } from '../error-row.js';

/** Set-up, options and price lists. */
export const SETTINGS_ERRORS = {
  setup_done: { status: 400, en: 'The system is already initialized', zh: '系统已经初始化完成' },
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
    en: 'Set-up needs the code the server writes into its log, or SETUP_TOKEN where that is set',
    zh: '初始化需要服务器日志中的验证码，若设置了 SETUP_TOKEN 则为其值',
  },
  setup_failed: {
    status: 500,
    en: 'System initialization failed, please retry',
    zh: '系统初始化失败，请重试',
  },
  option_unknown: { en: 'There is no option {key}', zh: '不存在的选项：{key}' },
  option_invalid: { en: 'Option {key} must be: {range}', zh: '选项 {key} 的值无效，应为：{range}' },
  option_incomplete: {
    en: 'Fill in {missing} before switching {key} on',
    zh: '请先填写 {missing}，再启用 {key}',
  },
  option_refused: { en: 'The value cannot be used: {reason}', zh: '该值无法使用：{reason}' },
  option_no_history: {
    en: 'Option {key} is a secret: earlier values are not kept, type it again',
    zh: '选项 {key} 为密钥，不保留历史值，请重新填写',
  },
  ratio_config_closed: { status: 403, en: 'The price ratios are not public here', zh: '本站未公开倍率配置' },
  price_list_missing: { en: 'Upload a price list, or give its address', zh: '请上传价格表，或填写其地址' },
  price_list_address: {
    en: 'The address of the list must be https, without credentials',
    zh: '价格表地址必须为 https，且不含用户名和密码',
  },
  price_list_unreachable: { en: 'The list could not be fetched: {reason}', zh: '无法获取价格表：{reason}' },
  price_list_unreadable: {
    en: 'This is no price list of models.dev or LiteLLM',
    zh: '该文件不是 models.dev 或 LiteLLM 格式的价格表',
  },
  price_list_name: {
    en: 'The list names a model "{model}", which cannot be taken over: {reason}',
    zh: '价格表中的模型 "{model}" 无法导入：{reason}',
  },
  price_option_expected: {
    en: 'Option {key} is not a price: only prices can be previewed',
    zh: '选项 {key} 不是价格项，只能预览价格变更',
  },
  price_preview_running: {
    en: 'Another price preview is running. Please wait until it is done',
    zh: '已有价格预览正在进行，请稍候',
  },
  option_group_in_use: {
    en: 'Group {group} is still used by {users} accounts and {tokens} API keys, and is all that {channels} channels serve: move them first, or keep the group',
    zh: '分组 {group} 仍有 {users} 个用户和 {tokens} 个令牌在使用，另有 {channels} 个渠道仅服务该分组，请先迁移或保留该分组',
  },
  option_group_limited: {
    en: 'Group {group} has limits: {limits}. Delete them first, or keep the group',
    zh: '分组 {group} 设有限额：{limits}。请先删除这些限额，或保留该分组',
  },
  option_group_offered: {
    en: 'UserUsableGroups still offers {groups}: keep the ratio, or take the group out of both in the same save',
    zh: 'UserUsableGroups 仍提供分组 {groups}：请保留其倍率，或在同一次保存中从两处删除该分组',
  },
  option_group_without_ratio: {
    en: 'UserUsableGroups offers {groups}, which GroupRatio does not have: no user could use it. Give it a ratio first, or in the same save',
    zh: 'UserUsableGroups 中的分组 {groups} 在 GroupRatio 中没有倍率，无法使用。请先设置倍率，或在同一次保存中设置',
  },
  option_priced_group_without_ratio: {
    en: 'GroupModelRatio names {groups}, which GroupRatio does not have: no account is in it. Give it a ratio first, take its factors out, or do so in the same save',
    zh: 'GroupModelRatio 中的分组 {groups} 在 GroupRatio 中没有倍率，没有用户属于该分组。请先设置倍率或移除其模型倍率，也可在同一次保存中完成',
  },
  option_secret_retype: {
    en: 'The secret {secret} was typed for another {address}: type it again, or remove it, in the same save',
    zh: '密钥 {secret} 是为原 {address} 填写的：请在同一次保存中重新填写或清除该密钥',
  },
  option_mail_unproven: {
    en: 'No mail has left by these mail settings yet: save them, send a test mail, then switch {key} on',
    zh: '尚未用当前的邮件设置成功发送过邮件：请先保存邮件设置并发送测试邮件，再开启 {key}',
  },
  option_confirmation_unasked: {
    en: 'Payments above EpayConfirmAboveMoney are confirmed by asking the payment service: switch EpayOrderQueryEnabled on, or set EpayConfirmAboveMoney to 0',
    zh: '超过 EpayConfirmAboveMoney 的付款需向支付服务查询确认：请启用 EpayOrderQueryEnabled，或将 EpayConfirmAboveMoney 设为 0',
  },
  option_one_mode: {
    en: 'Self-use mode and demo mode exclude each other',
    zh: '自用模式与演示模式不能同时启用',
  },
  option_default_group: {
    en: 'The group ratios must contain the group "default"',
    zh: '分组倍率中必须包含 default 分组',
  },
  option_last_login_way: {
    en: 'No root account has another way to log in that is turned on: bind one, or add a passkey, before passwords are turned off',
    zh: '没有超级管理员绑定已启用的其他登录方式：请先绑定或创建通行密钥，再关闭密码登录',
  },
  job_runs: { en: 'This job is running already', zh: '该任务正在执行' },
  job_not_here: {
    en: 'This job is not run by the worker that answered',
    zh: '响应此请求的工作进程不执行该任务',
  },
} as const satisfies Record<string, ErrorRow>;
