import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';

/** Models of the seeded calls with their ratios, as price snapshots name them. */
export const SEEDED_MODELS = [
  { name: 'gpt-4o', modelRatio: '1.25', completionRatio: '4', cacheRatio: '0.5' },
  { name: 'gpt-4o-mini', modelRatio: '0.075', completionRatio: '4', cacheRatio: '0.5' },
  { name: 'claude-sonnet-4-5', modelRatio: '1.5', completionRatio: '5', cacheRatio: '0.1' },
  { name: 'gemini-2.5-flash', modelRatio: '0.15', completionRatio: '8.33333333333', cacheRatio: '0.1' },
  { name: 'deepseek-chat', modelRatio: '0.14', completionRatio: '1.5', cacheRatio: '0.1' },
];
const GROUPS = ['default', 'vip', 'svip'];
const USERS = 1_000;
const ROWS_PER_INSERT = 1_000;
const COLUMNS = [
  'request_id',
  'user_id',
  'token_id',
  'token_limited',
  'channel_id',
  'model',
  'usage',
  'evidence',
  'charged',
  'writeoff',
  'outcome',
  'price_snapshot',
  'created_at_ms',
];

/** The same numbers in every run. */
function* randomNumbers(seed = 20_261_121) {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 4_294_967_296;
  }
}

const snapshots = SEEDED_MODELS.flatMap(({ name: model, ...ratios }) =>
  GROUPS.map((group) => {
    const document = JSON.stringify({
      mode: 'ratio',
      model,
      group,
      groupRatio: '1',
      quotaPerUnit: 500_000,
      revision: 1,
      ...ratios,
      cacheWriteRatio: '1.25',
      imageRatio: '1',
      audioRatio: '1',
      audioCompletionRatio: ratios.completionRatio,
    });
    const id = createHash('sha256').update(document).digest('base64url').slice(0, 32);
    const [modelRatio, completionRatio, cacheRatio] = Object.values(ratios).map(Number);
    return { id, document, model, modelRatio, completionRatio, cacheRatio };
  }),
);

function* settlements(count, sinceMs, untilMs) {
  const random = randomNumbers();
  const next = (below) => Math.floor(random.next().value * below);
  for (let index = 0; index < count; index += 1) {
    const ms = Math.floor(sinceMs + ((untilMs - sinceMs) * index) / count);
    const hex = ms.toString(16).padStart(12, '0');
    const prices = snapshots[next(snapshots.length)];
    const [input, cached, output] = [100 + next(20_000), next(100), 1 + next(2_000)];
    const usage = {
      input: { total: input, cacheRead: cached },
      output: { total: output, reasoning: next(output) },
    };
    const charged = Math.max(
      1,
      Math.round(
        (input - cached + cached * prices.cacheRatio + output * prices.completionRatio) * prices.modelRatio,
      ),
    );
    yield [
      `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`,
      1 + next(USERS),
      null,
      0,
      1,
      prices.model,
      JSON.stringify(usage),
      'reported',
      charged,
      0,
      'ok',
      prices.id,
      ms,
    ];
  }
}

function* batches(rows, size) {
  let batch = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * Fills the settlements of a migrated database with calls of five models, three groups and a thousand users, spread evenly.
 * Rows of an earlier run are kept, so the moments must not overlap.
 */
export async function seedSettlements(databaseUrl, { count, sinceMs, untilMs }) {
  const target = await openTarget(databaseUrl);
  try {
    for (const { id, document } of snapshots)
      await target.insert('price_snapshots', ['id', 'document', 'created_at_ms'], [[id, document, sinceMs]]);
    for (const batch of batches(settlements(count, sinceMs, untilMs), ROWS_PER_INSERT))
      await target.insert('settlements', COLUMNS, batch);
    await target.settle();
  } finally {
    await target.close();
  }
}

async function openTarget(databaseUrl) {
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(databaseUrl.slice('sqlite:'.length));
  if (databaseUrl.startsWith('postgres')) return openPostgres(databaseUrl);
  return openMysql(databaseUrl);
}

function openSqlite(path) {
  const database = new Sqlite(path);
  return {
    insert: async (table, columns, rows) => {
      const statement = database.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      database.transaction(() => rows.forEach((row) => statement.run(row)))();
    },
    settle: async () => {
      database.exec('ANALYZE');
    },
    close: async () => {
      database.close();
    },
  };
}

async function openMysql(url) {
  const connection = await mysql.createConnection(url.replace('mariadb:', 'mysql:'));
  return {
    insert: (table, columns, rows) =>
      connection.query(`INSERT INTO ${table} (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES ?`, [
        rows,
      ]),
    settle: () => connection.query('ANALYZE TABLE settlements'),
    close: () => connection.end(),
  };
}

async function openPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    // One parameter per column: a list of each, taken apart by the server.
    insert: (table, columns, rows) => {
      const types = columns.map((name) =>
        /^(charged|writeoff|created_at_ms)$/.test(name)
          ? 'bigint[]'
          : /^(user_id|token_id|token_limited|channel_id)$/.test(name)
            ? 'integer[]'
            : 'text[]',
      );
      return client.query(
        `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})`,
        columns.map((_, column) => rows.map((row) => row[column])),
      );
    },
    settle: () => client.query('VACUUM ANALYZE settlements'),
    close: () => client.end(),
  };
}
