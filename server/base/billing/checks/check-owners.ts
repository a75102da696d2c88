import { CLOCKS_DIFFER_MS } from '../../../common/record-owners.js';
import { msOfId } from '../../../infra/ids/ids-by-time.js';
import { type Row, toInteger, toText } from '../ledger/money-sql.js';

/** A charge older than its account or token: the id belonged to another one before. */
export interface OlderCharge {
  readonly subject: string;
  readonly row: { readonly id: unknown; readonly expected: string; readonly found: string };
}

/**
 * No settlement is older than its account or its token: the call id holds the start of the call, the row the time of the charge.
 * Differences within the clock skew of instances are accepted.
 */
export async function checkOwners(read: (sql: string) => Promise<readonly Row[]>): Promise<OlderCharge[]> {
  const found: OlderCharge[] = [];
  for (const [subject, table, made, key] of [
    ['user', 'users', 'created_at', 'user_id'],
    ['token', 'tokens', 'created_time', 'token_id'],
  ] as const) {
    const rows = await read(
      `SELECT "o"."id" AS "id", "o"."${made}" AS "made", "s"."call" AS "call", "s"."charged_at_ms" AS "charged_at_ms"
         FROM "${table}" "o" JOIN (SELECT "${key}" AS "k", MIN("request_id") AS "call", MIN("created_at_ms") AS "charged_at_ms"
           FROM "settlements" WHERE "${key}" IS NOT NULL GROUP BY "${key}") "s" ON "s"."k" = "o"."id"`,
    );
    for (const row of rows) {
      const madeMs = toInteger(row['made']) * 1000;
      const call = toText(row['call']);
      const oldestMs = Math.min(toInteger(row['charged_at_ms']), msOfId(call) ?? Number.POSITIVE_INFINITY);
      if (oldestMs + CLOCKS_DIFFER_MS >= madeMs) continue;
      const expected = `no charge before ${timeOf(madeMs)}`;
      found.push({ subject, row: { id: row['id'], expected, found: `one of ${timeOf(oldestMs)}` } });
    }
  }
  return found;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
