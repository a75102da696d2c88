import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { RealServers } from '../test/support/real-servers.ts';
import { rssBytes } from './lib/proc.mjs';
import { signInRoot, startConsoleGateway } from './lib/console-gateway.mjs';
import { stopProgram } from './lib/processes.mjs';

/**
 * What consoles ask for when the log is long: `node bench/books.mjs [--rows 10000000] [--databases mariadb,postgres] [--rounds 3]
 * [--server dist/server]`. Rows are spread over 30 days, 1,000 accounts, 20 channels and 5 models.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    databases: { type: 'string', default: 'mariadb,postgres' },
    rounds: { type: 'string', default: '3' },
    server: { type: 'string', default: 'dist/server' },
  },
});
const ROWS = Number(values.rows);
const ROWS_PER_INSERT = 250_000;
const DAY_SECONDS = 86_400;
const DAYS = 30;
const EXPORTED_ROWS = 1_000_000;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'deepseek-chat'];
const nowSeconds = Math.floor(Date.now() / 1_000);
const sinceSeconds = nowSeconds - DAYS * DAY_SECONDS;

/** A connection with the few differences that matter here. */
async function connect(kind, url) {
  if (kind === 'mariadb') {
    const connection = await mysql.createConnection(url.replace('mariadb:', 'mysql:'));
    return {
      run: (sql) => connection.query(sql.replaceAll('"', '`')),
      numbers: (from, to) => `(SELECT seq AS n FROM seq_${from}_to_${to}) numbers`,
      pick: (list, index) => `ELT(1 + ${index}, ${list.map((name) => `'${name}'`).join(', ')})`,
      whole: (expression) => `FLOOR(${expression})`,
      analyze: 'ANALYZE TABLE logs, quota_data',
      close: () => connection.end(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // Its server is stopped before it when something else fails.
  await client.connect();
  return {
    run: (sql) => client.query(sql),
    numbers: (from, to) => `generate_series(${from}::bigint, ${to}::bigint) AS numbers(n)`,
    pick: (list, index) => `(ARRAY[${list.map((name) => `'${name}'`).join(', ')}])[(1 + ${index})::int]`,
    whole: (expression) => `FLOOR(${expression})::bigint`,
    analyze: 'ANALYZE logs, quota_data',
    close: () => client.end(),
  };
}

async function createDatabase(servers, kind) {
  const server = await servers.url(kind);
  const connection = await connect(kind, kind === 'mariadb' ? server : `${server}/postgres`);
  await connection.run('CREATE DATABASE books');
  await connection.close();
  return `${server}/books`;
}

/** Fills `logs` and what is summed of it, inside the database. The figures look random and are the same in every run. */
async function seed(kind, url) {
  const { run, numbers, pick, whole, analyze, close } = await connect(kind, url);
  const seconds = whole(`${sinceSeconds} + n * ${(DAYS * DAY_SECONDS) / ROWS}`);
  const user = `(1 + (n * 7919) % 1000)`;
  for (let from = 1; from <= ROWS; from += ROWS_PER_INSERT) {
    const to = Math.min(ROWS, from + ROWS_PER_INSERT - 1);
    await run(
      `INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
         completion_tokens, use_time, is_stream, channel_id, token_id, "group", other, request_id)
       SELECT ${user}, ${seconds}, CASE WHEN n % 50 = 0 THEN 5 ELSE 2 END, '', CONCAT('user-', ${user}), 'test',
         ${pick(MODELS, 'n % 5')}, (n * 31) % 5000, (n * 17) % 9000, (n * 13) % 2000, n % 40, ${kind === 'mariadb' ? '1' : 'true'},
         1 + n % 20, ${user}, 'default', '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4}',
         CONCAT('0199aaaa-0000-7000-8000-', LPAD(CONCAT('', n), 12, '0'))
       FROM ${numbers(from, to)}`,
    );
  }
  await run(
    `INSERT INTO quota_data (user_id, model_name, created_at, token_used, count, quota)
     SELECT user_id, model_name, created_at - created_at % 900, SUM(prompt_tokens + completion_tokens), COUNT(*), SUM(quota)
     FROM logs WHERE type = 2 GROUP BY user_id, model_name, created_at - created_at % 900`,
  );
  await run(
    `INSERT INTO quota_data (user_id, model_name, created_at, token_used, count, quota)
     SELECT 0, model_name, created_at, SUM(token_used), SUM(count), SUM(quota) FROM quota_data GROUP BY model_name, created_at`,
  );
  await run(analyze);
  await close();
}

const spanOf = (round) => `start_timestamp=${sinceSeconds + round}&end_timestamp=${nowSeconds}`;
const range = spanOf(0);
const ASKED = {
  'first page of the log': '/api/log/?p=1&page_size=20&type=0',
  'first page, one account': '/api/log/?p=1&page_size=20&type=0&username=user-500',
  'first page, one model': '/api/log/?p=1&page_size=20&type=0&model_name=gpt-4o',
  'first page, errors': '/api/log/?p=1&page_size=20&type=5',
  'first page, one channel and week': `/api/log/?p=1&page_size=20&type=0&channel=7&start_timestamp=${nowSeconds - 7 * DAY_SECONDS}&end_timestamp=${nowSeconds}`,
  'dashboard of 30 days': `/api/data/?${range}`,
  'dashboard of 30 days by account': `/api/data/users?${range}`,
  'sums of 30 days': `/api/log/stat?${range}`,
  'sums of 30 days, one account': `/api/log/stat?${range}&username=user-500`,
};

async function measure(base, headers, path) {
  const startedAt = performance.now();
  const reply = await fetch(base + path, { headers });
  const answer = JSON.parse(await reply.text());
  // A figure, too: nobody waits longer than a statement may take.
  if (answer.code === 'database_too_slow') return undefined;
  if (answer.success !== true) throw new Error(`${path}: ${JSON.stringify(answer).slice(0, 300)}`);
  return performance.now() - startedAt;
}

const residentMb = (pid) => rssBytes([pid]) / 2 ** 20;

/** Reads a million rows as a file, as fast as they come. */
async function measureExport({ base, child }, headers) {
  const before = residentMb(child.pid);
  let [most, lines, bytes] = [before, 0, 0];
  const startedAt = performance.now();
  const reply = await fetch(`${base}/api/log/export?type=2&${range}`, { headers });
  if (reply.status !== 200) throw new Error(`export: ${reply.status} ${await reply.text()}`);
  for await (const chunk of reply.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    most = Math.max(most, residentMb(child.pid));
    if (lines > EXPORTED_ROWS) break;
  }
  return { seconds: (performance.now() - startedAt) / 1_000, lines, bytes, addedMb: most - before };
}

const servers = new RealServers();
let running;
const folder = await mkdtemp(join(tmpdir(), 'tollgate-books-'));
try {
  for (const kind of values.databases.split(',')) {
    const databaseUrl = await createDatabase(servers, kind);
    const gateway = await startConsoleGateway(
      values.server,
      databaseUrl,
      await mkdtemp(join(folder, `${kind}-`)),
    );
    running = gateway.child;
    const headers = await signInRoot(gateway.base);
    const startedAt = performance.now();
    await seed(kind, databaseUrl);
    const seededIn = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`${kind}: ${ROWS.toLocaleString('en')} rows seeded in ${seededIn} s\n`);
    for (const [name, path] of Object.entries(ASKED)) {
      const times = [];
      // A span a second shorter each time: what was asked before is answered from memory.
      for (let round = 0; round < Number(values.rounds); round += 1)
        times.push(await measure(gateway.base, headers, path.replace(range, spanOf(round))));
      process.stdout.write(
        `${kind}, ${name}: ${times.map((ms) => ms?.toFixed(0) ?? 'refused as too slow').join(', ')} ms\n`,
      );
    }
    const { seconds, lines, bytes, addedMb } = await measureExport(gateway, headers);
    process.stdout.write(
      `${kind}, export: ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${addedMb.toFixed(0)} MB of memory added\n`,
    );
    await stopProgram(gateway.child);
  }
} finally {
  if (running !== undefined) await stopProgram(running);
  servers.stopNow();
  await rm(folder, { recursive: true, force: true });
}
