import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { periodAt } from '../../../../server/base/limits/calendar-periods.js';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import type { Notice } from '../../../../server/base/notifications/notice.js';
import { Notifier } from '../../../../server/base/notifications/notifier.js';
import { LimitWarningEntity } from '../../../../server/console/limits/limit-warning.entity.js';
import { LimitWarnings } from '../../../../server/console/limits/limit-warnings.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

interface Limit {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  readonly version: number;
  readonly subject_name: string;
  readonly may_change: boolean;
  readonly override: unknown;
  readonly use: {
    readonly used: number;
    readonly amount: number;
    readonly starts_at: number;
    readonly resets_at: number;
  } | null;
}

const UTC = [{ zone: 'UTC', fromMs: 0 }];
const HOUR_MS = 3_600_000;

/** A period of the calendar that neither began nor ends within an hour. */
function quietPeriod(nowMs: number) {
  const quiet = (['week', 'month', 'quarter', 'day'] as const).find((period) => {
    const { startsAtMs, resetsAtMs } = periodAt(period, nowMs, UTC);
    return nowMs - startsAtMs > HOUR_MS && (resetsAtMs ?? 0) - nowMs > HOUR_MS;
  });
  return quiet ?? 'week';
}

const PERIOD = quietPeriod(Date.now());
const CI = { scope: 'token', measure: 'quota', amount: 2_500_000, period: PERIOD, name: 'CI' };

describe.each(DATABASE_KINDS)('limits over the API on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let user: ApiClient;
  let other: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'warden', role: 'admin' });
    user = await signUp(root, { username: 'ada' });
    other = await signUp(root, { username: 'bob' });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const codeOf = async (reply: Promise<{ body: { code?: string } }>) => (await reply).body.code;
  const tokenOf = async (client: ApiClient): Promise<string> => {
    await client.expectSuccess('POST', '/api/token/', { name: 'key', remain_quota: 5, expired_time: -1 });
    const [token] = await app.dataSource
      .getRepository(TokenEntity)
      .find({ where: { userId: client.userId }, order: { id: 'DESC' }, take: 1 });
    return String(token?.id);
  };
  const make = (client: ApiClient, wish: Record<string, unknown>): Promise<number> =>
    client.expectSuccess('POST', '/api/limits', { ...CI, ...wish });
  const read = (id: number): Promise<Limit> => root.expectSuccess('GET', `/api/limits/${id}`);
  const acts = () =>
    app.dataSource
      .getRepository(AuditEventEntity)
      .find({ where: { targetType: 'limit' }, order: { sequence: 'ASC' } });
  const use = async (id: number, used: number, value = ''): Promise<void> => {
    const limit = await read(id);
    const start = limit.use?.starts_at;
    const periodStartMs = start === undefined ? periodAt(PERIOD, Date.now(), UTC).startsAtMs : start * 1_000;
    await app.dataSource
      .getRepository(LimitUseEntity)
      .insert({ limitId: id, value, periodStartMs, kind: 'use', used, calls: 1 });
  };

  it('makes, changes and deletes a limit, each in the audit log', async () => {
    const before = (await acts()).length;
    const subject = await tokenOf(user);
    const id = await make(root, { subject, warn_at: [80] });
    expect(await read(id)).toMatchObject({
      ...CI,
      subject,
      subject_name: 'key',
      warn_at: [80],
      version: 1,
      may_change: true,
      use: { used: 0, amount: 2_500_000 },
    });
    await root.expectSuccess('PUT', `/api/limits/${id}`, { amount: 5_000_000, version: 1 });
    expect(await codeOf(root.put(`/api/limits/${id}`, { amount: 1, version: 1 }))).toBe('limit_changed');
    expect(await read(id)).toMatchObject({ amount: 5_000_000, version: 2 });
    await root.expectSuccess('DELETE', `/api/limits/${id}`);
    expect(await codeOf(root.get(`/api/limits/${id}`))).toBe('not_found');
    const rows = (await acts()).slice(before);
    expect(rows.map(({ action }) => action)).toEqual(['limit.create', 'limit.update', 'limit.delete']);
    expect(JSON.parse(rows[1]?.detail ?? '')).toEqual({
      name: 'CI',
      amount_before: 2_500_000,
      amount_after: 5_000_000,
    });
  });

  it('refuses bad input with the field that is wrong', async () => {
    const subject = await tokenOf(user);
    const ask = (wish: Record<string, unknown>) =>
      codeOf(root.post('/api/limits', { ...CI, subject, ...wish }));
    expect(await ask({ amount: -1 })).toBe('limit_amount_range');
    expect(await ask({ amount: 2 ** 53 })).toBe('limit_amount_range');
    expect(await ask({ scope: 'planet' })).toBe('malformed_input');
    expect(await ask({ period: 'decade' })).toBe('malformed_input');
    expect(await ask({ period: '' })).toBe('limit_field');
    expect(await ask({ subject: '2147483000' })).toBe('limit_subject_unknown');
    expect(await ask({ subject: '99999999999999999999' })).toBe('limit_subject_unknown');
    expect(await ask({ scope: 'group', subject: 'nowhere' })).toBe('limit_subject_unknown');
    expect(await ask({ scope: 'channel', subject: '77', action: 'pass_over' })).toBe('limit_subject_unknown');
    expect(await ask({ scope: 'tag', subject: 'x', account_id: 2_000_000_000 })).toBe(
      'limit_subject_unknown',
    );
    expect(await ask({ warn_at: [0] })).toBe('limit_warn_at');
    expect(await ask({ name: '' })).toBe('limit_name_length');
    expect(await ask({ action: 'cheaper_model' })).toBe('limit_field');
    expect(await ask({ fallback_model: 'small' })).toBe('limit_field');
    await make(root, { subject });
    expect(await ask({ amount: 9 })).toBe('limit_twice');
    const reply = await root.post('/api/limits', { ...CI, subject, amount: 'five' });
    expect(reply.body.message).toContain('amount');
  });

  it('lets users limit their own tokens and end users, and nothing else', async () => {
    const [mine, theirs] = [await tokenOf(user), await tokenOf(other)];
    const ask = (client: ApiClient, wish: Record<string, unknown>) =>
      codeOf(client.post('/api/limits', { ...CI, ...wish }));
    const id = await make(user, { subject: mine });
    await make(user, { scope: 'end_user', subject: '', each: true, name: 'customers' });
    expect(await ask(user, { subject: theirs })).toBe('limit_subject_unknown');
    expect(await ask(user, { subject: '2147483000' })).toBe('limit_subject_unknown');
    expect(await ask(user, { scope: 'account', subject: String(user.userId) })).toBe('not_permitted');
    expect(await ask(user, { scope: 'everyone', subject: '' })).toBe('not_permitted');
    expect(await ask(user, { subject: '', each: true })).toBe('not_permitted');
    expect(await ask(user, { scope: 'end_user', subject: 'x', account_id: other.userId })).toBe(
      'limit_subject_unknown',
    );
    for (const call of [
      (path: string) => other.put(path, { amount: 1 }),
      (path: string) => other.delete(path),
      (path: string) => other.put(`${path}/override`, { amount: 1, reason: 'x' }),
      (path: string) => other.delete(`${path}/override`),
      (path: string) => other.post(`${path}/reset`, { reason: 'x' }),
      (path: string) => other.get(`${path}/history`),
    ]) {
      const [foreign, missing] = [await call(`/api/limits/${id}`), await call('/api/limits/2147483000')];
      expect(foreign.body).toEqual(missing.body);
      expect(foreign.body.code).toBe('not_found');
    }
    expect(await codeOf(user.get('/api/limits'))).toBe('not_permitted');
  });

  it('never lets users go above limits that others set, nor change those', async () => {
    const subject = await tokenOf(user);
    const set = await make(root, { subject, name: 'team' });
    const ask = (amount: number) => codeOf(user.post('/api/limits', { ...CI, subject, amount, name: 'own' }));
    expect(await ask(2_500_001)).toBe('limit_above_others');
    const own = await make(user, { subject, amount: 2_000_000, name: 'own' });
    expect(await codeOf(user.put(`/api/limits/${own}`, { amount: 2_500_001 }))).toBe('limit_above_others');
    expect(await codeOf(user.put(`/api/limits/${own}/override`, { amount: 2_500_001, reason: 'x' }))).toBe(
      'limit_above_others',
    );
    expect(await codeOf(user.put(`/api/limits/${set}`, { amount: 1 }))).toBe('limit_not_yours');
    expect(await codeOf(user.delete(`/api/limits/${set}`))).toBe('limit_not_yours');
    const seen = await user.expectSuccess<Limit[]>('GET', `/api/limits/self?token_id=${subject}`);
    const shown = seen.filter(({ name }) => name === 'team' || name === 'own');
    expect(shown.map(({ name, may_change: may }) => [name, may])).toEqual([
      ['team', false],
      ['own', true],
    ]);
  });

  it('lets administrators of the section set limits of accounts below them only', async () => {
    const rights = (client: ApiClient) =>
      client.expectSuccess<{ scopes: string[] }>('GET', '/api/limits/rights');
    expect((await rights(admin)).scopes).toContain('everyone');
    expect((await rights(user)).scopes).toEqual(['token', 'end_user']);
    const account = (client: ApiClient) => ({
      scope: 'account',
      subject: String(client.userId),
      name: 'account',
    });
    await make(admin, account(other));
    expect(await codeOf(admin.post('/api/limits', { ...CI, ...account(root) }))).toBe('user_out_of_reach');
    const set = await make(root, account(admin));
    expect(await codeOf(admin.delete(`/api/limits/${set}`))).toBe('limit_not_yours');
    await root.expectSuccess('PUT', '/api/option/', { key: 'AdministratorSections', value: 'content' });
    expect(await codeOf(admin.post('/api/limits', { ...CI, ...account(user) }))).toBe('not_permitted');
    expect((await rights(admin)).scopes).toEqual(['token', 'end_user']);
  });

  it('shows before saving what the running period has, and makes nothing', async () => {
    const input = { ...CI, subject: await tokenOf(user) };
    expect(await user.expectSuccess('POST', '/api/limits/preview', input)).toEqual({ used: 0, values: 0 });
    expect(await codeOf(other.post('/api/limits/preview', input))).toBe('limit_subject_unknown');
    const { items } = await root.expectSuccess<{ items: unknown[] }>(
      'GET',
      `/api/limits?subject=${input.subject}`,
    );
    expect(items).toEqual([]);
  });

  it('shows no use of limits over several accounts to users', async () => {
    const id = await make(root, { scope: 'everyone', subject: '', name: 'all' });
    await use(id, 77);
    const seen = await user.expectSuccess<Limit[]>('GET', '/api/limits/self');
    expect(seen.find((limit) => limit.id === id)).toMatchObject({ name: 'all', use: null, uses: [] });
    expect((await read(id)).use?.used).toBe(77);
  });

  it('overrides an amount until the period ends, and ends that early', async () => {
    const id = await make(root, { subject: await tokenOf(user) });
    expect(await codeOf(root.put(`/api/limits/${id}/override`, { amount: 1 }))).toBe('limit_reason');
    await root.expectSuccess('PUT', `/api/limits/${id}/override`, { amount: 9_000_000, reason: 'launch' });
    const limit = await read(id);
    expect(limit).toMatchObject({
      amount: 2_500_000,
      override: { amount: 9_000_000, by: root.userId, reason: 'launch', until: limit.use?.resets_at },
      use: { amount: 9_000_000 },
    });
    await root.expectSuccess('DELETE', `/api/limits/${id}/override`);
    expect(await read(id)).toMatchObject({ override: null, use: { amount: 2_500_000 } });
    const [set, ended] = (await acts()).slice(-2);
    expect([set?.action, ended?.action]).toEqual(['limit.override', 'limit.override_end']);
    expect(JSON.parse(set?.detail ?? '')).toMatchObject({ reason: 'launch', amount_after: 9_000_000 });
    const endless = await make(root, { scope: 'everyone', subject: '', measure: 'requests', period: 'ever' });
    expect(await codeOf(root.put(`/api/limits/${endless}/override`, { amount: 1, reason: 'x' }))).toBe(
      'limit_override_endless',
    );
  });

  it('resets the use of one window, which moves no date', async () => {
    const id = await make(root, { subject: await tokenOf(user) });
    expect(await codeOf(root.post(`/api/limits/${id}/reset`, { reason: 'refund' }))).toBe(
      'limit_reset_nothing',
    );
    await use(id, 1_000);
    const before = await read(id);
    expect(before.use?.used).toBe(1_000);
    await root.expectSuccess('POST', `/api/limits/${id}/reset`, { reason: 'refund' });
    const after = await read(id);
    expect(after.use).toMatchObject({ used: 0, resets_at: before.use?.resets_at });
    const [row] = (await acts()).slice(-1);
    expect([row?.action, JSON.parse(row?.detail ?? '')]).toMatchObject([
      'limit.reset',
      { amount: 1_000, reason: 'refund' },
    ]);
    const history = await root.expectSuccess<{ periods: { used: number; calls: number }[] }>(
      'GET',
      `/api/limits/${id}/history`,
    );
    expect(history.periods).toMatchObject([{ used: 0, calls: 1 }]);
  });

  it('warns once for each period and share, however many instances look at once', async () => {
    const id = await make(root, {
      subject: await tokenOf(user),
      name: 'warned',
      amount: 100,
      warn_at: [50, 80, 100],
    });
    const notices: Notice[] = [];
    const notify = jest
      .spyOn(app.app.get(Notifier, { strict: false }), 'notify')
      .mockImplementation(async (to, notice) => {
        if (to.id === user.userId) notices.push(notice);
      });
    const look = () =>
      Promise.all(Array.from({ length: 5 }, () => app.app.get(LimitWarnings, { strict: false }).run()));
    await look();
    expect(notices).toEqual([]);
    await use(id, 85);
    await look();
    await look();
    notify.mockRestore();
    expect(new Set(notices.map((notice) => (notice.kind === 'limit-near' ? notice.name : '')))).toEqual(
      new Set(['warned']),
    );
    const sent = await app.dataSource.getRepository(LimitWarningEntity).find({ where: { limitId: id } });
    expect(sent.map(({ percent }) => percent).toSorted((a, b) => a - b)).toEqual([50, 80]);
    // Two instances may each note one of the two shares: no share is sent twice.
    expect(notices.length).toBeGreaterThanOrEqual(1);
    expect(notices.length).toBeLessThanOrEqual(2);
  });

  it('finds limits by name and scope, and those that are nearly used up', async () => {
    const id = await make(root, { subject: await tokenOf(user), name: 'near_it', amount: 100 });
    await make(root, { subject: await tokenOf(user), name: 'nearxit', amount: 100 });
    await use(id, 80);
    const list = async (query: string) =>
      (await root.expectSuccess<{ items: Limit[] }>('GET', `/api/limits?${query}`)).items.map(
        ({ name }) => name,
      );
    expect(await list('keyword=NEAR_')).toEqual(['near_it']);
    expect(await list('near=true&keyword=near')).toEqual(['near_it']);
    expect(await list('scope=channel')).toEqual([]);
  });

  it('names the values of a limit for each', async () => {
    const [first, second] = [await tokenOf(user), await tokenOf(other)];
    const id = await make(root, { subject: '', each: true, name: 'every key', measure: 'requests' });
    await use(id, 5, first);
    await use(id, 9, second);
    expect((await read(id)).use).toMatchObject({ value: second, value_name: 'key', used: 9 });
    const seen = await user.expectSuccess<{ id: number; uses: { value: string; used: number }[] }[]>(
      'GET',
      '/api/limits/self',
    );
    const own = seen.find((limit) => limit.id === id)?.uses ?? [];
    expect(own[0]).toMatchObject({ value: first, used: 5 });
    expect(own.map(({ value }) => value)).not.toContain(second);
    expect(await codeOf(root.post(`/api/limits/${id}/reset`, { reason: 'x' }))).toBe('limit_field');
    await root.expectSuccess('POST', `/api/limits/${id}/reset`, { value: second, reason: 'x' });
    expect((await read(id)).use).toMatchObject({ value: first, used: 5 });
  });
});
