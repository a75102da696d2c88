import { bucketMs } from './calendar-periods.js';
import type { LimitDefinition, LimitMeasure, LimitScope } from './limit-definition.js';
import { renderSql } from '../../infra/database/sql-store.js';

export type OpeningLimit = Omit<LimitDefinition, 'id'>;
type Dialect = Parameters<typeof renderSql>[0];

/** A statement that sums the use of a period by value, start of the period or bucket, and model. */
export interface OpeningStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface Source {
  /** Tables that name the subject. */
  readonly from: string;
  /** Column that names the subject; null = every call counts. */
  readonly subject: string | null;
  /** Condition that holds for all rows of the source. */
  readonly condition?: string;
}

const SETTLEMENTS = '"settlements" "s"';
const LINES = '"logs" "s"';
const TAGGED = `${LINES} INNER JOIN "log_tags" "t" ON "t"."request_id" = "s"."request_id"`;

/** Settlements name token, account and channel. */
const OF_SETTLEMENTS: Readonly<Partial<Record<LimitScope, Source>>> = {
  token: { from: SETTLEMENTS, subject: '"s"."token_id"' },
  account: { from: SETTLEMENTS, subject: '"s"."user_id"' },
  group: {
    from: `${SETTLEMENTS} INNER JOIN "users" "u" ON "u"."id" = "s"."user_id"`,
    subject: '"u"."group"',
  },
  channel: { from: SETTLEMENTS, subject: '"s"."channel_id"' },
  channel_tag: {
    from: `${SETTLEMENTS} INNER JOIN "channels" "c" ON "c"."id" = "s"."channel_id"`,
    subject: '"c"."tag"',
  },
  everyone: { from: SETTLEMENTS, subject: null },
};

/** Lines of the usage log name the group of a call, its tags and its end user. */
const OF_LINES: Readonly<Partial<Record<LimitScope, Source>>> = {
  call_group: { from: LINES, subject: '"s"."group"' },
  tag: { from: TAGGED, subject: '"t"."value"', condition: `"t"."kind" = 'tag'` },
  end_user: { from: TAGGED, subject: '"t"."value"', condition: `"t"."kind" = 'end_user'` },
};

/** True when the use of a scope is summed from the usage log, which may lie in a database of its own. */
export const isOfLines = (scope: LimitScope): boolean => scope in OF_LINES;

/** Quota of a call that was given back, or charged later (below 0). */
const GIVEN_BACK = [
  ['correction', '"s"."request_id"'],
  ['refund', `CONCAT('task:', "s"."request_id")`],
]
  .map(
    ([kind, ref]) =>
      `COALESCE((SELECT SUM("l"."amount") FROM "ledger" "l" WHERE "l"."kind" = '${kind}' AND "l"."ref" = ${ref}), 0)`,
  )
  .join(' - ');

const NUMBERED: ReadonlySet<LimitScope> = new Set(['token', 'account', 'channel']);
/** Type of the lines of charged calls. */
const CONSUMPTION = 2;

/**
 * @param fromMs  start of the period, or of the oldest bucket that counts
 * @param target  `hasLedger`: the statement is for the database of the books
 */
export function openingStatement(
  limit: OpeningLimit,
  fromMs: number,
  { dialect, hasLedger }: { readonly dialect: Dialect; readonly hasLedger: boolean },
): OpeningStatement | undefined {
  const { scope, each, accountId, measure } = limit;
  const ofLines = isOfLines(scope);
  const source = (ofLines ? OF_LINES : OF_SETTLEMENTS)[scope];
  if (source === undefined) return undefined;
  const { from, subject, condition } = source;
  const conditions = ofLines
    ? ['"s"."created_at" >= ?', `"s"."type" = ${CONSUMPTION}`]
    : ['"s"."created_at_ms" >= ?'];
  const parameters: unknown[] = [ofLines ? Math.floor(fromMs / 1_000) : fromMs];
  if (condition !== undefined) conditions.push(condition);
  if (subject !== null && each) conditions.push(`${subject} IS NOT NULL`);
  else if (subject !== null) {
    conditions.push(`${subject} = ?`);
    parameters.push(NUMBERED.has(scope) ? Number(limit.subject) : limit.subject);
  }
  if (accountId !== null) {
    conditions.push('"s"."user_id" = ?');
    parameters.push(accountId);
  }
  const gross = ofLines ? amountOfLine(measure) : amountOfSettlement(measure, dialect);
  const amount = measure === 'quota' && hasLedger ? `${gross} - ${GIVEN_BACK}` : gross;
  const sql = `SELECT "q"."value" AS "value", "q"."start" AS "start", "q"."model" AS "model", SUM("q"."used") AS "used", COUNT(*) AS "calls" FROM
      (SELECT ${each && subject !== null ? subject : 'NULL'} AS "value", ${startOf(limit, fromMs, dialect)} AS "start",
         ${ofLines ? '"s"."model_name"' : '"s"."model"'} AS "model", ${amount} AS "used"
       FROM ${from} WHERE ${conditions.join(' AND ')}) "q" GROUP BY "q"."value", "q"."start", "q"."model"`;
  return { sql: renderSql(dialect, sql), parameters };
}

function startOf({ scope, period, rolling }: OpeningLimit, fromMs: number, dialect: Dialect): string {
  if (!rolling || period === '' || period === 'ever') return String(fromMs);
  const moment = isOfLines(scope) ? '("s"."created_at" * 1000)' : '"s"."created_at_ms"';
  const length = bucketMs(period);
  return dialect === 'sqlite'
    ? `${moment} - (${moment} % ${length})`
    : `${moment} - MOD(${moment}, ${length})`;
}

function amountOfLine(measure: LimitMeasure): string {
  switch (measure) {
    case 'quota':
      return '"s"."quota"';
    case 'tokens':
      return '"s"."prompt_tokens" + "s"."completion_tokens"';
    case 'input_tokens':
      return '"s"."prompt_tokens"';
    case 'output_tokens':
      return '"s"."completion_tokens"';
    default:
      return '1';
  }
}

function amountOfSettlement(measure: LimitMeasure, dialect: Dialect): string {
  const tokens = (side: 'input' | 'output'): string =>
    dialect === 'postgres'
      ? `COALESCE(("s"."usage"::json->'${side}'->>'total')::bigint, 0)`
      : `COALESCE(JSON_EXTRACT("s"."usage", '$.${side}.total'), 0)`;
  switch (measure) {
    case 'quota':
      return '"s"."charged"';
    case 'tokens':
      return `${tokens('input')} + ${tokens('output')}`;
    case 'input_tokens':
      return tokens('input');
    case 'output_tokens':
      return tokens('output');
    default:
      return '1';
  }
}
