import { afterEach, describe, expect, it } from '@jest/globals';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { RollbackWatch } from '../../../../server/infra/rollback-detection/rollback-watch.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { copyDatabase } from '../../../support/database-copy.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { RelayClient } from '../../../support/relay-client.js';
import { ShiftedClock } from '../../../support/shifted-clock.js';
import { until } from '../../../support/until.js';

/** Databases with connections that can break; a file of SQLite has one for the life of the process. */
const KINDS = ['mariadb', 'postgres'] as const;
const PLACES = KINDS.flatMap((kind) => [
  { kind, store: 'without Redis' },
  { kind, store: 'with Redis' },
]);

let database: TestDatabase;
let redis: TestRedis | undefined;
let app: TestApp;
let upstream: FakeUpstream;
let client: RelayClient;
let admin: GatewayConsole;
let clock: ShiftedClock;

async function open(kind: (typeof KINDS)[number], store: string): Promise<void> {
  database = await createTestDatabase(kind);
  redis = store === 'with Redis' ? await startRedis() : undefined;
  upstream = await FakeUpstream.start();
  clock = new ShiftedClock();
  const env = { DATABASE_URL: database.url, ...(redis === undefined ? {} : { REDIS_URL: redis.url }) };
  app = await startTestApp({ clock, env });
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-std']));
  await admin.addChannel({ base_url: upstream.url, models: ['fx-std'] });
  client = new RelayClient(app.url, (await admin.addToken()).key);
  expect((await client.chat('fx-std')).status).toBe(200);
}

afterEach(async () => {
  client?.close();
  await app?.close();
  await upstream?.close();
  await redis?.stop();
  await database?.drop();
});

const watch = (): RollbackWatch => app.app.get(RollbackWatch, { strict: false });

const OTHERS = {
  mariadb:
    'SELECT id AS id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
  postgres:
    'SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
} as const;
const END = {
  mariadb: (id: number) => `KILL ${id}`,
  postgres: (id: number) => `SELECT pg_terminate_backend(${id})`,
} as const;

/** Breaks every connection to the database, as its restart does, and waits for the first new one. */
async function reconnect(kind: (typeof KINDS)[number]): Promise<void> {
  const other = await openDataSource(database.url, { entities: [] });
  const connections = async (): Promise<readonly number[]> =>
    (await other.query<{ id: number | string }[]>(OTHERS[kind])).map(({ id }) => Number(id));
  const before = await connections();
  // One that ended meanwhile is gone as well.
  for (const id of before) await other.query(END[kind](id)).catch(() => undefined);
  await until(async () => (await connections()).every((id) => !before.includes(id)));
  await other.destroy();
  await until(() =>
    app.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
}

describe.each(PLACES)('the first paid call after a reconnect: $kind, $store', ({ kind, store }) => {
  it('waits for the check, and is refused by a database that was put back', async () => {
    await open(kind, store);
    const copy = await copyDatabase(database.url);
    await admin.setOptions({ Notice: 'lost' });
    await watch().look();
    await copy.putBack();
    await reconnect(kind);

    const before = upstream.journal.length;
    const calls = Promise.all([client.chat('fx-std'), client.chat('fx-std')]);
    const modes = app.app.get(DegradedModes, { strict: false });
    await until(async () => {
      await watch().look();
      // Three leaps are shorter than a call's wait for the first look: that look ends with the second here at the latest.
      clock.advance(600);
      return modes.has('database-behind');
    });
    for (const { status, text } of await calls) {
      expect(status).toBe(503);
      expect(text).toContain('The database of this gateway is older than it was before');
    }
    expect(upstream.journal.length).toBe(before);
  });

  it('waits for the check, and is answered by the same database', async () => {
    await open(kind, store);
    await reconnect(kind);
    expect((await client.chat('fx-std')).status).toBe(200);
    expect(watch().whenChecked()).toBeUndefined();
  });
});
