import type { SentenceRow } from '../sentence-row.js';

/** API keys, channels, codes, orders and settings of a source. */
export const TOKEN_SENTENCES = {
  key_without_owner: {
    en: 'its owner {owner} does not exist: the key was refused there too',
    zh: '其所有者 {owner} 不存在：该令牌在来源中同样会被拒绝',
  },
  key_unusable: {
    en: 'its key is empty, too long or holds characters no header may have; the row is left out',
    zh: '密钥为空、过长或含有请求头不允许的字符；该行未导入',
  },
  key_weak: {
    en: 'its key has {length} characters and can be guessed: make a new one',
    zh: '密钥只有 {length} 个字符，容易被猜到：请更换',
  },
  key_marked_refused: {
    en: 'it was marked as expired or used up there, although its own figures do not say so',
    zh: '在来源中标记为已过期或已用尽，尽管其数值并非如此',
  },
  key_unknown_columns: {
    en: 'it has a value in {columns}, which is not known here and may have narrowed it',
    zh: '{columns} 中有值，此处不认识，可能限制了该令牌',
  },
  key_address_limit: {
    en: 'its address limit cannot be read: {entries}',
    zh: '无法读取其地址限制：{entries}',
  },
  key_group_not_usable: {
    en: 'its owner may not use the group {group}',
    zh: '其所有者不能使用分组 {group}',
  },
  key_group_not_usable_here: {
    en: 'its owner may not use the group {group} here',
    zh: '其所有者在此处不能使用分组 {group}',
  },
  key_group_without_factor: {
    en: 'its group {group} has no price factor here',
    zh: '其分组 {group} 在此处没有价格倍率',
  },
  key_auto_group_unusable: {
    en: 'none of the groups of its group "auto" may be used by its owner',
    zh: '其所有者不能使用 auto 列表中的任何分组',
  },
  key_auto_group: {
    en: 'its group "auto" becomes {group}, the first of its list that its owner may use',
    zh: '其分组 auto 变为 {group}，即列表中所有者可用的第一个分组',
  },
  key_is_here: {
    en: 'a token with the same key is here already: left out',
    zh: '此处已有相同密钥的令牌：未导入',
  },
  key_owner_left_out: { en: 'its owner {owner} was left out', zh: '其所有者 {owner} 未导入' },
  key_below_zero: {
    en: 'its allowance is below 0 ({quota}): it starts at 0',
    zh: '其额度为负（{quota}）：从 0 开始',
  },
  channel_reason: { en: '{name}: {reason}', zh: '{name}：{reason}' },
  channel_type_without_counterpart: {
    en: 'its type {type} has no counterpart here',
    zh: '其类型 {type} 在此处没有对应项',
  },
  channel_type_unknown: { en: 'its type {type} is not known here', zh: '此处不认识其类型 {type}' },
  channel_type_not_served: { en: '{type} is not served here', zh: '此处不支持 {type}' },
  channel_without_key: { en: 'it has no key', zh: '没有密钥' },
  channel_part_refused: { en: '{part} cannot be kept: {refusal}', zh: '无法保留 {part}：{refusal}' },
  channel_unknown_columns: {
    en: 'it has a value in {columns}, which is not known here',
    zh: '{columns} 中有值，此处不认识',
  },
  code_unusable: {
    en: 'the code is empty or worth nothing: left out',
    zh: '兑换码为空或没有额度：未导入',
  },
  code_is_here: { en: 'the same code is here already: left out', zh: '此处已有相同的兑换码：未导入' },
  order_of_other_provider: {
    en: 'was paid by {provider}, which has no counterpart here; its quota is in the balance',
    zh: '通过 {provider} 支付，此处没有对应项；其额度已在余额中',
  },
  order_without_payer: {
    en: 'its payer {payer} is not here: left out',
    zh: '付款人 {payer} 未导入：该订单未导入',
  },
  order_number_unusable: { en: 'its number cannot be kept: left out', zh: '无法保留订单号：未导入' },
  order_without_amount: { en: 'it has no amount: left out', zh: '没有金额：未导入' },
  order_is_here: {
    en: 'an order with this number is here already: left out',
    zh: '此处已有相同编号的订单：未导入',
  },
  ratios_stand_twice: {
    en: '{option} has other ratios there; those of GroupRatio are taken: compare them',
    zh: '来源中 {option} 的倍率不同；采用 GroupRatio 的倍率：请核对',
  },
  option_refused: { en: '{key} ({refusal})', zh: '{key}（{refusal}）' },
  log_missing: {
    en: 'there is no log here: where LOG_SQL_DSN named another database, import again with --logs-from and its address',
    zh: '此处没有日志：如果 LOG_SQL_DSN 指定了其他数据库，请填写日志数据库地址（命令行 --logs-from）后重新导入',
  },
  amounts_converted: {
    en: 'every amount is multiplied by {factor} and rounded: a dollar has another number of quota units here',
    zh: '所有金额乘以 {factor} 并舍入：此处每美元的额度单位不同',
  },
} as const satisfies Record<string, SentenceRow>;
