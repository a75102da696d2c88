import type { EntityManager } from 'typeorm';
import { ALL_USERS } from '../ledger/all-users.js';
import { insertRows, sqlIn } from '../ledger/money-sql.js';

/** Calls of one account and model in one quarter of an hour. */
export interface ImportedUse {
  readonly userId: number;
  readonly model: string;
  /** Start of the quarter, seconds. */
  readonly createdAt: number;
  tokens: number;
  calls: number;
  quota: number;
}

const COLUMNS = ['user_id', 'model_name', 'created_at', 'token_used', 'count', 'quota'];

/** Adds imported calls to the sums that dashboards read: of each account, and of all together. */
export async function addImportedUse(manager: EntityManager, use: readonly ImportedUse[]): Promise<void> {
  const again = sqlIn(manager).orAdd({ table: 'quota_data', key: ['user_id', 'model_name', 'created_at'] }, [
    'token_used',
    'count',
    'quota',
  ]);
  // One statement may touch a row once.
  const all = new Map<string, ImportedUse>();
  for (const one of use) {
    const key = JSON.stringify([one.model, one.createdAt]);
    const sum = all.get(key) ?? { ...one, userId: ALL_USERS, tokens: 0, calls: 0, quota: 0 };
    sum.tokens += one.tokens;
    sum.calls += one.calls;
    sum.quota += one.quota;
    all.set(key, sum);
  }
  const rows = [...use, ...all.values()].map((one) => [
    one.userId,
    one.model,
    one.createdAt,
    one.tokens,
    one.calls,
    one.quota,
  ]);
  await insertRows(manager, 'quota_data', COLUMNS, rows, again);
}
