import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptionPriceBook } from '../../../../server/base/pricing/option-price-book.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

interface Item {
  model: string;
  state: string;
  entries: { key: string; current: unknown; listed: unknown }[];
}

const LIST = JSON.stringify({
  openai: {
    models: {
      'gpt-4o': { cost: { input: 3, output: 12, cache_read: 1.5 } },
      'gpt-brand-new': { cost: { input: 4, output: 20 } },
      'gpt-odd': { cost: { output: 20 } },
    },
  },
});

describe('prices from a published list', () => {
  let app: TestApp;
  let root: ApiClient;

  beforeAll(async () => {
    app = await startTestApp();
    root = await setUpRoot(app);
  });
  afterAll(() => app.close());

  const diff = (body: unknown) =>
    root.expectSuccess<{ format: string; counts: unknown; items: Item[] }>(
      'POST',
      '/api/pricing/sync/diff',
      body,
    );
  const refusal = async (body: unknown) => (await root.post('/api/pricing/sync/diff', body)).body;

  it('shows them as a difference, and stores only those that were picked, as one version', async () => {
    const before = app.app.get(OptionsService).values();
    const { format, counts, items } = await diff({ document: LIST });
    expect([format, counts]).toEqual(['models.dev', { added: 1, changed: 1, same: 0, unsupported: 1 }]);
    expect(app.app.get(OptionsService).values()).toBe(before);
    const fresh = items.find(({ model }) => model === 'gpt-brand-new');
    expect(fresh?.entries).toEqual([
      { key: 'ModelRatio', current: null, listed: 2 },
      { key: 'CompletionRatio', current: null, listed: 5 },
    ]);
    const changed = await root.expectSuccess('POST', '/api/pricing/sync/apply', {
      items: [{ model: 'gpt-brand-new', entries: fresh?.entries }],
      note: 'autumn list',
    });
    expect(changed).toEqual(['ModelRatio', 'CompletionRatio']);
    const values = app.app.get(OptionsService).values();
    expect(values.ModelRatio['gpt-brand-new']).toBe(2);
    expect(values.ModelRatio['gpt-4o']).toBe(before.ModelRatio['gpt-4o']);
    const [version] = await root.expectSuccess<Record<string, unknown>[]>('GET', '/api/pricing/versions');
    expect(version).toMatchObject({
      source: 'sync',
      note: 'autumn list',
      keys: ['ModelRatio', 'CompletionRatio'],
    });
    expect((await diff({ document: LIST })).counts).toMatchObject({ added: 0, changed: 1, same: 1 });
  });

  it('brings the classes of service of a model, which are charged from then on', async () => {
    const document = JSON.stringify({
      'gpt-tiered': {
        litellm_provider: 'openai',
        input_cost_per_token: 2e-6,
        output_cost_per_token: 8e-6,
        input_cost_per_token_priority: 4e-6,
        input_cost_per_token_flex: 1e-6,
      },
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'ServiceTierRatio', value: '{"flex:other":0.9}' });
    const [item] = (await diff({ document })).items;
    await root.expectSuccess('POST', '/api/pricing/sync/apply', { items: [item] });
    expect(app.app.get(OptionsService).values().ServiceTierRatio).toEqual({
      'flex:other': 0.9,
      'priority:gpt-tiered': 2,
      'flex:gpt-tiered': 0.5,
    });
    const table = app.app.get(OptionPriceBook).current();
    expect(table.snapshot('gpt-tiered', 'default', false)).toMatchObject({
      serviceTiers: { priority: '2', flex: '0.5' },
    });
    expect((await diff({ document })).counts).toMatchObject({ same: 1, changed: 0 });
    for (const listed of [null, 2, [1], { flex: 'x' }, { flex: -1 }, { 'FLEX ': 1 }]) {
      const entries = [{ key: 'ServiceTierRatio', listed }];
      const refused = await root.post('/api/pricing/sync/apply', { items: [{ model: 'gpt-x', entries }] });
      expect([listed, refused.body]).toMatchObject([listed, { success: false }]);
    }
  });

  it('takes a list larger than other bodies may be', async () => {
    const models = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [
        `gpt-many-${index}`,
        { cost: { input: 1, output: 2 }, name: 'x'.repeat(60) },
      ]),
    );
    const document = JSON.stringify({ openai: { models } });
    expect(document.length).toBeGreaterThan(2_000_000);
    expect((await diff({ document })).counts).toMatchObject({ added: 20_000 });
    const other = await root.post('/api/pricing/preview', { changes: [], padding: document });
    expect(other.body.code).toBe('body_too_large');
  });

  it('refuses files that are no list, and forbidden addresses (NET)', async () => {
    expect(await refusal({})).toMatchObject({ code: 'price_list_missing' });
    expect(await refusal({ document: '{"a":1}' })).toMatchObject({ code: 'price_list_unreadable' });
    expect(await refusal({ document: 'not json' })).toMatchObject({ code: 'price_list_unreadable' });
    for (const url of ['http://models.dev/api.json', 'https://u:p@models.dev/', 'file:///etc/passwd', 'x'])
      expect(await refusal({ url })).toMatchObject({ code: 'price_list_address' });
    for (const url of ['https://127.0.0.1/api.json', 'https://169.254.169.254/latest', 'https://[::1]/'])
      expect(await refusal({ url })).toMatchObject({ code: 'price_list_unreachable' });
  });

  it.each([
    ['a negative price', 'ModelRatio', -1],
    ['a text', 'ModelRatio', '2'],
    ['a number for tiers', 'LongContextRatio', 2],
    ['an unknown option', 'SystemName', 2],
  ])('refuses %s in the selection, and stores nothing', async (_, key, listed) => {
    const before = app.app.get(OptionsService).values();
    const reply = await root.post('/api/pricing/sync/apply', {
      items: [
        {
          model: 'gpt-4o',
          entries: [
            { key: 'CacheRatio', listed: 0.3 },
            { key, listed },
          ],
        },
      ],
    });
    expect(reply.body.success).toBe(false);
    expect(app.app.get(OptionsService).values()).toBe(before);
  });

  it('names like members of objects are names', async () => {
    await root.expectSuccess('POST', '/api/pricing/sync/apply', {
      items: [{ model: 'constructor', entries: [{ key: 'ModelRatio', listed: 3 }] }],
    });
    expect(app.app.get(OptionsService).values().ModelRatio['constructor']).toBe(3);
    const reply = await root.send('POST', '/api/pricing/sync/apply', {
      items: [{ model: '__proto__', entries: [{ key: 'ModelRatio', listed: 3 }] }],
    });
    expect(reply.body.success).toBe(false);
  });

  it('allows root alone', async () => {
    const user = await signUp(root, { username: 'plain' });
    expect((await user.post('/api/pricing/sync/diff', { document: LIST })).body.success).toBe(false);
    expect((await user.post('/api/pricing/sync/apply', { items: [] })).body.success).toBe(false);
  });
});
