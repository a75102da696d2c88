import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port.mjs';
import { startRedis } from '../../support/redis.js';
import { SeededRandom } from '../../simulator/seeded-random.js';
import { Books, type SettlementRow } from '../check/books.js';
import { checkMoney } from '../check/check-money.js';
import { checkRun } from '../check/check-run.js';
import { checkSessions } from '../check/check-sessions.js';
import { Sessions, type SessionCounts } from '../load/sessions.js';
import { Traffic } from '../load/traffic.js';
import { makeAccounts, setUpGateway } from '../rig/accounts.js';
import { ChildService } from '../rig/child-service.js';
import { Instance } from '../rig/instance.js';
import { REALTIME_MODEL } from '../rig/realtime-vendor.js';
import type { SqlKind, SqlServer } from '../rig/sql-server.js';
import type { JournalEntry, UpstreamFault } from '../rig/upstream-models.js';
import { tally } from '../scenarios/scenario.js';
import type { TimedSample } from './growth.js';
import { measure, type Watched } from './measure.js';

export interface SoakOptions {
  readonly minutes: number;
  readonly callsPerSecond: number;
  /** Realtime sessions that are open at any time. */
  readonly sessions: number;
  readonly seed: number;
  readonly accounts: number;
  readonly everySeconds: number;
  readonly database: SqlKind;
  readonly program: string;
}

export interface SoakReport {
  /** Without the first sixth of the time: heaps find their size, connections are opened, caches fill. */
  readonly samples: readonly TimedSample[];
  /** One line. */
  readonly figures: string;
  readonly complaints: readonly string[];
  keepLog(): string;
}

const WARM_SHARE = 1 / 6;
const QUIET_WITHIN_MS = 120_000;
/** All the time one stream in twenty breaks off, and once a minute the vendor answers everything with errors for a second. */
const CUTS: UpstreamFault = { kind: 'cut', everyNth: 20, afterChunks: 20 };
const ERRORS: UpstreamFault = { kind: 'errors' };
const ERRORS_EVERY_MS = 60_000;
const ERRORS_FOR_MS = 1_000;

/** One gateway of two workers with a Redis and a database of its own, under load for `minutes`. */
export async function runSoak(
  options: SoakOptions,
  sql: SqlServer,
  folder: string,
  say: (line: string) => void,
): Promise<SoakReport> {
  await sql.execute('CREATE DATABASE soak');
  const redis = await startRedis();
  const upstream = ChildService.start('upstream-child.ts');
  const metricsPort = await freePort();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const instance = new Instance({
    name: 'the gateway',
    program: options.program,
    port: await freePort(),
    dataDir,
    environment: {
      DATABASE_URL: sql.url('soak'),
      REDIS_URL: redis.url,
      METRICS_PORT: String(metricsPort),
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
      WORKERS: '2',
    },
  });
  const books = new Books(sql, 'soak');
  const client = new Redis(redis.url);
  try {
    const port = await upstream.ask<number>('open');
    instance.launch();
    await instance.untilReady();
    const root = await setUpGateway(instance.url, port);
    const tokens = await makeAccounts(root, options.accounts);
    const rich = tokens.filter(({ isPoor }) => !isPoor);
    const sessions = new Sessions(instance.url, rich, new SeededRandom(options.seed + 1), options.sessions);
    const { seed, callsPerSecond } = options;
    const traffic = new Traffic(instance.url, tokens, new SeededRandom(seed), callsPerSecond);
    await traffic.start();
    sessions.start();
    await upstream.ask('set', CUTS);
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const watched: Watched = { instance, metricsUrl, redis: client, books };
    const samples = await watch(watched, options, upstream, (line) => {
      say(`${line}; ${traffic.history.calls.length} calls`);
    });
    await upstream.ask('set', { kind: 'none' });
    await Promise.all([traffic.stop(), sessions.stop()]);
    const complaints = await untilQuiet(watched);
    const code = await instance.stop();
    if (code !== 0) complaints.push(`the gateway ended with ${code} instead of 0`);
    complaints.push(...instance.unexpectedDeaths());
    const [ofSessions, ofCalls] = partition(await books.settlements());
    const talk = checkSessions(sessions.counts, ofSessions);
    complaints.push(...talk.complaints);
    const verdict = checkRun({
      history: traffic.history,
      journal: await upstream.ask<JournalEntry[]>('journal'),
      settlements: ofCalls,
      loggedTwice: await books.callsLoggedTwice(),
    });
    complaints.push(...verdict.findings);
    const money = await checkMoney(options.program, join(folder, 'check'), sql.url('soak'));
    if (!money.isRight) complaints.push(`money:check: ${money.words}`);
    traffic.close();
    const bad = traffic.history.warm.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'left');
    return {
      samples: samples.filter(({ hours }) => hours * 60 >= options.minutes * WARM_SHARE),
      figures:
        `${options.minutes} minutes, ${callsPerSecond} calls/s, seed ${seed}, ${sql.kind}: calls ${verdict.calls}, ` +
        `refused ${verdict.refused}, cut ${verdict.cut}, failed ${verdict.failed}, charged ${verdict.charged}, lost ${verdict.lost}, ` +
        `doubled ${verdict.doubled}, money:check ${money.isRight ? 'clean' : 'NOT clean'}; not answered in full: ${tally(bad)}; ` +
        `${options.sessions} realtime sessions at a time: ${wordsOf(sessions.counts)}, charged ${talk.priced}`,
      complaints,
      keepLog: () => {
        const path = join(folder, 'gateway.log');
        writeFileSync(path, instance.log);
        return path;
      },
    };
  } finally {
    await instance.kill();
    client.disconnect();
    await books.close();
    upstream.stop();
    await redis.stop();
  }
}

const partition = (
  rows: readonly SettlementRow[],
): [ofSessions: SettlementRow[], ofCalls: SettlementRow[]] => [
  rows.filter(({ model }) => model === REALTIME_MODEL),
  rows.filter(({ model }) => model !== REALTIME_MODEL),
];

const wordsOf = (counts: SessionCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Looks every so often until the time is over; between the looks the vendor has its bad seconds. */
async function watch(
  watched: Watched,
  options: SoakOptions,
  upstream: ChildService,
  say: (line: string) => void,
): Promise<TimedSample[]> {
  const samples: TimedSample[] = [];
  const startedAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedAtMs;
  let errorsAtMs = ERRORS_EVERY_MS;
  for (let nextMs = 0; elapsedMs() < options.minutes * 60_000; nextMs += options.everySeconds * 1_000) {
    await pause(Math.max(0, nextMs - elapsedMs()));
    const values = await measure(watched);
    samples.push({ hours: elapsedMs() / 3_600_000, values });
    const memory = [...values]
      .filter(([name]) => name.includes('resident'))
      .map(([, value]) => Math.round(value));
    const waiting = values.get('charges waiting for the database');
    say(`${(elapsedMs() / 60_000).toFixed(1)} min: ${memory.join('/')} MB, ${waiting} waiting`);
    if (elapsedMs() < errorsAtMs) continue;
    errorsAtMs += ERRORS_EVERY_MS;
    await upstream.ask('set', ERRORS);
    await pause(ERRORS_FOR_MS);
    await upstream.ask('set', CUTS);
  }
  return samples;
}

/** Measures that are 0 once load has stopped. */
const NONE_AT_REST = [
  'charges waiting for the database',
  'calls written down and open',
  'calls that hold quota',
] as const;

/** Until nothing waits for the database any more. @returns complaints */
async function untilQuiet(watched: Watched): Promise<string[]> {
  const fromMs = performance.now();
  for (;;) {
    const values = await measure(watched);
    const left = NONE_AT_REST.filter((name) => values.get(name) !== 0);
    if (left.length === 0) return [];
    if (performance.now() - fromMs > QUIET_WITHIN_MS)
      return left.map((name) => `${values.get(name)} ${name} when all is quiet`);
    await pause(500);
  }
}
