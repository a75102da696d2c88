import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { type ProgramRun, ProgramRuns } from '../../support/program-run.js';
import { testRedisUrl } from '../../support/redis.js';
import { RelayClient } from '../../support/relay-client.js';
import { until } from '../../support/until.js';

/** Blocks the event loop for as long as the file says: simulates a bug, or a huge document. */
const BLOCKER = `
import { readFileSync, writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  const until = Date.now() + Number(readFileSync(process.env.BLOCK_FILE, 'utf8'));
  writeFileSync(process.env.BLOCK_FILE + '-' + process.pid, '');
  while (Date.now() < until);
});
`;

let folder: string;
let upstream: FakeUpstream;
let programs: ProgramRuns;
let database: TestDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-dying-'));
  upstream = await FakeUpstream.start();
  programs = new ProgramRuns();
  database = await createTestDatabase('mariadb');
});
afterEach(async () => {
  await programs.end();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function start(): ProgramRun {
  const blocker = join(folder, 'blocker.mjs');
  writeFileSync(blocker, BLOCKER);
  return programs.run(
    {
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      DATA_DIR: join(folder, 'data'),
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
      PORT: '0',
      WORKERS: '2',
      DRAIN_DELAY_SECONDS: '0',
      DRAIN_TIMEOUT_SECONDS: '5',
      LOG_LEVEL: 'info',
      GLOBAL_API_RATE_LIMIT: '0',
      BLOCK_FILE: join(folder, 'block-ms'),
    },
    ['--import', blocker],
  );
}

const pidsOf = (program: ProgramRun): number[] =>
  [...program.text().matchAll(/"pid":(\d+),"context":"Server","msg":"listening/g)].map((match) =>
    Number(match[1]),
  );

async function furnish(program: ProgramRun): Promise<{ url: string; admin: GatewayConsole; key: string }> {
  const [, url = ''] = await program.until(/Tollgate is ready: (\S+)/);
  await program.until(/(?:[^]*"context":"Server"){2}/);
  const admin = new GatewayConsole(url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-trickle', 'fx-quick']));
  await admin.addChannel({ base_url: upstream.url, models: ['fx-trickle', 'fx-quick'] });
  return { url, admin, key: (await admin.addToken()).key };
}

describe('workers that die or stand still', () => {
  it('killed with streams open: a new one serves, what the streams cost is booked at once, what was held comes home [F-15]', async () => {
    const program = start();
    const { url, admin, key } = await furnish(program);
    // Kept connections stay with their worker: enough of them are on both.
    const clients = Array.from({ length: 8 }, () => new RelayClient(url, key));
    const streams = await Promise.all(clients.map((client) => client.openStream('fx-trickle')));
    const answers = Promise.all(streams.map((stream) => stream.readAll()));
    const [victim = -1] = pidsOf(program);
    process.kill(victim, 'SIGKILL');
    await program.until(/a new one starts in 100 ms/);
    await program.until(/(?:[^]*"context":"Server"){3}/);
    const rows = () => admin.send<{ items?: unknown[] }>('GET', '/api/log/?p=0&page_size=50&type=2');
    // The heartbeat of the dead one would be waited for a minute; its spool is read by its sibling right away.
    const recovered = await admin.waitFor(
      rows,
      (page) => JSON.stringify(page).includes('fx-trickle'),
      30_000,
    );
    expect(JSON.stringify(recovered)).toContain('recovered');
    program.child.kill('SIGTERM');
    await answers;
    expect(await program.ended()).toBe(0);
    for (const client of clients) client.close();
  }, 240_000);

  it('a connection handed to a worker that stands still is answered by another one when that worker is killed [F-73]', async () => {
    const program = start();
    const { url } = await furnish(program);
    const [victim = -1] = pidsOf(program);
    process.kill(victim, 'SIGSTOP');
    let answered = 0;
    const answers = Array.from({ length: 8 }, async () => {
      const { status } = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
      answered += 1;
      return status;
    });
    // One of them has the next connection already; later connections go elsewhere.
    await until(() => answered === 7);
    process.kill(victim, 'SIGKILL');
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 8 }, () => 200));
    await program.until(/(?:[^]*"context":"Server"){3}/);
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
  }, 240_000);

  it('an event loop that stood still for three seconds: not ready, and well again ten seconds later [F-73]', async () => {
    const program = start();
    const { url } = await furnish(program);
    writeFileSync(join(folder, 'block-ms'), '3000');
    const pids = pidsOf(program);
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    // A signal takes a moment to arrive: a process that is called before answers as usual.
    await until(() => pids.every((pid) => existsSync(join(folder, `block-ms-${pid}`))));
    const ready = async () => (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;
    expect(await ready()).toBe(503);
    await program.until(/event-loop-slow: turns of the event loop/);
    await until(async () => (await ready()) === 200, 100);
    program.child.kill('SIGTERM');
    expect(await program.ended()).toBe(0);
  }, 240_000);
});
