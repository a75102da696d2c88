import type { SentenceRow } from '../sentence-row.js';

/** Rows of LiteLLM and of its configuration file. */
export const LITELLM_SENTENCES = {
  litellm_key_no_digest: {
    en: 'its key is no SHA-256; the row is left out',
    zh: '其密钥不是 SHA-256；该行未导入',
  },
  litellm_team_blocked: { en: 'its team is blocked', zh: '其团队已被禁用' },
  litellm_team_budget_not_held: {
    en: 'the budget of its team cannot be held here',
    zh: '此处无法实现其团队的预算',
  },
  litellm_person_budget_not_held: {
    en: 'the budget of its owner cannot be held here',
    zh: '此处无法实现其所有者的预算',
  },
  litellm_rules_not_held: {
    en: 'it has {names}, which cannot be held here',
    zh: '设有 {names}，此处无法实现',
  },
  litellm_aliases_left: {
    en: 'its own names of models ({names}) are not carried: add them to the models and the mapping of a channel',
    zh: '未导入其自定义的模型名称（{names}）：请添加到渠道的模型和模型映射中',
  },
  litellm_raise_left: {
    en: 'a temporary raise of {dollars} dollars until {date} is not carried: its amount has no period',
    zh: '未导入有效期至 {date} 的临时提额 {dollars} 美元：其额度没有周期',
  },
  litellm_master_callers: {
    en: '{count} calls of the log were made with the master key, which is no key here: give these callers a key of their own',
    zh: '日志中有 {count} 次调用使用主密钥，它在此处不是令牌：请为这些调用方创建各自的令牌',
  },
  litellm_team_missing: { en: 'its team does not exist', zh: '其团队不存在' },
  litellm_routes_only: {
    en: 'it may be used for {routes} only',
    zh: '只能用于 {routes}',
  },
  litellm_budget_not_held: {
    en: 'the length of its budget ({length}) cannot be held here',
    zh: '此处无法实现其预算周期（{length}）',
  },
  litellm_model_budget_not_held: {
    en: 'one of its budgets of single models cannot be held here',
    zh: '此处无法实现其某个单模型预算',
  },
  litellm_windows_not_held: {
    en: 'one of its budget_limits cannot be held here',
    zh: '此处无法实现其某个 budget_limits',
  },
  litellm_rotated_shares: {
    en: 'it shares the amount of the key that replaced it',
    zh: '与替换它的密钥共用额度',
  },
  litellm_proxy_budget: {
    en: 'is the budget of the whole proxy ({max} dollars): import with its config.yaml, or set a limit for everyone',
    zh: '是整个代理的预算（{max} 美元）：请连同 config.yaml 导入，或设置全局限额',
  },
  litellm_proxy_budget_each: {
    en: 'is the budget of the whole proxy ({max} dollars for each {length}): import with its config.yaml, or set a limit for everyone',
    zh: '是整个代理的预算（每 {length} {max} 美元）：请连同 config.yaml 导入，或设置全局限额',
  },
  litellm_balance_given: {
    en: 'had no budget: the account gets {dollars} dollars',
    zh: '没有预算：账户获得 {dollars} 美元',
  },
  litellm_budget_fallbacks: {
    en: 'budget_fallbacks of {models} are not taken: give the limit a cheaper model',
    zh: '未导入 {models} 的 budget_fallbacks：请为限额指定更便宜的模型',
  },
  litellm_organization_not_held: {
    en: 'the budget of {name} ({max} dollars each {length}) cannot be held here: set a limit by hand',
    zh: '此处无法实现 {name} 的预算（每 {length} {max} 美元）：请手动设置限额',
  },
  litellm_organization_divided: {
    en: 'the budget of {name} ({max} dollars) is divided among {count} teams and keys',
    zh: '{name} 的预算（{max} 美元）分配给 {count} 个团队和密钥',
  },
  litellm_everyone_not_held: {
    en: 'max_budget for each {length} cannot be held here: set a limit for everyone by hand',
    zh: '此处无法实现每 {length} 的 max_budget：请手动设置全局限额',
  },
  litellm_credential_missing: { en: 'its stored credential does not exist', zh: '其保存的凭据不存在' },
  litellm_credential_in_database: {
    en: 'its credential is stored in the database: type the key here',
    zh: '其凭据保存在数据库中：请在此处填写密钥',
  },
  litellm_model_blocked: { en: 'it was blocked there', zh: '在来源中已被禁用' },
  litellm_variable_missing: {
    en: 'its {name} is in the environment variable {variable}, which is not set here',
    zh: '其 {name} 取自环境变量 {variable}，此处未设置',
  },
  litellm_provider_without_counterpart: {
    en: 'its provider {provider} has no counterpart here',
    zh: '其提供商 {provider} 在此处没有对应项',
  },
  litellm_name_with_star: {
    en: 'its name {name} stands for many models, which have to be listed here',
    zh: '其名称 {name} 代表多个模型，需要在此处逐一列出',
  },
  litellm_parameters_unknown: {
    en: 'it has {names}, which is not known here',
    zh: '含有 {names}，此处不认识',
  },
  litellm_channel_budget_not_held: {
    en: 'the length of its budget cannot be held here',
    zh: '此处无法实现其预算周期',
  },
  litellm_secrets_sealed: {
    en: 'its stored secrets cannot be opened: set LITELLM_SALT_KEY, or LITELLM_MASTER_KEY, to the value it had',
    zh: '无法解密其保存的密钥：请将 LITELLM_SALT_KEY 或 LITELLM_MASTER_KEY 设为原值',
  },
  fallback_has_limits: {
    en: '{channel} is no fallback here: it has limits, which a second channel would count apart',
    zh: '{channel} 在此处不作为备用：它有限额，第二个渠道会分开计数',
  },
  fallback_unknown: {
    en: 'its fallback {target} is no model of the source',
    zh: '其备用模型 {target} 不在来源中',
  },
  fallback_costs_own_price: {
    en: 'falls back to {target}, and costs its own price then, not that of {target}',
    zh: '备用模型为 {target}，此时按自身价格计费，而非 {target} 的价格',
  },
  fallback_without_price: {
    en: 'falls back to {target}, but has no price here: its calls are refused until ModelRatio or ModelPrice has one',
    zh: '备用模型为 {target}，但此处没有价格：在 ModelRatio 或 ModelPrice 中设置之前，调用会被拒绝',
  },
  fallback_target_without_price: {
    en: 'falls back to {target}, which has no price here: such a call costs the price of {name}, and a call of {target} itself is refused until ModelRatio or ModelPrice has one',
    zh: '备用模型为 {target}，它在此处没有价格：此时按 {name} 的价格计费；在 ModelRatio 或 ModelPrice 中设置之前，直接调用 {target} 会被拒绝',
  },
  model_without_price: {
    en: '{name} has no price there and none here: its calls are refused until ModelRatio or ModelPrice has one',
    zh: '{name} 在来源和此处均没有价格：在 ModelRatio 或 ModelPrice 中设置之前，调用会被拒绝',
  },
  config_includes: {
    en: 'names further files: put their model_list into this one, and import again',
    zh: '引用了其他文件：请将其 model_list 合并到该文件后重新导入',
  },
  config_model_incomplete: {
    en: 'the model has no model_name or no litellm_params',
    zh: '该模型缺少 model_name 或 litellm_params',
  },
  config_section_not_read: { en: 'is not read', zh: '未读取' },
  config_members_unknown: {
    en: '{names}: no counterpart, set by hand',
    zh: '{names}：没有对应项，请手动设置',
  },
} as const satisfies Record<string, SentenceRow>;
