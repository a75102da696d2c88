import type { LimitUseKind } from '../../limits/limit-definition.js';
import { type LimitMark, readMarks } from '../../limits/limit-marks.js';
import { execute, insertRows, sqlIn, type SqlTarget, textList, toText } from './money-sql.js';

/** Amounts to add to one row of `limit_use`. */
export interface LimitUseSum extends Omit<LimitMark, 'measure'> {
  readonly kind: LimitUseKind;
  readonly used: number;
  readonly calls: number;
}

/** Sums in one order for all writers: two never wait for each other in a circle. */
export function sumUses(parts: readonly LimitUseSum[]): readonly LimitUseSum[] {
  const sums = Map.groupBy(parts, ({ limitId, value, periodStartMs, kind }) =>
    JSON.stringify([limitId, value, periodStartMs, kind]),
  );
  return [...sums]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, [first, ...rest]]) =>
      first === undefined
        ? []
        : [
            rest.reduce(
              (sum, { used, calls }) => ({ ...sum, used: sum.used + used, calls: sum.calls + calls }),
              first,
            ),
          ],
    );
}

/** Adds to rows of `limit_use`. Fails: with the database's error. */
export async function addUses(target: SqlTarget, sums: readonly LimitUseSum[]): Promise<void> {
  if (sums.length === 0) return;
  const again = sqlIn(target).orAdd(
    { table: 'limit_use', key: ['limit_id', 'value', 'period_start_ms', 'kind'] },
    ['used', 'calls'],
  );
  const rows = sums.map((sum) => [sum.limitId, sum.value, sum.periodStartMs, sum.kind, sum.used, sum.calls]);
  await insertRows(
    target,
    'limit_use',
    ['limit_id', 'value', 'period_start_ms', 'kind', 'used', 'calls'],
    rows,
    again,
  );
}

/**
 * Takes what was given back of a booked call off the money limits it counts under, in the period of its admission.
 * @param amount  quota; below 0 = charged later
 */
export async function correctLimitUses(
  target: SqlTarget,
  changes: readonly { readonly callId: string; readonly amount: number }[],
): Promise<void> {
  if (changes.length === 0) return;
  const amounts = new Map(changes.map(({ callId, amount }) => [callId, amount]));
  const { rows } = await execute(
    target,
    `SELECT "request_id" AS "id", "limits" AS "limits" FROM "settlements"
       WHERE "limits" IS NOT NULL AND "request_id" IN (${textList(amounts.keys())})`,
  );
  const parts = rows.flatMap((row) =>
    readMarks(toText(row['limits']))
      .filter(({ measure }) => measure === 'quota')
      .map(({ limitId, value, periodStartMs }): LimitUseSum => {
        const used = -(amounts.get(toText(row['id'])) ?? 0);
        return { limitId, value, periodStartMs, kind: 'correction', used, calls: 0 };
      }),
  );
  await addUses(target, sumUses(parts));
}
