import type { ErrorRow } from '../error-row.js';

/** Redemption codes and top-ups. */
export const PAYMENT_ERRORS = {
  redemption_code_required: { en: 'Please enter a code', zh: '请输入兑换码！' },
  redemption_invalid: {
    en: 'The code is invalid or was already used',
    zh: '无效的兑换码，或该兑换码已被使用',
  },
  redemption_name_length: {
    en: 'The name of a code must have 1 to {max} characters',
    zh: '兑换码名称长度必须在 1-{max} 之间',
  },
  redemption_count_range: {
    en: 'Between 1 and {max} codes can be made at once',
    zh: '一次兑换码批量生成的个数必须在 1-{max} 之间',
  },
  redemption_quota_range: {
    en: 'The quota of a code must be a whole number from 1 to {max}',
    zh: '兑换码额度必须为 1 到 {max} 的整数',
  },
  redemption_worth_too_large: {
    en: 'Only root may make or raise codes to more than {limit} in all at once',
    zh: '单次生成或调高的兑换码总额度超过 {limit} 仅限超级管理员操作',
  },
  redemption_own_code: {
    en: 'You made or changed this code: another account has to redeem it',
    zh: '该兑换码由您创建或修改过，只能由其他账户兑换',
  },
  redemption_expiry_past: { en: 'The expiry time must be in the future', zh: '过期时间必须晚于当前时间' },
  redemption_not_unused: { en: 'Only unused codes can be changed', zh: '只能修改未使用的兑换码' },
  restore_code_used: {
    en: 'Only unused redemption codes can be restored',
    zh: '仅未使用的兑换码可以恢复',
  },
  redemption_used: {
    en: 'The code was used and cannot be changed any more',
    zh: '兑换码已被使用，无法再修改',
  },
  topup_off: { en: 'The administrator has not enabled online top-up', zh: '管理员未开启在线充值！' },
  topup_amount_not_whole: { en: 'The top-up amount must be a whole number', zh: '充值数量必须为整数' },
  topup_amount_too_small: { en: 'The top-up amount must not be below {min}', zh: '充值数量不能小于 {min}' },
  topup_amount_too_large: { en: 'The top-up amount must not be above {max}', zh: '充值数量不能大于 {max}' },
  topup_money_too_small: { en: 'The sum to pay is too small', zh: '充值金额过低' },
  topup_method_unknown: { en: 'Unknown payment method', zh: '支付方式不存在' },
  topup_start_failed: {
    en: 'The payment could not be started, please try again later',
    zh: '拉起支付失败，请稍后再试',
  },
  topup_too_many_pending: {
    en: 'You have {max} unpaid orders: pay one of them or wait until they expire',
    zh: '您有 {max} 个未支付的订单，请先支付或等待其过期',
  },
  order_has_owner: {
    en: 'The account that ordered can still be credited; an order goes to another account only when that one is deregistered',
    zh: '下单账户仍可入账；仅当其已注销时，订单才能转给其他账户',
  },
  order_not_refundable: {
    en: 'Only an order that waits to be checked can be closed as given back',
    zh: '只有待核查的订单才能标记为已退款',
  },
  topup_not_completable: { en: 'The order is paid already', zh: '订单已支付' },
  reason_required: { en: 'Please give a reason', zh: '请填写原因' },
} as const satisfies Record<string, ErrorRow>;
