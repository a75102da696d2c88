import { isFailedAttempt } from '../../channel-statistics/attempt-reasons.js';
import { AttemptTotals, QUARTER_SECONDS } from '../../channel-statistics/attempt-totals.js';
import { writeAttempts } from '../../channel-statistics/write-attempts.js';
import { LINE_TAGS, LOG_LINES, type NewLogLine, tagValuesOf, valuesOf } from '../../logs/insert-lines.js';
import type { BookedCharge } from './batch-totals.js';
import { execute, insertRows, sessionIn, sqlIn, type SqlTarget } from '../ledger/money-sql.js';
import { ALL_USERS } from '../ledger/all-users.js';

type Booked = readonly BookedCharge[];

const CONSUMPTION = 2;

/** The line of a booked settlement. */
const lineOf = ({ document, charged }: BookedCharge): NewLogLine => ({
  requestId: document.request_id,
  userId: document.user_id,
  createdAt: Math.floor(document.created_at_ms / 1000),
  type: CONSUMPTION,
  content: document.content,
  username: document.username,
  tokenName: document.token_name,
  modelName: document.model,
  quota: charged,
  promptTokens: document.prompt_tokens,
  completionTokens: document.completion_tokens,
  useTime: document.use_time,
  isStream: document.is_stream === 1,
  channelId: document.channel_id,
  tokenId: document.token_id ?? 0,
  hadFailedAttempt: hadFailedAttempt(document),
  group: document.group,
  tags: document.tags ?? '',
  endUser: document.end_user ?? '',
  other: document.other,
});

/** Consumption log rows (type 2) of booked settlements. Writing a row twice changes nothing: its call id is unique. */
export async function insertLogs(target: SqlTarget, booked: Booked): Promise<void> {
  const sql = sqlIn(target);
  const lines = booked.map(lineOf);
  const rows = lines.map((line) => valuesOf(sql, line));
  await insertRows(target, LOG_LINES.table, LOG_LINES.columns, rows, sql.orKeep(LOG_LINES));
  const tags = lines.flatMap(tagValuesOf);
  if (tags.length > 0)
    await insertRows(target, LINE_TAGS.table, LINE_TAGS.columns, tags, sql.orKeep(LINE_TAGS));
}

const hadFailedAttempt = ({ attempts = [] }: BookedCharge['document']): 0 | 1 =>
  attempts.some(({ reason }) => isFailedAttempt(reason)) ? 1 : 0;

/** Adds the attempts of booked settlements to the sums of their channels. */
export async function addAttempts(target: SqlTarget, booked: Booked): Promise<void> {
  const totals = new AttemptTotals();
  for (const { document } of booked)
    totals.add(document.model, document.created_at_ms, document.attempts ?? []);
  await writeAttempts(sessionIn(target), totals);
}

/** User, model, start of the quarter of an hour. */
type BucketKey = readonly [number, string, number];

const compareKeys = (a: BucketKey, b: BucketKey): number =>
  a[0] - b[0] || (a[1] === b[1] ? a[2] - b[2] : a[1] < b[1] ? -1 : 1);

interface BucketSum {
  readonly key: BucketKey;
  tokens: number;
  count: number;
  quota: number;
}

function addTo(
  buckets: Map<string, BucketSum>,
  key: BucketKey,
  { tokens, count, quota }: Omit<BucketSum, 'key'>,
): void {
  const id = `${key[0]}\n${key[2]}\n${key[1]}`;
  const sum = buckets.get(id);
  if (sum === undefined) {
    buckets.set(id, { key, tokens, count, quota });
    return;
  }
  sum.tokens += tokens;
  sum.count += count;
  sum.quota += quota;
}

/** Adds booked settlements to the figures the dashboard reads. */
export async function addUsageTotals(target: SqlTarget, booked: Booked): Promise<void> {
  const buckets = new Map<string, BucketSum>();
  for (const { document, charged } of booked) {
    const seconds = Math.floor(document.created_at_ms / 1000);
    const key: BucketKey = [document.user_id, document.model, seconds - (seconds % QUARTER_SECONDS)];
    const tokens = document.prompt_tokens + document.completion_tokens;
    addTo(buckets, key, { tokens, count: 1, quota: charged });
  }
  for (const sum of [...buckets.values()]) addTo(buckets, [ALL_USERS, sum.key[1], sum.key[2]], sum);
  if (buckets.size === 0) return;
  // All workers update these shared rows in one order, so that no two wait for each other.
  const rows = [...buckets.values()].sort((a, b) => compareKeys(a.key, b.key));
  const values = rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ');
  const parameters = rows.flatMap((row) => [...row.key, row.tokens, row.count, row.quota]);
  const again = sqlIn(target).orAdd({ table: 'quota_data', key: ['user_id', 'model_name', 'created_at'] }, [
    'token_used',
    'count',
    'quota',
  ]);
  await execute(
    target,
    `INSERT INTO "quota_data" ("user_id", "model_name", "created_at", "token_used", "count", "quota") VALUES ${values} ${again}`,
    parameters,
  );
}
