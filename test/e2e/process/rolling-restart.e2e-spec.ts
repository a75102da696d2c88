import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Balancer } from '../../chaos/rig/balancer.js';
import { instanceEnvironment, readDockerFile } from '../../support/compose-file.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { installMissing } from '../../support/programs.js';
import { testRedisUrl } from '../../support/redis.js';
import { RelayClient } from '../../support/relay-client.js';
import { until } from '../../support/until.js';

const MODELS = ['fx-std', 'fx-quick', 'fx-long'];
const CALLERS = 5;
const SECRETS = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };

let folder: string;
let upstream: FakeUpstream;
const running = new Set<GatewayProcess>();
let cleanups: (() => Promise<void> | void)[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-rolling-'));
  upstream = await FakeUpstream.start();
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  for (const gateway of running) await gateway.kill();
  running.clear();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(...settings: Parameters<typeof GatewayProcess.start>): Promise<GatewayProcess> {
  const gateway = await GatewayProcess.start(...settings);
  running.add(gateway);
  return gateway;
}

/** Root, prices, a channel to the upstream, a key. */
async function furnish(url: string): Promise<{ admin: GatewayConsole; key: string }> {
  const admin = new GatewayConsole(url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(MODELS));
  await admin.addChannel({ base_url: upstream.url, models: MODELS });
  return { admin, key: (await admin.addToken()).key };
}

/** Calls without a pause over kept connections, until it is stopped. */
class Load {
  answered = 0;
  readonly failures: string[] = [];
  private isStopped = false;
  private readonly callers: Promise<void>[];
  private readonly client: RelayClient;

  constructor(url: string, key: string) {
    this.client = new RelayClient(url, key);
    this.callers = Array.from({ length: CALLERS }, (_, index) => this.run(index));
  }

  /** Resolves when so many more calls were answered. */
  async more(count: number): Promise<void> {
    const wanted = this.answered + count;
    await until(() => this.answered >= wanted || this.failures.length > 0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.callers);
    this.client.close();
  }

  private async run(index: number): Promise<void> {
    while (!this.isStopped) {
      try {
        const answer = await this.client.chat('fx-quick', index % 2 === 0 ? { stream: true } : {});
        if (answer.status !== 200 || answer.isCut) this.failures.push(`${answer.status}: ${answer.text}`);
        else this.answered += 1;
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}

/** Streams that are open while something happens, and must end as if nothing had. */
async function openStreams(client: RelayClient, count: number): Promise<() => Promise<string[]>> {
  const streams = await Promise.all(Array.from({ length: count }, () => client.openStream('fx-long')));
  const ends = Promise.all(streams.map((stream) => stream.readAll()));
  return async () => {
    const answers = await ends;
    return answers.filter(({ text }) => !text.includes('[DONE]')).map(({ text }) => text.slice(-300));
  };
}

describe('two instances behind nginx, replaced one after the other under load [F-43]', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    installMissing(['nginx'], () => undefined);
    database = await createTestDatabase('mariadb');
    cleanups.push(() => database.drop());
  });

  it('no call fails, no stream is cut, both end with 0, the books are right', async () => {
    const redisUrl = testRedisUrl();
    const {
      DATABASE_URL: _database,
      REDIS_URL: _redis,
      ...ofCompose
    } = instanceEnvironment(readDockerFile('compose.cluster.yml'), SECRETS);
    // One is a process of its own, the other a supervisor with two: each has a listener to close in its own way.
    const settingsOf = (name: string) => ({
      databaseUrl: database.url,
      redisUrl,
      dataDir: join(folder, name),
      // Same settings as docker/compose.cluster.yml, except for the addresses of stores and the waits. The delay is longer than the
      // balancer leaves an instance alone that refused it (fail_timeout).
      env: {
        ...ofCompose,
        DRAIN_DELAY_SECONDS: '6',
        DRAIN_TIMEOUT_SECONDS: '60',
        WORKERS: name === 'one' ? '1' : '2',
      },
    });
    const instances = [await start(settingsOf('one')), await start(settingsOf('two'))];
    const ports = instances.map(({ port }) => port) as [number, number];
    const balancer = await Balancer.start(join(folder, 'nginx'), ports);
    cleanups.push(() => balancer.stop());
    const { key } = await furnish(instances[0]?.url ?? '');
    const load = new Load(balancer.url, key);
    const streaming = new RelayClient(balancer.url, key);
    await load.more(50);
    for (const [index, name] of ['one', 'two'].entries()) {
      const finishStreams = await openStreams(streaming, 4);
      const old = instances[index];
      if (old === undefined) throw new Error('no such instance');
      expect(await old.stop()).toBe(0);
      expect(await finishStreams()).toEqual([]);
      const fresh = await start({ ...settingsOf(name), port: old.port });
      instances[index] = fresh;
      await load.more(50);
    }
    await load.stop();
    streaming.close();
    // The balancer's log names the reason of a failure.
    expect(load.failures.map((failure) => `${failure} ${balancer.complaints}`)).toEqual([]);
    expect(await Promise.all(instances.map((instance) => instance.stop({ keepData: true })))).toEqual([0, 0]);
    expect(await instances[0]?.checkMoney()).toMatchObject({ exitCode: 0 });
  }, 400_000);
});

describe('SIGHUP to a supervisor', () => {
  it('exchanges the workers for ones with the new settings, refusing no call; bad settings change nothing', async () => {
    const envFile = join(folder, 'settings');
    writeFileSync(envFile, 'LOG_LEVEL=info\nSERVER_ADDRESS=https://old.example.com\n');
    const gateway = await start({
      dataDir: join(folder, 'data'),
      env: { SUPERVISOR: 'true', LOG_LEVEL: '', ENV_FILE: envFile, DRAIN_TIMEOUT_SECONDS: '30' },
    });
    const { admin, key } = await furnish(gateway.url);
    const serverAddress = async () =>
      (await admin.send<{ server_address: string }>('GET', '/api/status')).server_address;
    const logged = (text: string): Promise<void> => until(() => gateway.log.includes(text));
    expect(await serverAddress()).toBe('https://old.example.com');
    const load = new Load(gateway.url, key);
    const streaming = new RelayClient(gateway.url, key);
    const finishStreams = await openStreams(streaming, 2);
    await load.more(20);

    writeFileSync(envFile, 'LOG_LEVEL=loud\n');
    gateway.signal('SIGHUP');
    await logged('LOG_LEVEL: ');
    writeFileSync(envFile, 'LOG_LEVEL=info\nDATABASE_URL=sqlite:/elsewhere.db\n');
    gateway.signal('SIGHUP');
    await logged('DATABASE_URL changed, which needs a restart');
    expect(await serverAddress()).toBe('https://old.example.com');

    writeFileSync(envFile, 'LOG_LEVEL=info\nSERVER_ADDRESS=https://new.example.com\n');
    gateway.signal('SIGHUP');
    await logged('1 worker(s) run with the new settings');
    await logged('has left');
    expect(await finishStreams()).toEqual([]);
    await load.more(20);
    await load.stop();
    streaming.close();
    expect(load.failures).toEqual([]);
    expect(await serverAddress()).toBe('https://new.example.com');
    expect(await gateway.stop({ keepData: true })).toBe(0);
    expect(await gateway.checkMoney()).toMatchObject({ exitCode: 0 });
  }, 300_000);
});
