import { DIALECTS } from '../../infra/database/dialect.js';
import type { SqlSession } from '../../infra/database/sql-store.js';
import type { AttemptTotal, AttemptTotals, ChannelFailure } from './attempt-totals.js';
import { BUCKET_COUNT } from './histogram.js';

const buckets = (name: string): string[] =>
  Array.from({ length: BUCKET_COUNT }, (_, bucket) => `${name}_${bucket}`);

const KEY = ['channel_id', 'created_at', 'model_name', 'reason', 'status'] as const;
const ADDED = [
  'attempts',
  'failures',
  'output_tokens',
  'output_ms',
  'billed_tokens',
  ...buckets('first_token'),
  ...buckets('duration'),
];
const FAILURE_COLUMNS = ['channel_id', 'model_name', 'reason', 'status', 'message', 'failed_at_ms'] as const;

/** Parameters of one statement stay below what every database takes. */
const ROWS_PER_STATEMENT = 100;

/**
 * Adds sums to the stored ones, and keeps the newest failure of each channel. All who count write these rows: call it last in the
 * transaction. Fails: with the driver's error.
 */
export async function writeAttempts(session: SqlSession, totals: AttemptTotals): Promise<void> {
  if (totals.isEmpty) return;
  const add = DIALECTS[session.dialect].orAdd({ table: 'attempt_totals', key: KEY }, ADDED);
  await upsert(session, 'attempt_totals', [...KEY, ...ADDED], totals.rows().map(toRow), add);
  await upsert(
    session,
    'channel_failures',
    FAILURE_COLUMNS,
    totals.failures().map(toFailureRow),
    DIALECTS[session.dialect].orTakeNewest(
      { table: 'channel_failures', key: ['channel_id'] },
      FAILURE_COLUMNS.slice(1),
      'failed_at_ms',
    ),
  );
}

const toRow = (total: AttemptTotal): readonly unknown[] => [
  total.channelId,
  total.start,
  total.model,
  total.reason,
  total.status,
  total.attempts,
  total.failures,
  total.outputTokens,
  total.outputMs,
  total.billedTokens,
  ...total.firstToken,
  ...total.duration,
];

const toFailureRow = (failure: ChannelFailure): readonly unknown[] => [
  failure.channelId,
  failure.model,
  failure.reason,
  failure.status,
  failure.message,
  failure.failedAtMs,
];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

async function upsert(
  session: SqlSession,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  again: string,
): Promise<void> {
  if (rows.length === 0) return;
  const insert = `INSERT INTO "${table}" (${quoted(columns)}) VALUES`;
  const marks = `(${columns.map(() => '?').join(', ')})`;
  if (session.dialect === 'sqlite') {
    await session.runEach(`${insert} ${marks} ${again}`, rows);
    return;
  }
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const part = rows.slice(from, from + ROWS_PER_STATEMENT);
    await session.run(`${insert} ${part.map(() => marks).join(', ')} ${again}`, part.flat());
  }
}
