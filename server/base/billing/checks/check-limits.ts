import type { Usage } from '../../../relay-core/model/usage.js';
import { readMarks, usedOf } from '../../limits/limit-marks.js';
import { type Row, toInteger, toText } from '../ledger/money-sql.js';
import { wholeTokens } from '../records/spool-documents.js';

/** A sum of `limit_use` that is not that of its calls. */
export interface LimitFinding {
  readonly subject: string;
  readonly row: Row;
}

type Read = (sql: string) => Promise<readonly Row[]>;

/** Settlements read at once. */
const PAGE = 2_000;

/**
 * For every limit, value and period: use is the sum of the settlements and failed calls that count there, corrections are what was given back of
 * them. Calls of deleted limits, and of values whose retention is over, have no row any more.
 */
export async function checkLimits(read: Read): Promise<LimitFinding[]> {
  const rows = await read(
    `SELECT "limit_id" AS "limit_id", "value" AS "value", "period_start_ms" AS "start", "kind" AS "kind", "used" AS "used", "calls" AS "calls"
     FROM "limit_use" WHERE "kind" IN ('use', 'correction')`,
  );
  const found = new Map<string, { readonly used: number; readonly calls: number }>();
  for (const row of rows) {
    const key = keyOf(
      toText(row['kind']),
      toInteger(row['limit_id']),
      toText(row['value']),
      toInteger(row['start']),
    );
    found.set(key, { used: toInteger(row['used']), calls: toInteger(row['calls']) });
  }
  const expected = await sumsOfCalls(read);
  const findings: LimitFinding[] = [];
  const missing = await keysToHave(read, expected);
  for (const key of new Set([...found.keys(), ...missing])) {
    const is = found.get(key) ?? NOTHING;
    const should = expected.get(key) ?? NOTHING;
    if (is.used === should.used && is.calls === should.calls) continue;
    findings.push({
      subject: key,
      row: { found: `${is.used} of ${is.calls} calls`, expected: `${should.used} of ${should.calls} calls` },
    });
  }
  return findings;
}

/** Sums of calls that must have a row: those of limits that exist and whose rows stay. */
async function keysToHave(read: Read, expected: ReadonlyMap<string, unknown>): Promise<readonly string[]> {
  const rows = await read(`SELECT "id" AS "id" FROM "limits" WHERE "scope" NOT IN ('end_user', 'tag')`);
  const ids = new Set(rows.map((row) => toInteger(row['id'])));
  return [...expected.keys()].filter((key) => ids.has(Number(/^limit (\d+) /.exec(key)?.[1])));
}

const NOTHING = { used: 0, calls: 0 };

const keyOf = (kind: string, limitId: number, value: string, start: number): string =>
  `limit ${limitId} ${kind} of ${JSON.stringify(value)} from ${start}`;

async function sumsOfCalls(read: Read): Promise<Map<string, { used: number; calls: number }>> {
  const sums = new Map<string, { used: number; calls: number }>();
  const add = (key: string, used: number, calls: number): void => {
    const sum = sums.get(key) ?? { used: 0, calls: 0 };
    sums.set(key, { used: sum.used + used, calls: sum.calls + calls });
  };
  for await (const row of pages(read)) {
    const usage = JSON.parse(toText(row['usage'])) as Usage;
    const figures = {
      quota: toInteger(row['charged']),
      inputTokens: wholeTokens(usage.input.total),
      outputTokens: wholeTokens(usage.output.total),
    };
    for (const { limitId, value, periodStartMs, measure } of readMarks(toText(row['limits']))) {
      add(keyOf('use', limitId, value, periodStartMs), usedOf(measure, figures), 1);
    }
  }
  const failed = await read(`SELECT "limits" AS "limits" FROM "limit_failed_calls"`);
  for (const row of failed)
    for (const { limitId, value, periodStartMs, measure } of readMarks(toText(row['limits'])))
      if (measure === 'requests') add(keyOf('use', limitId, value, periodStartMs), 1, 1);
  const given = await read(
    `SELECT "l"."amount" AS "amount", "s"."limits" AS "limits" FROM "ledger" "l" INNER JOIN "settlements" "s"
       ON "s"."request_id" = CASE WHEN "l"."kind" = 'refund' THEN SUBSTR("l"."ref", ${'task:'.length + 1}) ELSE "l"."ref" END
     WHERE "l"."kind" IN ('correction', 'refund') AND "s"."limits" IS NOT NULL`,
  );
  for (const row of given)
    for (const { limitId, value, periodStartMs, measure } of readMarks(toText(row['limits'])))
      if (measure === 'quota')
        add(keyOf('correction', limitId, value, periodStartMs), -toInteger(row['amount']), 0);
  return sums;
}

async function* pages(read: Read): AsyncIterable<Row> {
  let last = '';
  for (;;) {
    const page = await read(
      `SELECT "request_id" AS "id", "charged" AS "charged", "usage" AS "usage", "limits" AS "limits" FROM "settlements"
       WHERE "limits" IS NOT NULL AND "request_id" > '${last}' ORDER BY "request_id" LIMIT ${PAGE}`,
    );
    yield* page;
    const next = page.at(-1);
    if (next === undefined || page.length < PAGE) return;
    last = toText(next['id']);
    if (!/^[0-9A-Za-z_-]+$/.test(last)) throw new RangeError('not an id');
  }
}
