import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptionPriceBook } from '../../../../server/base/pricing/option-price-book.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import type { PriceSnapshot } from '../../../../server/relay-core/model/price-snapshot.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';

interface Version {
  id: number;
  actor: string;
  source: string;
  note: string;
  keys: string[];
}

describe.each(DATABASE_KINDS)('prices on %s', (kind) => {
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
  const versions = () => root.expectSuccess<Version[]>('GET', '/api/pricing/versions');
  const snapshotOf = (model: string, group = 'default'): PriceSnapshot => {
    const found = app.app.get(OptionPriceBook).current().snapshot(model, group, false, { tools: [] });
    if (found === undefined) throw new Error(`no price of ${model}`);
    return found;
  };

  describe('the public list', () => {
    beforeAll(async () => {
      await put('GroupRatio', { default: 1, vip: 0.5, hidden: 3 });
      await put('ModelRatio', { 'gpt-4o': 1.25, 'home-made': 2 });
      await put('ServiceTierRatio', { 'priority:gpt-4o': 1.7 });
      await root.expectSuccess('POST', '/api/channel/', {
        name: 'a',
        type: 1,
        key: 'sk-one',
        models: 'gpt-4o,dall-e-3,nobodys',
        group: 'default,vip',
      });
      await root.expectSuccess('POST', '/api/channel/', {
        name: 'b',
        type: 1,
        key: 'sk-two',
        models: 'home-made',
        group: 'hidden',
      });
    });

    it('shows guests what the default group may use, with the fixed price and the ratio apart [PRICE-101, PRICE-102]', async () => {
      const { body } = await new ApiClient(app.url).get('/api/pricing');
      const list = body.data as Record<string, unknown>[];
      expect(list.map((entry) => entry['model_name'])).toEqual(['dall-e-3', 'gpt-4o', 'nobodys']);
      expect(list[0]).toMatchObject({
        quota_type: 1,
        model_price: 0.04,
        model_ratio: 0,
        completion_ratio: 0,
        vendor: 'OpenAI',
        enable_groups: ['default', 'vip'],
        supported_endpoint_types: ['image-generation'],
      });
      expect(list[1]).toMatchObject({
        quota_type: 0,
        model_price: 0,
        model_ratio: 1.25,
        completion_ratio: 4,
        owner_by: '',
        is_price_unset: false,
        supported_endpoint_types: expect.arrayContaining(['openai', 'anthropic']),
      });
      expect(list[0]).toMatchObject({ service_tiers: {}, tool_prices: {} });
      expect(list[0]?.['picture_factors']).toContainEqual({ name: 'hd 1024x1792', ratio: 3 });
      expect(list[1]).toMatchObject({
        service_tiers: { priority: 1.7 },
        picture_factors: [],
        tool_prices: { web_search: 10, file_search: 2.5, image_generation: 150 },
      });
      expect(body['group_ratio']).toEqual({ default: 1, vip: 0.5 });
      expect(body['usable_group']).toEqual({ default: 'Default group', vip: 'VIP group' });
    });

    it('marks a model without a price instead of passing its fallback off as one [PRICE-103]', async () => {
      const list = await user.expectSuccess<Record<string, unknown>[]>('GET', '/api/pricing');
      expect(list.find((entry) => entry['model_name'] === 'nobodys')).toMatchObject({
        is_price_unset: true,
        model_ratio: 37.5,
      });
      expect(await root.expectSuccess('GET', '/api/pricing/unset')).toEqual(['nobodys']);
    });

    it('hides groups the caller cannot use, channels and keys [OPT-04]', async () => {
      const text = JSON.stringify((await user.get('/api/pricing')).body);
      for (const secret of ['hidden', 'home-made', 'sk-one', 'channel']) expect(text).not.toContain(secret);
    });

    it('shows an account of another group that group too, at the factor agreed for it', async () => {
      await put('GroupGroupRatio', { hidden: { default: 0.25, hidden: 2 } });
      const rich = await signUp(root, { username: 'rich' });
      await root.expectSuccess('PUT', '/api/user/', { id: rich.userId, username: 'rich', group: 'hidden' });
      const { body } = await rich.get('/api/pricing');
      expect(body['group_ratio']).toEqual({ default: 0.25, hidden: 2, vip: 0.5 });
      expect((body.data as { model_name: string }[]).map((entry) => entry.model_name)).toContain('home-made');
      await put('GroupGroupRatio', {});
    });

    it('shows the factor agreed for accounts of the reader’s group and a model to them only', async () => {
      const factorsOf = async (client: ApiClient): Promise<Record<string, unknown>> => {
        const list = (await client.get('/api/pricing')).body.data as Record<string, unknown>[];
        return Object.fromEntries(list.map((entry) => [entry['model_name'], entry['account_group_ratio']]));
      };
      await put('GroupModelRatio', { vip: { 'gpt-4*': 0.75 }, default: { 'dall-e-3': 0 } });
      const vip = await signUp(root, { username: 'viper' });
      await root.expectSuccess('PUT', '/api/user/', { id: vip.userId, username: 'viper', group: 'vip' });
      const expected = { 'dall-e-3': 0, 'gpt-4o': null, nobodys: null };
      expect(await factorsOf(new ApiClient(app.url))).toEqual(expected);
      expect(await factorsOf(user)).toEqual(expected);
      expect(await factorsOf(vip)).toEqual({ 'dall-e-3': null, 'gpt-4o': 0.75, nobodys: null });
      await root.expectSuccess('PUT', '/api/user/', { id: vip.userId, username: 'viper', group: 'default' });
      await put('GroupModelRatio', {});
    });

    it('follows prices and channels at once', async () => {
      await put('ModelRatio', { 'gpt-4o': 7, 'home-made': 2 });
      const list = await user.expectSuccess<Record<string, unknown>[]>('GET', '/api/pricing');
      expect(list.find((entry) => entry['model_name'] === 'gpt-4o')).toMatchObject({ model_ratio: 7 });
      await root.expectSuccess('POST', '/api/channel/', {
        name: 'c',
        type: 1,
        key: 'sk-three',
        models: 'gpt-4o-mini',
        group: 'default',
      });
      const later = await user.expectSuccess<Record<string, unknown>[]>('GET', '/api/pricing');
      expect(later.map((entry) => entry['model_name'])).toContain('gpt-4o-mini');
    });

    it('opens the ratios to other gateways only when the option is on', async () => {
      const guest = new ApiClient(app.url);
      expect((await guest.get('/api/ratio_config')).body).toMatchObject({
        success: false,
        code: 'ratio_config_closed',
      });
      await put('ExposeRatioEnabled', 'true');
      const open = (await guest.get('/api/ratio_config')).body.data as Record<string, unknown>;
      expect(open['model_ratio']).toEqual({ 'gpt-4o': 7, 'home-made': 2 });
      await put('ExposeRatioEnabled', 'false');
    });

    it('refuses to drop a group that accounts or keys still use [PRICE-104]', async () => {
      const reply = await root.put('/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' });
      expect(reply.body).toMatchObject({ success: false, code: 'option_group_in_use' });
      expect(reply.body.message).toContain('hidden');
      await put('GroupRatio', { default: 1, hidden: 3 });
    });

    it('refuses to drop a group that is all a channel serves, and counts no channel that serves another [PRICE-104]', async () => {
      await put('GroupRatio', { default: 1, hidden: 3, 'left_%': 1, shared: 1 });
      for (const group of ['left_%', 'default,shared', 'leftover'])
        await root.expectSuccess('POST', '/api/channel/', {
          name: group,
          type: 1,
          key: 'sk-four',
          models: 'gpt-4o',
          group,
        });
      const changes = [{ key: 'GroupRatio', value: '{"default":1,"hidden":3,"shared":1}' }];
      const tried = await root.post('/api/pricing/preview', { changes, days: 1 });
      const reply = await root.put('/api/option/', changes);
      for (const { body } of [tried, reply]) {
        expect(body).toMatchObject({ success: false, code: 'option_group_in_use' });
        expect(body.message).toContain('Group left_% is still used by 0 accounts and 0 API keys');
        expect(body.message).toContain('1 channels');
      }
      await put('GroupRatio', { default: 1, hidden: 3, 'left_%': 1 });
    });

    it('refuses to drop a group that is offered to users, unless it is offered no more [PRICE-104]', async () => {
      await put('GroupRatio', { default: 1, hidden: 3, 'left_%': 1, offered: 2 });
      await put('UserUsableGroups', { default: 'Everybody', offered: 'Cheaper' });
      const ratios = { key: 'GroupRatio', value: '{"default":1,"hidden":3,"left_%":1}' };
      const tried = await root.post('/api/pricing/preview', { changes: [ratios], days: 1 });
      const reply = await root.put('/api/option/', ratios);
      for (const { body } of [tried, reply]) {
        expect(body).toMatchObject({ success: false, code: 'option_group_offered' });
        expect(body.message).toContain('UserUsableGroups still offers offered');
      }
      await root.expectSuccess('PUT', '/api/option/', [
        ratios,
        { key: 'UserUsableGroups', value: '{"default":"Everybody"}' },
      ]);
    });
  });

  describe('documents that cannot be used (BIL, OPT-02)', () => {
    it.each([
      ['a negative tier', 'LongContextRatio', '{"m":[{"above":10,"input":-1,"output":1}]}', 'm.0.input'],
      [
        'a tier with a foreign member',
        'LongContextRatio',
        '{"m":[{"above":10,"input":1,"output":1,"x":1}]}',
        'm.0',
      ],
      [
        'two tiers of one length',
        'LongContextRatio',
        '{"m":[{"above":9,"input":1,"output":1},{"above":9,"input":2,"output":1}]}',
        '"m"',
      ],
      [
        'a tier above a fraction',
        'LongContextRatio',
        '{"m":[{"above":1.5,"input":1,"output":1}]}',
        'm.0.above',
      ],
      ['a tool price of text', 'tool_price_setting.prices', '{"web_search":"10"}', 'web_search'],
      ['a tool with a wrong size', 'tool_price_setting.prices', '{"web_search@huge":1}', 'web_search@huge'],
      ['a factor of an agreed group below zero', 'GroupGroupRatio', '{"vip":{"default":-1}}', 'vip.default'],
      ['a factor of a model below zero', 'GroupModelRatio', '{"vip":{"gpt-4*":-1}}', 'vip.gpt-4*'],
      [
        'a factor of a model that is an object',
        'GroupModelRatio',
        '{"vip":{"gpt-4*":{"a":1}}}',
        'vip.gpt-4*',
      ],
      ['a model with a blank before it', 'GroupModelRatio', '{"vip":{" gpt-4*":1}}', 'vip. gpt-4*'],
      ['a factor of a model beside the groups', 'GroupModelRatio', '{"gpt-4*":0.5}', 'gpt-4*'],
      ['factors of models for a group nobody has', 'GroupModelRatio', '{"ghost":{"gpt-4*":0.5}}', 'ghost'],
      ['a ratio beyond measure', 'CreateCache1hRatio', '{"m":1e9}', 'm'],
      ['a ratio with too many places', 'ModelRatio', '{"m":1e-45}', 'm'],
      ['a price document that is a list', 'ModelPrice', '[]', 'JSON object'],
      ['a model named twice', 'ModelRatio', '{"gpt-4o":1,"home-made":2,"gpt-4o":9}', 'gpt-4o'],
      ['a group named twice inside', 'GroupGroupRatio', '{"vip":{"default":1,"default":2}}', 'default'],
      [
        'a ratio with more digits than are kept',
        'ModelRatio',
        '{"gpt-4o":1,"home-made":0.12345678901234567890}',
        '0.12345678901234567890 would become 0.12345678901234568 (see home-made)',
      ],
      [
        'more digits in a tier than are kept',
        'LongContextRatio',
        '{"m":[{"above":9,"input":1,"output":1.00000000000000000001}]}',
        'see m.0.output',
      ],
      [
        'more digits in a price than are kept',
        'QuotaPerUnit',
        '500000.00000000000000001',
        'would become 500000',
      ],
      ['a class of service with a blank', 'ServiceTierRatio', '{"very fast":2}', 'very fast'],
    ])('refuses %s, saying where, and stores nothing', async (_, key, value, place) => {
      const before = await versions();
      const reply = await root.put('/api/option/', { key, value });
      expect(reply.body).toMatchObject({ success: false });
      expect(reply.body.message).toContain(place);
      expect(await versions()).toEqual(before);
    });

    it('stores none of a list when one of it cannot be used [OPT-108]', async () => {
      const reply = await root.put('/api/option/', [
        { key: 'ModelPrice', value: '{"new-model":1}' },
        { key: 'AudioRatio', value: '{"new-model":-2}' },
      ]);
      expect(reply.body.success).toBe(false);
      expect(app.app.get(OptionsService).values().ModelPrice['new-model']).toBeUndefined();
    });
  });

  describe('versions', () => {
    it('keeps what was saved together: author, source, options, and each entry that changed', async () => {
      await root.expectSuccess('PUT', '/api/option/', [
        { key: 'ModelRatio', value: '{"gpt-4o":1,"gone":5}' },
        { key: 'CompletionRatio', value: '{"gpt-4o":3}' },
      ]);
      await root.expectSuccess('PUT', '/api/option/', [
        { key: 'ModelRatio', value: '{"gpt-4o":2,"added":4}' },
        { key: 'CompletionRatio', value: '{"gpt-4o":3.5}' },
      ]);
      const [newest] = await versions();
      expect(newest).toMatchObject({
        actor: 'root',
        source: 'edit',
        note: '',
        keys: ['ModelRatio', 'CompletionRatio'],
      });
      const detail = await root.expectSuccess<{ changes: { key: string; entries: unknown }[] }>(
        'GET',
        `/api/pricing/versions/${newest?.id}`,
      );
      expect(detail.changes.map(({ key, entries }) => ({ key, entries }))).toEqual([
        {
          key: 'ModelRatio',
          entries: [
            { name: 'added', old_value: null, new_value: '4' },
            { name: 'gone', old_value: '5', new_value: null },
            { name: 'gpt-4o', old_value: '1', new_value: '2' },
          ],
        },
        { key: 'CompletionRatio', entries: [{ name: 'gpt-4o', old_value: '3', new_value: '3.5' }] },
      ]);
    });

    it('keeps the reason of an edit', async () => {
      const note = 'the vendor halved its list';
      const changes = [
        { key: 'ModelRatio', value: '{"gpt-4o":1.5}' },
        { key: 'CompletionRatio', value: '{"gpt-4o":4}' },
      ];
      await root.expectSuccess('PUT', '/api/option/', { changes, note });
      const [newest] = await versions();
      expect(newest).toMatchObject({ source: 'edit', note, keys: ['ModelRatio', 'CompletionRatio'] });
      for (const wrong of [{ changes: [], note }, { changes, note: 'n'.repeat(501) }, { note }])
        expect((await root.put('/api/option/', wrong)).status).toBe(400);
      expect((await versions())[0]).toEqual(newest);
    });

    it('takes the whole price list back in one step, which is a version itself', async () => {
      await put('ModelRatio', { 'gpt-4o': 1 });
      const [good] = await versions();
      const texts = () => {
        const { ModelRatio, CompletionRatio, CacheRatio, GroupRatio } = app.app.get(OptionsService).values();
        return JSON.stringify([ModelRatio, CompletionRatio, CacheRatio, GroupRatio]);
      };
      const before = texts();
      await put('ModelRatio', { 'gpt-4o': 100 });
      await put('CompletionRatio', { 'gpt-4o': 100 });
      await put('CacheRatio', { 'gpt-4o': 100 });
      const changed = await root.expectSuccess('POST', `/api/pricing/versions/${good?.id}/rollback`, {
        note: 'typing mistake',
      });
      expect(changed).toEqual(expect.arrayContaining(['ModelRatio', 'CompletionRatio', 'CacheRatio']));
      expect(texts()).toBe(before);
      const [newest] = await versions();
      expect(newest).toMatchObject({ source: 'rollback', note: 'typing mistake' });
      expect(snapshotOf('gpt-4o')).toMatchObject({ modelRatio: '1' });
      // And forth again: the rollback is a version like any other.
      await root.expectSuccess('POST', `/api/pricing/versions/${newest?.id}/rollback`, { to: 'before' });
      expect(snapshotOf('gpt-4o')).toMatchObject({ modelRatio: '100', cacheRatio: '100' });
      await root.expectSuccess('POST', `/api/pricing/versions/${good?.id}/rollback`, {});
    });

    it('single options go back too, to before or after a change; secrets do not', async () => {
      await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'First' });
      await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'Second' });
      await root.expectSuccess('PUT', '/api/option/', { key: 'SMTPToken', value: 'secret-word' });
      const history = await root.expectSuccess<Record<string, unknown>[]>(
        'GET',
        '/api/option/history?key=SystemName',
      );
      expect(history.map((row) => [row['old_value'], row['new_value'], row['actor'], row['source']])).toEqual(
        [
          ['First', 'Second', 'root', 'edit'],
          [null, 'First', 'root', 'edit'],
        ],
      );
      const rollBack = (revision: unknown, to?: string) =>
        root.post('/api/option/rollback', { revision, ...(to === undefined ? {} : { to }) });
      expect((await rollBack(history[1]?.['revision'], 'after')).body.data).toEqual(['SystemName']);
      expect(app.app.get(OptionsService).values().SystemName).toBe('First');
      await rollBack(history[1]?.['revision']);
      expect(app.app.get(OptionsService).values().SystemName).toBe('Tollgate');
      const [secret] = await root.expectSuccess<Record<string, unknown>[]>(
        'GET',
        '/api/option/history?key=SMTPToken',
      );
      expect(secret).toMatchObject({ can_roll_back: false, old_value: null, new_value: null });
      expect((await rollBack(secret?.['revision'])).body).toMatchObject({ code: 'option_no_history' });
      expect((await rollBack(999_999)).body).toMatchObject({ code: 'not_found' });
    });

    it('allows root alone', async () => {
      for (const path of ['/api/pricing/versions', '/api/pricing/unset', '/api/option/history']) {
        expect((await user.get(path)).body.success).toBe(false);
        expect((await new ApiClient(app.url).get(path)).status).toBe(401);
      }
    });
  });
});
