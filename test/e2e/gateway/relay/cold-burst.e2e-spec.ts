import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { FX_MESSAGES, RelayClient } from '../../../support/relay-client.js';

const SET_UPS = (['mariadb', 'postgres'] as const).flatMap((kind) =>
  [false, true].map((hasRedis) => ({ kind, hasRedis })),
);
const KEYS = 20;
const CALLS = 400;
/** Each way: everything a call asks for the first time takes a tenth of a second and more. */
const DELAY_MS = 20;

const TEST = join(import.meta.dirname, '../../..');
/**
 * The line to the database, on a thread of its own: on the crowd's thread it would stand still while hundreds of calls are made, and
 * the database would be silent instead of slow.
 */
const LINE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const open = async () => {
    await import(workerData.loader);
    const { FaultProxy } = await import(workerData.proxy);
    const line = await FaultProxy.open(workerData.target, Math.random);
    parentPort.on('message', (fault) => {
      line.set(fault);
      parentPort.postMessage('set');
    });
    parentPort.postMessage(line.port);
  };
  void open();
`;

function openLine(target: { readonly host: string; readonly port: number }): Worker {
  const proxy = pathToFileURL(join(TEST, 'chaos/rig/fault-proxy.ts')).href;
  const loader = pathToFileURL(join(TEST, 'support/register-typescript.mjs')).href;
  return new Worker(LINE, { eval: true, workerData: { loader, proxy, target } });
}

describe.each(SET_UPS)('a slow $kind, with Redis: $hasRedis', ({ kind, hasRedis }) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let line: Worker | undefined;
  let upstream: FakeUpstream;
  let gateway: GatewayProcess;
  const keys: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    redis = hasRedis ? await startRedis() : undefined;
    upstream = await FakeUpstream.start();
    const address = new URL(database.url);
    line = openLine({ host: address.hostname, port: Number(address.port) });
    const [port] = (await once(line, 'message')) as [number];
    address.host = `127.0.0.1:${port}`;
    gateway = await GatewayProcess.start({
      databaseUrl: address.href,
      ...(redis === undefined ? {} : { redisUrl: redis.url }),
      env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    });
    const root = new GatewayConsole(gateway.url);
    await root.setUp();
    await root.setOptions(FX_PRICES(['fx-json']));
    await root.addChannel({ name: 'only', base_url: upstream.url, models: ['fx-json'] });
    await Promise.all(
      Array.from({ length: KEYS }, async (_, number) => {
        const owner = await root.addUser(`owner${number}`, 100_000_000);
        keys.push((await owner.addToken()).key);
      }),
    );
    // No call came yet: neither keys nor pools nor most connections are there.
    line.postMessage({ kind: 'delay', delayMs: DELAY_MS });
    await once(line, 'message');
    // Forty passwords are hashed at their real price.
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await line?.terminate();
    await Promise.all([upstream?.close(), database?.drop(), redis?.stop()]);
  });

  it('holds back a crowd that comes all at once: every call is served', async () => {
    const client = new RelayClient(gateway.url, keys[0] ?? '');
    const body = { model: 'fx-json', messages: FX_MESSAGES };
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => client.ask({ key: keys[index % KEYS] ?? '', body })),
    );
    client.close();
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  });
});
