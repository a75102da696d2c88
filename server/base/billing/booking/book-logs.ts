import type { BookedCharge } from './batch-totals.js';
import { dialectIn, execute, insertRows, type SqlTarget } from '../ledger/money-sql.js';
import { ALL_USERS } from '../ledger/all-users.js';

type Booked = readonly BookedCharge[];

/** Every time zone in use differs from UTC by whole quarters of an hour: days of each can be summed from them. */
const BUCKET_SECONDS = 900;

const CONSUMPTION = 2;
const LOG_COLUMNS = [
  'request_id',
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'channel_id',
  'token_id',
  'group',
  'other',
] as const;

/** Consumption log rows (type 2) of booked settlements. Writing a row twice changes nothing: its call id is unique. */
export async function insertLogs(target: SqlTarget, booked: Booked): Promise<void> {
  const dialect = dialectIn(target);
  const again =
    dialect === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE "request_id" = "logs"."request_id"'
      : 'ON CONFLICT ("request_id") DO NOTHING';
  const rows = booked.map(({ document, charged }) => [
    document.request_id,
    document.user_id,
    Math.floor(document.created_at_ms / 1000),
    CONSUMPTION,
    document.content,
    document.username,
    document.token_name,
    document.model,
    charged,
    document.prompt_tokens,
    document.completion_tokens,
    document.use_time,
    // SQLite has no booleans, PostgreSQL takes nothing else.
    dialect === 'sqlite' ? document.is_stream : document.is_stream === 1,
    document.channel_id,
    document.token_id ?? 0,
    document.group,
    document.other,
  ]);
  await insertRows(target, 'logs', LOG_COLUMNS, rows, again);
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
  tokens: number,
  count: number,
  quota: number,
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
    const key: BucketKey = [document.user_id, document.model, seconds - (seconds % BUCKET_SECONDS)];
    addTo(buckets, key, document.prompt_tokens + document.completion_tokens, 1, charged);
  }
  for (const { key, tokens, count, quota } of [...buckets.values()])
    addTo(buckets, [ALL_USERS, key[1], key[2]], tokens, count, quota);
  if (buckets.size === 0) return;
  // One order for all who book: rows of everybody are everybody's, and nobody may wait in a circle.
  const rows = [...buckets.values()].sort((a, b) => compareKeys(a.key, b.key));
  const values = rows.map(() => '(?, ?, ?, ?, ?, ?)').join(', ');
  const parameters = rows.flatMap((row) => [...row.key, row.tokens, row.count, row.quota]);
  const added = ['token_used', 'count', 'quota'];
  const again =
    dialectIn(target) === 'mysql'
      ? `ON DUPLICATE KEY UPDATE ${added.map((name) => `"${name}" = "${name}" + VALUES("${name}")`).join(', ')}`
      : `ON CONFLICT ("user_id", "model_name", "created_at") DO UPDATE SET ${added
          .map((name) => `"${name}" = "quota_data"."${name}" + excluded."${name}"`)
          .join(', ')}`;
  await execute(
    target,
    `INSERT INTO "quota_data" ("user_id", "model_name", "created_at", "token_used", "count", "quota") VALUES ${values} ${again}`,
    parameters,
  );
}
