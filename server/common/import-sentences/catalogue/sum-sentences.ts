import type { SentenceRow } from '../sentence-row.js';

/** Rows of the reconciliation. */
export const SUM_SENTENCES = {
  sum_balances: { en: 'balances of accounts', zh: '账户余额' },
  sum_balances_converted: { en: 'balances converted', zh: '换算后的余额' },
  sum_used_accounts: { en: 'used by accounts', zh: '账户已用额度' },
  sum_calls: { en: 'calls of accounts', zh: '账户调用次数' },
  sum_allowances: { en: 'allowances of limited tokens', zh: '有限令牌的剩余额度' },
  sum_used_tokens: { en: 'used by tokens', zh: '令牌已用额度' },
  sum_used_channels: { en: 'used by channels', zh: '渠道已用额度' },
  sum_codes: { en: 'codes that are unused', zh: '未使用的兑换码' },
  why_left_out: { en: 'rows that were left out', zh: '未导入的行' },
  why_allowance_below_zero: { en: 'allowances below 0, which start at 0', zh: '负的剩余额度，从 0 开始' },
  why_given: {
    en: 'given here to people without a budget, or whose budget renews',
    zh: '在此处给予没有预算或预算会更新的用户',
  },
  why_rounding: { en: 'rounding', zh: '舍入' },
} as const satisfies Record<string, SentenceRow>;
