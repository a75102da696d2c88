import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { RealServers } from '../test/support/real-servers.ts';
import { signInRoot, startConsoleGateway } from './lib/console-gateway.mjs';
import { stopProgram } from './lib/processes.mjs';
import { cpuNs } from './lib/proc.mjs';
import { SEEDED_MODELS, seedSettlements } from './lib/seed-settlements.mjs';

/**
 * Duration of a price preview over many calls, and the wait of other requests meanwhile:
 * `node bench/preview.mjs [--calls 1000000] [--databases mariadb,postgres] [--rounds 3] [--server dist/server]`.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    databases: { type: 'string', default: 'mariadb,postgres' },
    rounds: { type: 'string', default: '3' },
    server: { type: 'string', default: 'dist/server' },
  },
});
const DAYS = 7;
const PING_MS = 10;
/** The seeded prices are the options' own, so that a change touches what it names and nothing else. */
const BASE = [
  { key: 'ModelRatio', value: JSON.stringify(ratiosOf('modelRatio')) },
  { key: 'CompletionRatio', value: JSON.stringify(ratiosOf('completionRatio')) },
  { key: 'CacheRatio', value: JSON.stringify(ratiosOf('cacheRatio')) },
  ...['CreateCacheRatio', 'CreateCache1hRatio', 'ImageRatio', 'ImageCompletionRatio', 'AudioRatio'].map(
    empty,
  ),
  ...['AudioCompletionRatio', 'LongContextRatio', 'tool_price_setting.prices', 'ModelPrice'].map(empty),
];
const CHANGES = {
  'one of five models': [
    { key: 'ModelRatio', value: JSON.stringify({ ...ratiosOf('modelRatio'), 'gpt-4o': 2.5 }) },
  ],
  'every call': [{ key: 'GroupRatio', value: '{"default":1.1,"vip":0.9,"svip":0.8}' }],
};
/** Stored after the calls were made: then every call is priced twice, by today's prices and by the draft's. */
const STORED_SINCE = [
  {
    key: 'ModelRatio',
    value: JSON.stringify(
      Object.fromEntries(Object.entries(ratiosOf('modelRatio')).map(([name, ratio]) => [name, ratio * 2])),
    ),
  },
];

function empty(key) {
  return { key, value: '{}' };
}

/** A price document of the seeded models. */
function ratiosOf(member) {
  return Object.fromEntries(SEEDED_MODELS.map((model) => [model.name, Number(model[member])]));
}

async function createDatabase(servers, kind, folder) {
  if (kind === 'sqlite') return `sqlite:${join(folder, 'bench.db')}`;
  const server = await servers.url(kind);
  if (kind === 'mariadb') {
    const connection = await mysql.createConnection(server.replace('mariadb:', 'mysql:'));
    await connection.query('CREATE DATABASE preview');
    await connection.end();
  } else {
    const client = new pg.Client({ connectionString: `${server}/postgres` });
    await client.connect();
    await client.query('CREATE DATABASE preview');
    await client.end();
  }
  return `${server}/preview`;
}

/** Asks for the status again and again. @returns the longest wait in milliseconds, once stopped */
function pingWhile(base) {
  let isOver = false;
  const longest = (async () => {
    let worst = 0;
    while (!isOver) {
      const startedAt = performance.now();
      await (await fetch(`${base}/api/status`)).arrayBuffer();
      worst = Math.max(worst, performance.now() - startedAt);
      await new Promise((wake) => setTimeout(wake, PING_MS));
    }
    return worst;
  })();
  return async () => {
    isOver = true;
    return longest;
  };
}

async function measure({ child, base }, headers, changes) {
  const stop = pingWhile(base);
  const usedNs = cpuNs(child.pid);
  const startedAt = performance.now();
  const reply = await fetch(`${base}/api/pricing/preview`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ changes, days: DAYS }),
  });
  const answer = await reply.json();
  const seconds = (performance.now() - startedAt) / 1_000;
  if (answer.success !== true) throw new Error(JSON.stringify(answer));
  const cpuSeconds = (cpuNs(child.pid) - usedNs) / 1e9;
  return { seconds, cpuSeconds, longestWaitMs: await stop(), data: answer.data };
}

const servers = new RealServers();
let running;
const folder = await mkdtemp(join(tmpdir(), 'tollgate-preview-'));
try {
  for (const kind of values.databases.split(',')) {
    const databaseUrl = await createDatabase(servers, kind, folder);
    const gateway = await startConsoleGateway(
      values.server,
      databaseUrl,
      await mkdtemp(join(folder, `${kind}-`)),
    );
    running = gateway.child;
    const headers = { ...(await signInRoot(gateway.base)), 'content-type': 'application/json' };
    await fetch(`${gateway.base}/api/option/`, { method: 'PUT', headers, body: JSON.stringify(BASE) });
    const untilMs = Date.now();
    await seedSettlements(databaseUrl, {
      count: Number(values.calls),
      sinceMs: untilMs - 5 * 86_400_000,
      untilMs,
    });
    const measureRounds = async (name, changes) => {
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const { seconds, cpuSeconds, longestWaitMs, data } = await measure(gateway, headers, changes);
        process.stdout.write(
          `${kind}, ${name}: ${data.calls} calls, ${data.repriced_calls} repriced, ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of the gateway's CPU), longest wait of others ${longestWaitMs.toFixed(0)} ms\n`,
        );
      }
    };
    for (const [name, changes] of Object.entries(CHANGES)) await measureRounds(name, changes);
    await fetch(`${gateway.base}/api/option/`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(STORED_SINCE),
    });
    await measureRounds('every call, prices stored since', CHANGES['every call']);
    await stopProgram(gateway.child);
  }
} finally {
  if (running !== undefined) await stopProgram(running);
  servers.stopNow();
  await rm(folder, { recursive: true, force: true });
}
