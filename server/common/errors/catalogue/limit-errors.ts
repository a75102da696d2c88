import type { ErrorRow } from '../error-row.js';

/** Limits per period. */
export const LIMIT_ERRORS = {
  limit_name_length: {
    en: 'The name of a limit must have 1 to {max} characters',
    zh: '限额名称须为 1-{max} 个字符',
  },
  limit_amount_range: {
    en: 'The amount must be a whole number from 0 to {max}',
    zh: '限额数值必须是 0 到 {max} 之间的整数',
  },
  limit_field: { en: 'Invalid parameter: {field} {problem}', zh: '参数错误：{field} {problem}' },
  limit_subject_unknown: {
    en: 'subject: there is no {scope} {subject}',
    zh: 'subject：不存在的 {scope} {subject}',
  },
  limit_twice: {
    en: 'The limit “{name}” (id {id}) counts the same calls for the same period: change its amount',
    zh: '限额“{name}”（ID {id}）在相同周期内统计相同的调用：请修改其数值',
  },
  limit_warn_at: {
    en: 'warn_at must hold at most {max} different whole percents from 1 to 100',
    zh: 'warn_at 最多包含 {max} 个不同的 1 到 100 的整数百分比',
  },
  limit_above_others: {
    en: 'The limit “{name}” allows {amount}: a limit of your own cannot be above it',
    zh: '限额“{name}”为 {amount}：您自己的限额不能高于它',
  },
  limit_not_yours: {
    en: 'This limit was set by an administrator: you cannot change it',
    zh: '该限额由管理员设置，您无法修改',
  },
  limit_too_many: {
    en: 'There are already {max} limits, delete some first',
    zh: '限额数量已达上限 {max}，请先删除一些',
  },
  limit_changed: {
    en: 'The limit was changed meanwhile: reload it',
    zh: '该限额已被他人修改，请刷新后重试',
  },
  limit_reason: {
    en: 'Please enter a reason of 1 to {max} characters',
    zh: '请填写 1-{max} 个字符的原因',
  },
  limit_override_endless: {
    en: 'This limit has no period that ends: change its amount instead',
    zh: '该限额没有会结束的周期：请直接修改其数值',
  },
  limit_reset_nothing: {
    en: 'Nothing was used in the running period',
    zh: '当前周期内没有使用量',
  },
} as const satisfies Record<string, ErrorRow>;
