import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReferenceUseView } from '../../../../server/console/dashboard/dto/use.dto.js';
import type { WarningView } from '../../../../server/console/dashboard/dto/warning.dto.js';
import type { AttemptUseView } from '../../../../server/console/dashboard/dto/use.dto.js';
import { ReferenceTotalEntity } from '../../../../server/base/billing/ledger/reference-total.entity.js';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import { UseRetention } from '../../../../server/console/dashboard/use-retention.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.ts';
import { RelayClient } from '../../../support/relay-client.ts';
import { until } from '../../../support/until.ts';

const DAY = 86_400;

describe.each(DATABASE_KINDS)('use by token and channel on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let upstream: FakeUpstream;
  let admin: GatewayConsole;
  let ann: GatewayConsole;
  let channelId: number;
  const clients: RelayClient[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    upstream = await FakeUpstream.start();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(['fx-std']));
    channelId = await admin.addChannel({ base_url: upstream.url, models: ['fx-std'], name: 'first' });
    ann = await admin.addUser('ann', 0);
    for (const [name, calls] of [
      ['laptop', 2],
      ['server', 1],
    ] as const) {
      const client = new RelayClient(app.url, (await admin.addToken({ name })).key);
      clients.push(client);
      for (let call = 0; call < calls; call += 1) expect((await client.chat('fx-std')).status).toBe(200);
    }
    await until(async () => (await app.dataSource.getRepository(ReferenceTotalEntity).sum('count')) === 6);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await app?.close();
    await upstream?.close();
    await database?.drop();
  });

  const ask = <T>(reader: GatewayConsole, path: string) => reader.send<T>('GET', path);
  const counted = ({ rows }: ReferenceUseView) =>
    Object.fromEntries(
      [...new Set(rows.map(({ name }) => name))].map((name) => [
        name,
        rows.filter((row) => row.name === name).reduce((sum, row) => sum + row.count, 0),
      ]),
    );

  it('sums charges by token for their owner and for administrators, and by channel', async () => {
    const own = await ask<ReferenceUseView>(admin, '/api/data/self/tokens?grain=day');
    expect(counted(own)).toEqual({ laptop: 2, server: 1 });
    const logged = await ask<{ quota: number }>(admin, '/api/log/stat?type=2');
    expect(own.rows.reduce((sum, { quota }) => sum + quota, 0)).toBe(logged.quota);
    const all = await ask<ReferenceUseView>(admin, '/api/data/tokens?grain=day');
    expect(counted(all)).toEqual({ laptop: 2, server: 1 });
    expect(new Set(all.rows.map(({ username }) => username))).toEqual(new Set(['root']));
    const channels = await ask<ReferenceUseView>(admin, '/api/data/channels?grain=day');
    expect(counted(channels)).toEqual({ first: 3 });
    expect(channels.rows.every(({ reference }) => reference === channelId)).toBe(true);
    expect(channels.counted_since).toBeGreaterThan(0);
  });

  it('shows an account its own tokens alone, and no channel', async () => {
    expect((await ask<ReferenceUseView>(ann, '/api/data/self/tokens')).rows).toEqual([]);
    for (const path of ['/api/data/tokens', '/api/data/channels', '/api/data/attempts'])
      expect(await ann.sendRaw('GET', path)).toMatchObject({ success: false });
  });

  it('counts attempts and their times by model, channel and day', async () => {
    await until(
      async () =>
        (
          await ask<AttemptUseView>(
            admin,
            `/api/data/attempts?grain=day&end_timestamp=${Math.floor(Date.now() / 1_000)}`,
          )
        ).total.attempts >= 3,
    );
    const byModel = await ask<AttemptUseView>(admin, '/api/data/attempts?grain=day');
    expect(byModel.lines.map(({ name, attempts }) => [name, attempts])).toEqual([['fx-std', 3]]);
    expect(byModel.series.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3);
    const byChannel = await ask<AttemptUseView>(admin, '/api/data/attempts?by=channel&grain=hour');
    expect(byChannel.lines.map(({ name, reference, failures }) => [name, reference, failures])).toEqual([
      ['first', channelId, 0],
    ]);
    expect(byChannel.total.duration_p95_ms).toBeGreaterThan(0);
  });

  it('keeps the 50 that cost most apart, and the others as one', async () => {
    const start = Math.floor(Date.now() / 1_000 / 900) * 900 - 10 * DAY;
    await app.dataSource.getRepository(ReferenceTotalEntity).insert(
      Array.from({ length: 60 }, (_, index) => ({
        kind: 'channel' as const,
        userId: 0,
        createdAt: start,
        reference: String(1_000 + index),
        tokenUsed: 1,
        count: 1,
        quota: index + 1,
      })),
    );
    const span = `start_timestamp=${start - 60}&end_timestamp=${start + 60}&grain=day`;
    const { rows } = await ask<ReferenceUseView>(admin, `/api/data/channels?${span}`);
    expect(rows).toHaveLength(51);
    expect(rows.find(({ reference }) => reference === 0)).toMatchObject({ count: 10, quota: 55 });
  });

  it('refuses a span that is too long, and deletes what is older than StatisticsDays', async () => {
    const answer = await admin.sendRaw(
      'GET',
      '/api/data/self/tokens?start_timestamp=1&end_timestamp=9999999',
    );
    expect(answer).toMatchObject({ success: false, code: 'span_too_long' });
    const store = app.dataSource.getRepository(ReferenceTotalEntity);
    const old = Math.floor(Date.now() / 1_000 / 900) * 900 - 91 * DAY;
    await store.insert({
      kind: 'token',
      userId: 1,
      createdAt: old,
      reference: '1',
      tokenUsed: 1,
      count: 1,
      quota: 1,
    });
    await app.app.get(UseRetention, { strict: false }).run();
    expect(await store.countBy({ createdAt: old })).toBe(0);
    expect(await store.count()).toBeGreaterThan(60);
  });

  it('warns administrators of the installation, and an account of itself alone', async () => {
    const warnings = (reader: GatewayConsole) => ask<WarningView[]>(reader, '/api/data/warnings');
    expect(await warnings(ann)).toEqual([]);
    await admin.addChannel({
      base_url: upstream.url,
      models: ['gpt-4o', 'fx-unpriced'],
      name: 'second',
      model_mapping: '{"gpt-4o":"fx-std"}',
    });
    const refusing = { base_url: upstream.url, models: ['fx-error-401'], name: 'third' };
    const disabled = await admin.addChannel(refusing);
    const ratios = { 'fx-std': 1, 'gpt-4o': 0.125, 'fx-error-401': 1 };
    await admin.setOptions({ ModelRatio: JSON.stringify(ratios) });
    const key = (await admin.addToken({ name: 'warned' })).key;
    const client = new RelayClient(app.url, key);
    clients.push(client);
    const booked = () => app.dataSource.getRepository(ReferenceTotalEntity).sum('count');
    const before = (await booked()) ?? 0;
    expect((await client.chat('gpt-4o')).status).toBe(200);
    expect((await client.chat('fx-unpriced')).status).not.toBe(200);
    expect((await client.chat('fx-error-401')).status).not.toBe(200);
    const attempts = () => ask<AttemptUseView>(admin, '/api/data/attempts?by=channel&grain=day');
    await until(async () => (await attempts()).lines.some(({ reference }) => reference === disabled));
    await app.dataSource.getRepository(ChannelEntity).update(disabled, { status: 3 });
    const refused = () => ask<{ total: number }>(admin, '/api/log/?p=1&page_size=1&model_name=fx-unpriced');
    await until(async () => ((await booked()) ?? 0) > before && (await refused()).total > 0);
    expect(await warnings(admin)).toEqual(
      expect.arrayContaining([
        { kind: 'unpriced-model', model: 'fx-unpriced', calls: 1 },
        { kind: 'failing-channel', channel_id: disabled, channel_name: 'third', attempts: 1, failures: 1 },
        { kind: 'price-below-list', model: 'gpt-4o', part: 'input', price: 0.25, list_price: 2.5 },
      ]),
    );
    expect(await warnings(ann)).toEqual([]);
  });
});
