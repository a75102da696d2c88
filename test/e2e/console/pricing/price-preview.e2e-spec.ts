import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateQuota } from '../../../../server/base/pricing/calculate-quota.js';
import { OptionPriceBook } from '../../../../server/base/pricing/option-price-book.js';
import { optionRow } from '../../../../server/base/options/option-catalogue.js';
import type { PriceSnapshot } from '../../../../server/relay-core/model/price-snapshot.js';
import type { Usage } from '../../../../server/relay-core/model/usage.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';
import { storeCalls } from './stored-calls.ts';

const DAY_MS = 86_400_000;

const tokens = (input: number, output: number): Usage => ({
  input: { total: input },
  output: { total: output },
});

describe.each(DATABASE_KINDS)('the preview of a price change on %s', (kind) => {
  let app: TestApp;
  let root: ApiClient;
  let user: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    user = await signUp(root, { username: 'payer' });
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const put = (key: string, value: unknown) =>
    root.expectSuccess('PUT', '/api/option/', {
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    });
  const versions = () => root.expectSuccess<{ id: number }[]>('GET', '/api/pricing/versions');
  const snapshotOf = (model: string, group = 'default'): PriceSnapshot => {
    const found = app.app.get(OptionPriceBook).current().snapshot(model, group, false, { tools: [] });
    if (found === undefined) throw new Error(`no price of ${model}`);
    return found;
  };

  let usages: Usage[];

  beforeAll(async () => {
    await put('ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, 'gone-model': 3 });
    await put('CompletionRatio', { 'gpt-4o': 4 });
    await put('LongContextRatio', { 'gpt-4o': [{ above: 1_000, input: 2, output: 1.5 }] });
    const nowMs = Date.now();
    usages = [tokens(999, 7), tokens(1_001, 13), { ...tokens(10, 10), tools: { 'web-search': 2 } }];
    await storeCalls(app.dataSource, [
      ...usages.map((usage) => ({
        userId: user.userId,
        snapshot: snapshotOf('gpt-4o'),
        usage,
        atMs: nowMs - 1_000,
      })),
      {
        userId: root.userId,
        snapshot: snapshotOf('gpt-4o-mini'),
        usage: tokens(100, 100),
        atMs: nowMs - 500,
      },
      { userId: root.userId, snapshot: snapshotOf('gone-model'), usage: tokens(1, 1), atMs: nowMs - 500 },
      {
        userId: root.userId,
        snapshot: snapshotOf('gpt-4o'),
        usage: tokens(5, 5),
        atMs: nowMs - 400,
        isInline: true,
      },
      {
        userId: user.userId,
        snapshot: snapshotOf('gpt-4o'),
        usage: tokens(50, 50),
        atMs: nowMs - 3 * DAY_MS,
      },
    ]);
  });

  const preview = (changes: unknown, days = 1) =>
    root.expectSuccess<Record<string, unknown>>('POST', '/api/pricing/preview', { changes, days });

  it('shows what the calls would have cost, by model, group and user, and stores nothing', async () => {
    const before = await versions();
    const result = await preview([
      { key: 'ModelRatio', value: '{"gpt-4o":2.5,"gpt-4o-mini":0.075,"gone-model":3}' },
    ]);
    const old = snapshotOf('gpt-4o') as PriceSnapshot & { mode: 'ratio' };
    const next = { ...old, modelRatio: '2.5' };
    const all = [...usages, tokens(5, 5)];
    const sum = (prices: PriceSnapshot) =>
      all.reduce((total, usage) => total + calculateQuota(usage, prices), 0);
    const others =
      calculateQuota(tokens(100, 100), snapshotOf('gpt-4o-mini')) +
      calculateQuota(tokens(1, 1), snapshotOf('gone-model'));
    expect(result).toMatchObject({
      calls: 6,
      charged: sum(old) + others,
      before: sum(old) + others,
      after: sum(next) + others,
      repriced_calls: 4,
      not_repriced: { no_price: 0, unknown_size: 0, unreadable: 0 },
      is_complete: true,
    });
    expect(result['models']).toContainEqual({
      model: 'gpt-4o',
      group: 'default',
      calls: 4,
      charged: sum(old),
      before: sum(old),
      after: sum(next),
    });
    expect((result['users'] as { username: string }[]).map(({ username }) => username)).toEqual([
      'payer',
      'root',
    ]);
    expect(await versions()).toEqual(before);
    expect(snapshotOf('gpt-4o')).toMatchObject({ modelRatio: '1.25' });
  });

  it('previews a return to the built-in ratios, before it is done', async () => {
    const before = await versions();
    const { fallback, format } = optionRow('ModelRatio');
    const wanted = await preview([{ key: 'ModelRatio', value: format(fallback) }]);
    const reset = { reset: true, days: 1 };
    expect(await root.expectSuccess('POST', '/api/pricing/preview', reset)).toEqual(wanted);
    expect(await versions()).toEqual(before);
  });

  it('leaves older calls out, and includes them on request', async () => {
    expect(await preview([{ key: 'CacheRatio', value: '{}' }], 7)).toMatchObject({ calls: 7 });
  });

  it('applies tiers, groups and factors agreed for groups', async () => {
    const tiers = await preview([{ key: 'LongContextRatio', value: '{}' }]);
    const old = snapshotOf('gpt-4o') as PriceSnapshot & { mode: 'ratio' };
    const { tiers: _, ...flat } = old;
    const difference = calculateQuota(tokens(1_001, 13), flat) - calculateQuota(tokens(1_001, 13), old);
    expect(Number(tiers['after']) - Number(tiers['before'])).toBe(difference);
    const free = await preview([{ key: 'GroupRatio', value: '{"default":0,"hidden":3}' }]);
    expect(free['after']).toBe(0);
    const agreed = await preview([{ key: 'GroupGroupRatio', value: '{"default":{"default":0}}' }]);
    expect(agreed['after']).toBe(0);
    const ofModel = await preview([{ key: 'GroupModelRatio', value: '{"default":{"gpt-4o*":0}}' }]);
    expect(ofModel['after']).toBe(calculateQuota(tokens(1, 1), snapshotOf('gone-model')));
  });

  it('reports the number of calls that would be refused, and their models', async () => {
    const result = await preview([{ key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' }]);
    const cost = calculateQuota(tokens(1, 1), snapshotOf('gone-model'));
    expect(result).toMatchObject({
      repriced_calls: 0,
      refused: { calls: 1, models: [{ model: 'gone-model', calls: 1, before: cost }] },
      not_repriced: { no_price: 0, unknown_size: 0, unreadable: 0 },
    });
    expect(Number(result['before']) - Number(result['after'])).toBe(cost);
  });

  it('counts every call as refused when all prices are taken away', async () => {
    const result = await preview([{ key: 'ModelRatio', value: '{}' }]);
    expect(result).toMatchObject({ calls: 6, after: 0, repriced_calls: 0, refused: { calls: 6 } });
    expect(result['before']).toBe(result['charged']);
    const { models } = result['refused'] as { models: { model: string; calls: number }[] };
    expect(Object.fromEntries(models.map(({ model, calls }) => [model, calls]))).toEqual({
      'gpt-4o': 4,
      'gpt-4o-mini': 1,
      'gone-model': 1,
    });
    expect(result['models']).toContainEqual(expect.objectContaining({ model: 'gpt-4o', after: 0 }));
    expect(result['users']).toHaveLength(2);
  });

  it('counts models that have no price today either as unchanged, not as refused', async () => {
    await put('ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075 });
    const result = await preview([{ key: 'ModelRatio', value: '{"gpt-4o":1.25}' }]);
    expect(result).toMatchObject({
      refused: { calls: 1, models: [{ model: 'gpt-4o-mini' }] },
      not_repriced: { no_price: 1 },
    });
    await put('ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, 'gone-model': 3 });
  });

  it('counts no call as repriced that costs the same, whatever else was changed', async () => {
    // Quota per dollar is part of the price of the two searches alone, of these six calls.
    expect(await preview([{ key: 'QuotaPerUnit', value: '600000' }])).toMatchObject({ repriced_calls: 1 });
    const unread = await preview([{ key: 'CacheRatio', value: '{"gpt-4o":0.25}' }]);
    expect(unread).toMatchObject({ calls: 6, repriced_calls: 0, refused: { calls: 0 }, users: [] });
    expect(unread['after']).toBe(unread['before']);
  });

  it('previews the way back to a version', async () => {
    const [newest] = await versions();
    const result = await root.expectSuccess<Record<string, unknown>>('POST', '/api/pricing/preview', {
      version_id: newest?.id,
      to: 'before',
      days: 1,
    });
    expect(result['calls']).toBe(6);
  });

  it("counts prices that were stored since the calls as today's, not as an effect of the draft", async () => {
    const old = snapshotOf('gpt-4o') as PriceSnapshot & { mode: 'ratio' };
    const ofModel = async (changes: unknown) => {
      const result = await preview(changes);
      const models = result['models'] as { model: string }[];
      return { result, line: models.find(({ model }) => model === 'gpt-4o') };
    };
    const sum = (modelRatio: string) =>
      [...usages, tokens(5, 5)].reduce(
        (total, usage) => total + calculateQuota(usage, { ...old, modelRatio }),
        0,
      );
    await put('ModelRatio', { 'gpt-4o': 5, 'gpt-4o-mini': 0.075, 'gone-model': 3 });
    const nothing = await ofModel([
      { key: 'ModelRatio', value: '{"gpt-4o":5,"gpt-4o-mini":0.075,"gone-model":3}' },
    ]);
    expect(nothing.line).toMatchObject({ charged: sum('1.25'), before: sum('5'), after: sum('5') });
    expect(nothing.result).toMatchObject({ repriced_calls: 0, users: [] });
    const back = await ofModel([
      { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075,"gone-model":3}' },
    ]);
    expect(back.line).toMatchObject({ charged: sum('1.25'), before: sum('5'), after: sum('1.25') });
    expect(back.result).toMatchObject({ repriced_calls: 4 });
    const gone = await ofModel([{ key: 'ModelRatio', value: '{"gpt-4o-mini":0.075}' }]);
    expect(gone.line).toMatchObject({ charged: sum('1.25'), before: sum('5'), after: 0 });
    expect(gone.result).toMatchObject({
      refused: { calls: 5 },
      not_repriced: { no_price: 0, unknown_size: 0, unreadable: 0 },
    });
    await put('ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, 'gone-model': 3 });
  });

  it('refuses drafts that could not be stored, and options other than prices', async () => {
    const refusal = async (key: string, value: string) =>
      (await root.post('/api/pricing/preview', { changes: [{ key, value }] })).body['code'];
    expect(await refusal('ModelRatio', '{"gpt-4o":-1}')).toBe('option_invalid');
    expect(await refusal('SystemName', 'x')).toBe('price_option_expected');
    expect(await refusal('NoSuchOption', 'x')).toBe('option_unknown');
    expect((await user.post('/api/pricing/preview', { changes: [] })).body.success).toBe(false);
  });

  it('refuses members it does not know, instead of showing that nothing changes', async () => {
    const accepted = async (body: Record<string, unknown>) =>
      (await root.post('/api/pricing/preview', body)).body.success;
    const change = { key: 'ModelRatio', value: '{}' };
    expect(await accepted({ changes: [change], days: 1 })).toBe(true);
    expect(await accepted({ change: [change] })).toBe(false);
    expect(await accepted({ changes: [{ ...change, note: 'x' }] })).toBe(false);
  });
});
