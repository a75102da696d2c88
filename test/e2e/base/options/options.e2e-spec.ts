import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { OptionChangeEntity, OptionEntity } from '../../../../server/base/options/option.entity.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';
import { testRedisUrl } from '../../../support/redis.ts';

const SECRET_KEYS = [
  'EpayKey',
  'StripeApiSecret',
  'StripeWebhookSecret',
  'SMTPToken',
  'oidc.client_secret',
  'GitHubClientSecret',
  'LinuxDOClientSecret',
  'WeChatServerToken',
  'TelegramBotToken',
  'TurnstileSecretKey',
  'WorkerValidKey',
];

describe.each(DATABASE_KINDS)('options on %s', (kind) => {
  let app: TestApp;
  let root: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const put = (key: string, value: unknown) => root.put('/api/option/', { key, value });
  const valueOf = async (key: string): Promise<string | undefined> => {
    const list = await root.expectSuccess<{ key: string; value: string }[]>('GET', '/api/option/');
    return list.find((option) => option.key === key)?.value;
  };

  it.each([
    ['OPT-103 an unknown key', 'NoSuchOption', 'x', 'option_unknown'],
    ['OPT-103 a key of Object', 'constructor', 'x', 'option_unknown'],
    ['OPT-101 broken JSON', 'ModelRatio', '{"gpt-4":', 'option_invalid'],
    ['OPT-101 a map of texts', 'ModelRatio', '{"gpt-4":"15"}', 'option_invalid'],
    ['F-42 a ratio of −1', 'ModelRatio', '{"gpt-4":-1}', 'option_invalid'],
    ['F-42 a ratio of 1e308', 'ModelRatio', '{"gpt-4":1e308}', 'option_invalid'],
    ['OPT-102 zero quota per unit', 'QuotaPerUnit', '0', 'option_invalid'],
    ['a top-up factor of 0', 'TopupGroupRatio', '{"vip":0}', 'option_invalid'],
    ['OPT-113 a negative gift', 'QuotaForNewUser', -5, 'option_invalid'],
    ['a fraction for a whole number', 'RetryTimes', 1.5, 'option_invalid'],
    ['OPT-107 GitHub without its secret', 'GitHubOAuthEnabled', true, 'option_incomplete'],
    ['Turnstile without keys', 'TurnstileCheckEnabled', 'true', 'option_incomplete'],
    ['groups without default', 'GroupRatio', '{"vip":1}', 'option_default_group'],
    ['AUTH-119 OPT-05 no way to sign in', 'PasswordLoginEnabled', 'false', 'option_last_login_way'],
    ['WEB-06 a chat link that is a script', 'Chats', '[{"x":"javascript:alert(1)"}]', 'option_invalid'],
  ])('refuses %s and leaves everything as it was', async (_name, key, value, code) => {
    const before = app.app.get(OptionsService).values();
    const reply = await put(key, value);
    expect([reply.status, reply.body.success, reply.body.code]).toEqual([200, false, code]);
    expect(app.app.get(OptionsService).values()).toBe(before);
    expect(await app.dataSource.getRepository(OptionEntity).countBy({ key })).toBe(0);
  });

  it('checks with the price book before it stores [F-42]', async () => {
    const reply = await put('ModelPrice', JSON.stringify({ 'some-model': 1e-30, other: 1e6 }));
    const isStored = (await app.dataSource.getRepository(OptionEntity).countBy({ key: 'ModelPrice' })) === 1;
    expect(isStored).toBe(reply.body.success);
  });

  it.each([
    ['text', '3'],
    ['a number', 4],
    ['text with blanks', ' 5 '],
  ])('takes %s', async (_name, value) => {
    await root.expectSuccess('PUT', '/api/option', { key: 'RetryTimes', value });
    expect(await valueOf('RetryTimes')).toBe(String(value).trim());
    expect(app.app.get(OptionsService).values().RetryTimes).toBe(Number(value));
  });

  it('takes a bool, and shows every option as text', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'DisplayInCurrencyEnabled', value: false });
    const list = await root.expectSuccess<{ value: unknown }[]>('GET', '/api/option/');
    expect(list.every(({ value }) => typeof value === 'string')).toBe(true);
    expect((await root.get('/api/status')).body.data).toMatchObject({ display_in_currency: false });
  });

  it('stores a list as a whole or not at all [OPT-108]', async () => {
    const refused = await root.put('/api/option/', [
      { key: 'MinTopUp', value: 3 },
      { key: 'Price', value: -1 },
    ]);
    expect(refused.body.code).toBe('option_invalid');
    expect(await valueOf('MinTopUp')).toBe('1');
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ServerAddress', value: 'https://gate.example' },
      { key: 'GitHubClientId', value: 'id' },
      { key: 'GitHubClientSecret', value: 'canary-github' },
      { key: 'GitHubOAuthEnabled', value: true },
    ]);
    expect((await root.get('/api/status')).body.data).toMatchObject({
      github_oauth: true,
      github_client_id: 'id',
    });
  });

  it('never answers a secret, only that it is set; an empty one stays, null clears [OPT-01, OPT-105]', async () => {
    await root.expectSuccess(
      'PUT',
      '/api/option/',
      SECRET_KEYS.map((key) => ({ key, value: `canary-value-of-${key}` })),
    );
    const isSet = async (): Promise<boolean[]> => {
      const list = await root.expectSuccess<{ key: string; value: string; is_set?: boolean }[]>(
        'GET',
        '/api/option/',
      );
      const secrets = list.filter(({ key }) => SECRET_KEYS.includes(key));
      expect(secrets.map(({ value }) => value)).toEqual(SECRET_KEYS.map(() => ''));
      return secrets.map((option) => option.is_set ?? false);
    };
    expect(await isSet()).toEqual(SECRET_KEYS.map(() => true));
    await root.expectSuccess('PUT', '/api/option/', { key: 'SMTPToken', value: '' });
    expect(app.app.get(OptionsService).values().SMTPToken).toBe('canary-value-of-SMTPToken');
    const seen = JSON.stringify([
      (await root.get('/api/option/')).body,
      (await root.get('/api/option/history')).body,
      (await root.get('/api/status')).body,
      await app.dataSource.getRepository(OptionEntity).find(),
      await app.dataSource.getRepository(OptionChangeEntity).find(),
      await app.dataSource.getRepository(LogEntity).find(),
    ]);
    expect(seen).not.toContain('canary-');
    await root.expectSuccess('PUT', '/api/option/', { key: 'SMTPToken', value: null });
    expect((await isSet()).filter((set) => !set)).toHaveLength(1);
  });

  it('records the actor of a change, without the value in the log [OPT-109]', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'Harbour' });
    await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'Harbour' });
    const history = await root.expectSuccess<Record<string, unknown>[]>('GET', '/api/option/history');
    expect(history[0]).toMatchObject({
      key: 'SystemName',
      old_value: null,
      new_value: 'Harbour',
      actor_id: root.userId,
    });
    expect(history.filter(({ key }) => key === 'SystemName')).toHaveLength(1);
    const lines = await app.dataSource
      .getRepository(LogEntity)
      .find({ where: { type: 3 }, order: { id: 'DESC' }, take: 1 });
    expect(lines[0]?.content).toContain('changed options: SystemName');
    expect(lines[0]?.content).not.toContain('Harbour');
  });

  it('resets the model ratios and nothing else', async () => {
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ModelRatio', value: '{"mine":3}' },
      { key: 'CompletionRatio', value: '{"mine":2}' },
    ]);
    const reply = await root.post('/api/option/rest_model_ratio', undefined);
    expect(reply.body).toMatchObject({ success: true, message: expect.stringMatching(/reset/) });
    const values = app.app.get(OptionsService).values();
    expect(values.ModelRatio['mine']).toBeUndefined();
    expect(values.ModelRatio['gpt-4o']).toBeGreaterThan(0);
    expect(values.CompletionRatio['mine']).toBe(2);
  });

  it('keeps the last good value of an option edited by hand into an invalid one', async () => {
    const service = app.app.get(OptionsService);
    await root.expectSuccess('PUT', '/api/option/', { key: 'CacheRatio', value: '{"kept":0.5}' });
    await app.dataSource.getRepository(OptionEntity).update({ key: 'CacheRatio' }, { value: 'not json' });
    await app.dataSource
      .getRepository(OptionChangeEntity)
      .insert({ key: 'CacheRatio', oldValue: null, newValue: 'not json', actorId: 0, changedAtMs: 0 });
    const modes = app.app.get(DegradedModes);
    const { priceRevision } = service;
    await service.refresh();
    expect(service.values().CacheRatio['kept']).toBe(0.5);
    expect(modes.list()).toMatchObject([
      { mode: 'options-not-converged', cause: 'stored options that cannot be used: CacheRatio' },
    ]);
    await service.refresh();
    expect(modes.has('options-not-converged')).toBe(true);

    // Prices are switched together or not at all: a change of others would not come into force.
    const refused = await put('GroupRatio', JSON.stringify({ default: 3 }));
    expect(refused.body).toMatchObject({ success: false, code: 'option_refused' });
    expect(refused.body.message).toContain('CacheRatio');
    expect(service.priceRevision).toBe(priceRevision);

    await root.expectSuccess('PUT', '/api/option/', { key: 'CacheRatio', value: '{"kept":0.5}' });
    expect(modes.list()).toEqual([]);
    expect(service.priceRevision).toBe(service.revision);
  });

  it('stores addresses without their trailing slashes, and each entry of a list once', async () => {
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ServerAddress', value: 'http://gate.example:3000///' },
      { key: 'EmailDomainWhitelist', value: 'a.com,B.com,a.com' },
    ]);
    expect(await valueOf('ServerAddress')).toBe('http://gate.example:3000');
    expect(await valueOf('EmailDomainWhitelist')).toBe('a.com,b.com');
    expect(app.app.get(OptionsService).values().EmailDomainWhitelist).toEqual(['a.com', 'b.com']);
    await put('ServerAddress', '');
  });

  it('takes what consoles of this family save with a tab, without an effect here', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'StreamCacheQueueLength', value: '64' });
    expect(await valueOf('StreamCacheQueueLength')).toBe('64');
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'ModelRequestRateLimitDurationMinutes',
      value: '0',
    });
  });

  it('returns the addresses of the first two chats to clients with two fields for them, and minutes of the dashboard', async () => {
    const status = async () => (await new ApiClient(app.url).get('/api/status')).body.data;
    expect(await status()).toMatchObject({ chat_link: '', chat_link2: '', data_export_interval: 5 });
    await root.expectSuccess('PUT', '/api/option/', [
      {
        key: 'Chats',
        value: '[{"A":"https://a.example/?k={key}"},{"B":"http://10.0.0.5:3000/#{key}"},{"C":"c://x"}]',
      },
      { key: 'DataExportInterval', value: 15 },
    ]);
    expect(await status()).toMatchObject({
      chat_link: 'https://a.example/?k={key}',
      chat_link2: 'http://10.0.0.5:3000/#{key}',
      data_export_interval: 15,
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'Chats', value: '[]' });
  });

  it('offers no group where the administrator offers none; a token without one goes by its account', async () => {
    const before = await valueOf('UserUsableGroups');
    const user = await signUp(root, { username: 'ungrouped' });
    await root.expectSuccess('PUT', '/api/option/', { key: 'UserUsableGroups', value: '{}' });
    expect(await user.expectSuccess('GET', '/api/user/self/groups')).toEqual({});
    await user.expectSuccess('POST', '/api/token/', {
      name: 'own',
      remain_quota: 0,
      unlimited_quota: true,
      expired_time: -1,
      group: '',
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'UserUsableGroups', value: before });
  });

  it('content routes answer text, never null', async () => {
    for (const path of ['/api/notice', '/api/about', '/api/home_page_content']) {
      expect((await new ApiClient(app.url).get(path)).body).toEqual({ success: true, message: '', data: '' });
    }
  });

  it('groups: all names for administrators, usable ones for the rest, never an empty name [PRICE-101]', async () => {
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'GroupRatio',
      value: '{"default":1,"vip":0.8,"hidden":2}',
    });
    const user = await signUp(root, { username: `grouped` });
    expect(await root.expectSuccess('GET', '/api/group/')).toEqual(['default', 'vip', 'hidden']);
    const usable = { default: { ratio: 1, desc: 'Default group' }, vip: { ratio: 0.8, desc: 'VIP group' } };
    expect((await new ApiClient(app.url).get('/api/user/groups')).body.data).toEqual(usable);
    expect(await user.expectSuccess('GET', '/api/user/self/groups')).toEqual(usable);
    await root.expectSuccess('PUT', '/api/user/', { id: user.userId, group: 'hidden' });
    expect(await user.expectSuccess('GET', '/api/user/self/groups/')).toEqual({
      ...usable,
      hidden: { ratio: 2, desc: 'Your group' },
    });
  });
});

describe('options of two instances', () => {
  it('converge within a second over Redis [F-40]', async () => {
    const database = await createTestDatabase('postgres');
    const env = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() };
    const first = await startTestApp({ env });
    const second = await startTestApp({ env });
    try {
      const root = await setUpRoot(first);
      const options = second.app.get(OptionsService);
      const changed = new Promise<void>((resolve) => {
        options.onChange(() => {
          if (options.values().RetryTimes === 5) resolve();
        });
      });
      const startedAt = performance.now();
      await root.expectSuccess('PUT', '/api/option/', { key: 'RetryTimes', value: 5 });
      await changed;
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(options.revision).toBe(first.app.get(OptionsService).revision);
      expect((await new ApiClient(second.url).get('/api/user/self', root.headers)).body.success).toBe(true);
    } finally {
      await first.close();
      await second.close();
      await database.drop();
    }
  });
});
