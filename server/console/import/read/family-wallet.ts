import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import type { MutableSums, SourceCode, SourceNote, SourceOrder } from '../source/records.js';
import type { RowValues } from '../source/row-values.js';
import { readRows } from './read-rows.js';

/** Redemption codes of new-api and one-api, deleted ones included. */
export function readFamilyCodes(
  source: ForeignSource,
  notes: SourceNote[],
  unread: MutableSums,
): Promise<SourceCode[]> {
  const onDamaged = (row: RowValues): void => {
    const isUnused = row.readableInteger('status') === 1n && !row.has('deleted_at');
    if (isUnused) unread.unusedCodes += row.readableInteger('quota');
  };
  return readRows(source, { table: 'redemptions', key: 'id', notes, onDamaged }, (row) => {
    const status = row.integer('status', 1);
    return {
      sourceId: row.text('id'),
      code: row.fixedText('key'),
      creator: row.text('user_id'),
      status: [1, 2, 3].includes(status) ? status : 2,
      name: row.text('name'),
      quota: row.integer('quota'),
      createdTime: row.integer('created_time'),
      redeemedTime: row.integer('redeemed_time'),
      expiredTime: Math.max(0, row.integer('expired_time')),
      usedBy: row.integer('used_user_id') === 0 ? '' : row.text('used_user_id'),
      deletedAtMs: row.moment('deleted_at'),
    };
  });
}

/** Facts that payments are counted with. */
export interface PaymentFacts {
  readonly quotaPerUnit: number;
  readonly epayMerchant: string;
  readonly stripeMerchant: string;
}

const STATES = { success: 'success', pending: 'pending', expired: 'expired' } as const;
const EPAY_METHODS = new Set(['alipay', 'wxpay', 'qqpay', 'bank', 'usdt']);

/** Payment orders of new-api. one-api has none. */
export function readFamilyOrders(
  source: ForeignSource,
  facts: PaymentFacts,
  notes: SourceNote[],
): Promise<SourceOrder[]> {
  return readRows(source, { table: 'top_ups', key: 'id', notes }, (row) => orderOf(row, facts, notes));
}

function orderOf(row: RowValues, facts: PaymentFacts, notes: SourceNote[]): SourceOrder | null {
  const method = row.text('payment_method');
  const named = row.text('payment_provider');
  const provider =
    named || (method === 'stripe' ? 'stripe' : method === '' || EPAY_METHODS.has(method) ? 'epay' : method);
  if (provider !== 'epay' && provider !== 'stripe') {
    notes.push({
      kind: 'left-out',
      table: 'top_ups',
      id: row.text('id'),
      sentence: sentence('order_of_other_provider', { provider: provider.slice(0, 40) }),
    });
    return null;
  }
  const money = row.number('money');
  const amount = row.integer('amount');
  // Epay credits the amount in dollars, Stripe the money in dollars.
  const dollars = provider === 'stripe' ? money : amount;
  const status = row.text('status');
  return {
    sourceId: row.text('id'),
    owner: row.text('user_id'),
    amount,
    moneyMinor: Math.round(money * 100),
    currency: provider === 'stripe' ? 'usd' : '',
    quota: Math.round(dollars * facts.quotaPerUnit),
    tradeNo: row.text('trade_no'),
    provider,
    method: method || provider,
    merchantId: provider === 'epay' ? facts.epayMerchant : facts.stripeMerchant,
    status: Object.hasOwn(STATES, status) ? STATES[status as keyof typeof STATES] : 'expired',
    createTime: row.integer('create_time'),
    completeTime: row.integer('complete_time'),
  };
}
