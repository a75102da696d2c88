/**
 * Imports a made-up new-api with a million lines of its log into one database, and prints seconds and the peak of memory.
 * `node --import ./test/support/register-typescript.mjs bench/import-log.ts postgres` (sqlite, mariadb); needs a build.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { createDatabaseOn } from '../test/support/database.ts';
import { RealServers } from '../test/support/real-servers.ts';

const ROOT = join(import.meta.dirname, '..');
const SAMPLE = join(ROOT, 'test/e2e/console/import/samples/new-api/A-new-api.sqlite.gz');
const LINES = 1_000_000;
/** Successive lines of one account and model. */
const LINES_OF_A_SESSION = 40;
const SECONDS_BETWEEN = 8;
const FIRST_SECOND = 1_780_000_000;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'deepseek-chat'];
const DETAIL_CHARACTERS = 250;
const POLL_MS = 200;
const MEGABYTE = 1024 ** 2;

function fillSource(path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(SAMPLE)));
  const database = new Database(path);
  const users = database.prepare('SELECT id, username FROM users').all() as {
    id: number;
    username: string;
  }[];
  const { last } = database.prepare('SELECT MAX(id) AS last FROM logs').get() as { last: number };
  const insert = database.prepare(
    `INSERT INTO logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
       completion_tokens, use_time, is_stream, channel_id, token_id, "group", request_id, other)
     VALUES (?, ?, ?, 2, '', ?, 'key', ?, ?, ?, ?, 3, 1, 1, 1, 'default', ?, ?)`,
  );
  const other = JSON.stringify({ model_ratio: 1.25, group_ratio: 1, note: 'x'.repeat(DETAIL_CHARACTERS) });
  database.exec('BEGIN');
  for (let line = 1; line <= LINES; line += 1) {
    const session = Math.floor(line / LINES_OF_A_SESSION);
    const user = users[session % users.length];
    insert.run(
      last + line,
      user?.id,
      FIRST_SECOND + line * SECONDS_BETWEEN,
      user?.username,
      MODELS[session % MODELS.length],
      line % 1_000,
      line % 3_000,
      line % 700,
      `2026${String(line).padStart(36, '0')}`,
      other,
    );
  }
  database.exec('COMMIT');
  database.close();
}

/** Largest resident memory of a process so far, in bytes; 0 when it is gone. */
function peakOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function importInto(address: string, source: string, folder: string): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, ['dist/server/import.js', `sqlite:${source}`, '--logs', 'all'], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: address,
      SESSION_SECRET: 's'.repeat(32),
      CRYPTO_SECRET: 'c'.repeat(32),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(child.pid ?? 0))), POLL_MS);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(timer);
  const seconds = Math.round((performance.now() - started) / 1_000);
  const memory = Math.round(peak / MEGABYTE);
  const size = Math.round(statSync(source).size / MEGABYTE);
  process.stdout.write(`${size} MB, ${LINES} lines: exit ${code}, ${seconds} s, ${memory} MB of memory\n`);
}

const kind = process.argv[2] ?? 'sqlite';
if (kind !== 'sqlite' && kind !== 'mariadb' && kind !== 'postgres')
  throw new Error(`name sqlite, mariadb or postgres, not ${kind}`);
const servers = new RealServers((line) => process.stderr.write(`${line}\n`));
const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-log-'));
try {
  const source = join(folder, 'one-api.db');
  fillSource(source);
  const address =
    kind === 'sqlite'
      ? `sqlite:${join(folder, 'target.db')}`
      : (await createDatabaseOn(kind, await servers.url(kind))).url;
  await importInto(address, source, folder);
} finally {
  servers.stopNow();
  rmSync(folder, { recursive: true, force: true });
}
