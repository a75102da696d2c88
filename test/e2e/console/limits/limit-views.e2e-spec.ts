import { randomUUID } from 'node:crypto';
import { Like } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceEntity } from '../../../../server/base/billing/ledger/instance.entity.js';
import { LimitEntity } from '../../../../server/base/limits/limit.entity.js';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

interface Limit {
  readonly id: number;
}

/** Never ends while the test runs. */
const RULE = { measure: 'tokens', period: 'ever', amount: 100 };

describe.each(DATABASE_KINDS)('what accounts see of limits on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let user: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    user = await signUp(root, { username: 'ada' });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const tokenOf = async (client: ApiClient): Promise<string> => {
    await client.expectSuccess('POST', '/api/token/', { name: 'key', remain_quota: 5, expired_time: -1 });
    const [token] = await app.dataSource
      .getRepository(TokenEntity)
      .find({ where: { userId: client.userId }, order: { id: 'DESC' }, take: 1 });
    return String(token?.id);
  };
  const make = (client: ApiClient, wish: Record<string, unknown>): Promise<number> =>
    client.expectSuccess('POST', '/api/limits', { ...RULE, scope: 'token', ...wish });
  const use = async (limitId: number, used: number): Promise<void> => {
    const row = { limitId, value: '', periodStartMs: 0, kind: 'use' as const, used, calls: 1 };
    await app.dataSource.getRepository(LimitUseEntity).insert(row);
  };

  it('shows accounts the limits of the groups their tokens run in, and of no other group', async () => {
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'GroupRatio', value: '{"default":1,"fast":1,"slow":1}' },
      { key: 'UserUsableGroups', value: '{"default":"default","fast":"fast"}' },
    ]);
    await user.expectSuccess('POST', '/api/token/', {
      name: 'fast key',
      remain_quota: 5,
      expired_time: -1,
      group: 'fast',
    });
    const inGroup = (scope: string, subject: string) => make(root, { scope, subject, name: subject });
    const shown = [await inGroup('call_group', 'fast'), await inGroup('group', 'default')];
    const hidden = [await inGroup('group', 'fast'), await inGroup('call_group', 'slow')];
    const seen = new Set((await user.expectSuccess<Limit[]>('GET', '/api/limits/self')).map(({ id }) => id));
    expect([shown.map((id) => seen.has(id)), hidden.map((id) => seen.has(id))]).toEqual([
      [true, true],
      [false, false],
    ]);
    const drop = { key: 'GroupRatio', value: '{"default":1,"fast":1}' };
    const refused = await root.put('/api/option/', drop);
    expect(refused.body).toMatchObject({ success: false, code: 'option_group_limited' });
    expect(refused.body.message).toContain(`"slow" (${hidden[1]})`);
    await root.expectSuccess('DELETE', `/api/limits/${hidden[1]}`);
    await root.expectSuccess('PUT', '/api/option/', drop);
  });

  it('finds what is nearly used up among more limits than one statement takes', async () => {
    const id = await make(root, {
      scope: 'everyone',
      subject: '',
      name: 'one of many',
      measure: 'output_tokens',
    });
    await use(id, 95);
    const limits = app.dataSource.getRepository(LimitEntity);
    const row = await limits.findOneByOrFail({ id });
    const many = Array.from({ length: 1_100 }, (_, index) => ({
      ...row,
      id: undefined,
      name: `many ${index}`,
      scope: 'tag' as const,
      subject: `tag ${index}`,
      enabled: false,
    }));
    for (let from = 0; from < many.length; from += 100) await limits.insert(many.slice(from, from + 100));
    const { items } = await root.expectSuccess<{ items: { name: string }[] }>(
      'GET',
      '/api/limits?near=true&keyword=many',
    );
    expect(items.map(({ name }) => name)).toEqual(['one of many']);
    await limits.delete({ name: Like('many %') });
    await limits.delete({ id });
  });

  it('warns on the dashboard of limits near their end: the account of its own, administrators of all', async () => {
    const near = (who: ApiClient) =>
      who
        .expectSuccess<{ kind: string; limit_name?: string }[]>('GET', '/api/data/warnings')
        .then((warnings) => warnings.filter(({ kind }) => kind === 'near-limit'));
    const late = await signUp(root, { username: 'late' });
    const subject = await tokenOf(late);
    const id = await make(root, { subject, name: 'nearly', amount: 100 });
    await make(root, { subject, name: 'far', measure: 'requests', amount: 100 });
    await use(id, 92);
    const shared = await make(root, {
      scope: 'everyone',
      subject: '',
      name: 'of all',
      measure: 'tokens',
      amount: 10,
    });
    await use(shared, 10);
    expect(await near(late)).toMatchObject([{ limit_id: id, limit_name: 'nearly', percent: 92 }]);
    const names = (await near(root)).map(({ limit_name: name }) => name);
    expect(names).toEqual(expect.arrayContaining(['nearly', 'of all']));
    expect(names).not.toContain('far');
  });

  it('does not report that limits hold while a worker of an earlier version lives', async () => {
    const isBinding = async () =>
      (await user.expectSuccess<{ binding: boolean }>('GET', '/api/limits/rights')).binding;
    expect(await isBinding()).toBe(true);
    const instances = app.dataSource.getRepository(InstanceEntity);
    const [own] = await instances.find({ take: 1 });
    const bootId = randomUUID();
    await instances.insert({
      bootId,
      host: 'h',
      startedAtMs: 1,
      lastSeenMs: own?.lastSeenMs ?? 0,
      storeId: null,
    });
    expect(await isBinding()).toBe(false);
    await instances.update({ bootId }, { lastSeenMs: (own?.lastSeenMs ?? 0) - 120_000 });
    expect(await isBinding()).toBe(true);
    await instances.delete({ bootId });
  });
});
