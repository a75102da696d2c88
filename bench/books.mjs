import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { RealServers } from '../test/support/real-servers.ts';
import { rssBytes } from './lib/proc.mjs';
import { signInRoot, startConsoleGateway } from './lib/console-gateway.mjs';
import { stopProgram } from './lib/processes.mjs';

/**
 * Queries of consoles with a long log: `node bench/books.mjs [--rows 10000000] [--databases sqlite,mariadb,postgres] [--rounds 3]
 * [--server dist/server] [--only PATTERN]`. Rows are spread over 30 days, 1,000 accounts, 20 channels and 5 models. An account has 20
 * tags and 100 end users; every call counts in their sums, and every tenth line has its own. `--only` leaves out queries whose name
 * does not match.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    databases: { type: 'string', default: 'mariadb,postgres' },
    rounds: { type: 'string', default: '3' },
    server: { type: 'string', default: 'dist/server' },
    only: { type: 'string', default: '' },
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
      analyze: 'ANALYZE TABLE logs, log_tags, quota_data, tag_totals, attempt_totals',
      close: () => connection.end(),
    };
  }
  if (kind === 'sqlite') {
    const database = new Sqlite(url.replace('sqlite:', ''));
    return {
      run: (sql) => database.exec(sql),
      numbers: (from, to) =>
        `(WITH RECURSIVE counted(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM counted WHERE n < ${to}) SELECT n FROM counted)`,
      pick: (list, index) =>
        `CASE ${index} ${list.map((name, at) => `WHEN ${at} THEN '${name}'`).join(' ')} END`,
      whole: (expression) => `CAST(${expression} AS INTEGER)`,
      analyze: 'ANALYZE',
      close: () => database.close(),
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
    analyze: 'ANALYZE logs, log_tags, quota_data, tag_totals, attempt_totals',
    close: () => client.end(),
  };
}

async function createDatabase(servers, kind, folder) {
  if (kind === 'sqlite') return `sqlite:${join(folder, 'books.db')}`;
  const server = await servers.url(kind);
  const connection = await connect(kind, kind === 'mariadb' ? server : `${server}/postgres`);
  await connection.run('CREATE DATABASE books');
  await connection.close();
  return `${server}/books`;
}

/** Fills `logs` and what is summed of it, inside the database. The figures look random and are the same in every run. */
async function seed(kind, url) {
  const { run, numbers, pick, whole, analyze, close } = await connect(kind, url);
  const padded = kind === 'sqlite' ? `printf('%012d', n)` : `LPAD(CONCAT('', n), 12, '0')`;
  const seconds = whole(`${sinceSeconds} + n * ${(DAYS * DAY_SECONDS) / ROWS}`);
  // Accounts repeat every thousand rows.
  const thousands = whole(`n / 1000`);
  const isTagged = `${thousands} % 10 = 0`;
  const tag = `CONCAT('tag-', ${whole('n / 10000')} % 20)`;
  const endUser = `CONCAT('end-user-', ${thousands} % 100)`;
  const user = `(1 + (n * 7919) % 1000)`;
  for (let from = 1; from <= ROWS; from += ROWS_PER_INSERT) {
    const to = Math.min(ROWS, from + ROWS_PER_INSERT - 1);
    await run(
      `INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
         completion_tokens, use_time, is_stream, channel_id, token_id, had_failed_attempt, "group", other, request_id, tags, end_user)
       SELECT ${user}, ${seconds}, CASE WHEN n % 50 = 0 THEN 5 ELSE 2 END, '', CONCAT('user-', ${user}), 'test',
         ${pick(MODELS, 'n % 5')}, (n * 31) % 5000, (n * 17) % 9000, (n * 13) % 2000, n % 40, ${kind === 'postgres' ? 'true' : '1'},
         1 + n % 20, ${user}, CASE WHEN n % 10 < 3 THEN 1 ELSE 0 END, 'default', '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4}',
         CONCAT('0199aaaa-0000-7000-8000-', ${padded}), CASE WHEN ${isTagged} THEN ${tag} ELSE '' END,
         CASE WHEN ${isTagged} THEN ${endUser} ELSE '' END
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
  await run(
    `INSERT INTO attempt_totals (channel_id, created_at, model_name, reason, status, attempts, failures, first_token_5, duration_8)
     SELECT channel_id, created_at - created_at % 900, model_name, reason, CASE WHEN reason = '' THEN 0 ELSE 500 END,
       COUNT(*), SUM(failures), COUNT(*), COUNT(*)
     FROM (SELECT channel_id, created_at, model_name, CASE WHEN had_failed_attempt = 1 THEN 'upstream-overloaded' ELSE '' END AS reason,
       had_failed_attempt AS failures FROM logs) marked
     GROUP BY channel_id, created_at - created_at % 900, model_name, reason`,
  );
  for (const [mark, column] of [
    ['tag', 'tags'],
    ['end_user', 'end_user'],
  ])
    await run(
      `INSERT INTO log_tags (request_id, kind, value, user_id, created_at)
       SELECT request_id, '${mark}', ${column}, user_id, created_at FROM logs WHERE ${column} <> ''`,
    );
  for (const [mark, value] of [
    ['tag', `CONCAT('tag-', ${whole('id / 10000')} % 20)`],
    ['end_user', `CONCAT('end-user-', ${whole('id / 1000')} % 100)`],
  ])
    await run(
      `INSERT INTO tag_totals (user_id, kind, created_at, value, token_used, count, quota)
       SELECT user_id, '${mark}', day, value, SUM(tokens), COUNT(*), SUM(quota)
       FROM (SELECT user_id, created_at - created_at % ${DAY_SECONDS} AS day, ${value} AS value,
         prompt_tokens + completion_tokens AS tokens, quota FROM logs WHERE type = 2) counted
       GROUP BY user_id, day, value`,
    );
  await run(
    `INSERT INTO tag_totals (user_id, kind, created_at, value, token_used, count, quota)
     SELECT 0, kind, created_at, CONCAT('', user_id), SUM(token_used), SUM(count), SUM(quota) FROM tag_totals
     GROUP BY user_id, kind, created_at`,
  );
  await run(analyze);
  await close();
}

/** Rows name channels by number: pages of channels ask for their names. */
async function addChannels(base, headers) {
  for (let channel = 1; channel <= 20; channel += 1) {
    const body = JSON.stringify({
      type: 1,
      name: `channel ${channel}`,
      key: 'sk-x',
      models: MODELS.join(','),
    });
    const json = { ...headers, 'content-type': 'application/json' };
    const reply = await fetch(`${base}/api/channel/`, { method: 'POST', headers: json, body });
    if (reply.status !== 200) throw new Error(`channel: ${reply.status} ${await reply.text()}`);
  }
}

const spanOf = (round) => `start_timestamp=${sinceSeconds + round}&end_timestamp=${nowSeconds}`;
const range = spanOf(0);
const ASKED = {
  'first page of the log': '/api/log/?p=1&page_size=20&type=0',
  'first page, one account': '/api/log/?p=1&page_size=20&type=0&username=user-500',
  'first page, one model': '/api/log/?p=1&page_size=20&type=0&model_name=gpt-4o',
  'first page, errors': '/api/log/?p=1&page_size=20&type=5',
  'first page, one channel and week': `/api/log/?p=1&page_size=20&type=0&channel=7&start_timestamp=${nowSeconds - 7 * DAY_SECONDS}&end_timestamp=${nowSeconds}`,
  'first page, calls with a failed attempt': '/api/log/?p=1&page_size=20&failed_attempt=1',
  'the same, 30 days': `/api/log/?p=1&page_size=20&failed_attempt=1&${range}`,
  'health of all channels': '/api/channel/health',
  'page of a channel, 30 days': `/api/channel/health/7?${range}`,
  'calls alone': '/api/log/?p=1&page_size=20&kind=calls',
  'dearest calls of 30 days': `/api/log/?p=1&page_size=20&kind=calls&sort=quota&${range}`,
  'dearest calls of 30 days, one account': `/api/log/?p=1&page_size=20&kind=calls&sort=quota&username=user-500&${range}`,
  'slowest calls of 30 days, one model': `/api/log/?p=1&page_size=20&kind=calls&sort=use_time&model_name=gpt-4o&${range}`,
  'names for the filters': '/api/log/suggestions?keyword=us',
  'dashboard of 30 days': `/api/data/?${range}`,
  'dashboard of 30 days by account': `/api/data/users?${range}`,
  'first page, one tag': '/api/log/?p=1&page_size=20&tag=tag-7',
  'first page, one tag and account': '/api/log/?p=1&page_size=20&tag=tag-7&username=user-500',
  'first page, one end user': '/api/log/?p=1&page_size=20&end_user=end-user-50',
  'dashboard of 30 days by tag': `/api/data/tags?${range}`,
  'dashboard of 30 days by end user': `/api/data/tags?by=end_user&${range}`,
  'sums of 30 days': `/api/log/stat?${range}`,
  'sums of 30 days, one account': `/api/log/stat?${range}&username=user-500`,
};

async function measure(base, headers, path) {
  const startedAt = performance.now();
  const reply = await fetch(base + path, { headers });
  const answer = JSON.parse(await reply.text());
  // A timeout is a result too: no client waits longer than a statement may take.
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

async function reportExport(kind, gateway, headers) {
  const { seconds, lines, bytes, addedMb } = await measureExport(gateway, headers);
  process.stdout.write(
    `${kind}, export: ${lines} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${addedMb.toFixed(0)} MB of memory added\n`,
  );
}

const servers = new RealServers();
let running;
const folder = await mkdtemp(join(tmpdir(), 'tollgate-books-'));
try {
  for (const kind of values.databases.split(',')) {
    const databaseUrl = await createDatabase(servers, kind, folder);
    const gateway = await startConsoleGateway(
      values.server,
      databaseUrl,
      await mkdtemp(join(folder, `${kind}-`)),
    );
    running = gateway.child;
    const headers = await signInRoot(gateway.base);
    const startedAt = performance.now();
    await addChannels(gateway.base, headers);
    await seed(kind, databaseUrl);
    const seededIn = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`${kind}: ${ROWS.toLocaleString('en')} rows seeded in ${seededIn} s\n`);
    for (const [name, path] of Object.entries(ASKED)) {
      if (!new RegExp(values.only).test(name)) continue;
      const times = [];
      // A span a second shorter each time: an earlier span would be answered from memory.
      for (let round = 0; round < Number(values.rounds); round += 1)
        times.push(await measure(gateway.base, headers, path.replace(range, spanOf(round))));
      process.stdout.write(
        `${kind}, ${name}: ${times.map((ms) => ms?.toFixed(0) ?? 'refused as too slow').join(', ')} ms\n`,
      );
    }
    if (values.only === '') await reportExport(kind, gateway, headers);
    await stopProgram(gateway.child);
  }
} finally {
  if (running !== undefined) await stopProgram(running);
  servers.stopNow();
  await rm(folder, { recursive: true, force: true });
}
