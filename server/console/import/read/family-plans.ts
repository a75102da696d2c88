import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import type { SourceNote } from '../source/records.js';
import { readRows } from './read-rows.js';

/** Notes on plans that run: they have no counterpart, and the person's balance may be 0. */
export async function notePlans(
  source: ForeignSource,
  {
    tables,
    balances,
    nowSeconds,
    notes,
  }: {
    readonly tables: ReadonlyMap<string, readonly string[]>;
    /** Quota by user id. */
    readonly balances: ReadonlyMap<string, number>;
    readonly nowSeconds: number;
    readonly notes: SourceNote[];
  },
): Promise<void> {
  if (tables.has('user_subscriptions'))
    await readRows(source, { table: 'user_subscriptions', key: 'id', notes }, (row) => {
      const end = row.integer('end_time');
      if (row.text('status') !== 'active' || end <= nowSeconds) return null;
      const left = Math.max(0, row.integer('amount_total') - row.integer('amount_used'));
      const balance = balances.get(row.text('user_id')) ?? 0;
      notes.push({
        kind: 'balance',
        table: 'user_subscriptions',
        id: row.text('id'),
        sentence: sentence('plan_left_behind', {
          user: row.text('user_id'),
          date: new Date(end * 1_000).toISOString().slice(0, 10),
          left,
          balance,
        }),
      });
      return null;
    });
  for (const [table, code] of [
    ['checkins', 'count_checkins'],
    ['subscription_orders', 'count_plan_orders'],
    ['two_fa_backup_codes', 'count_backup_codes'],
    ['user_oauth_bindings', 'count_own_providers'],
  ] as const) {
    if (!tables.has(table)) continue;
    const [row] = await source.query(`SELECT COUNT(*) AS "count" FROM "${table}"`);
    const count = Number(row?.['count']);
    if (count > 0) notes.push({ kind: 'left-out', table, id: '', sentence: sentence(code, { count }) });
  }
}
