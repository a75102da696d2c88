import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase } from '../../../support/database.ts';

interface Line {
  readonly type: number;
  readonly username: string;
  readonly content: string;
  readonly quota: number;
  readonly other: string;
}

describe('lines of the log that are no calls', () => {
  let app: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase('sqlite');
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    ann = await signUp(root, { username: 'ann' });
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const newest = async (client: ApiClient, path = '/api/log/self'): Promise<Line & { event: unknown }> => {
    const { items } = await client.expectSuccess<{ items: Line[] }>('GET', `${path}?p=1&page_size=1`);
    const line = items[0];
    if (line === undefined) throw new Error('the log is empty');
    return { ...line, event: (JSON.parse(line.other) as { event?: unknown }).event };
  };
  const adjust = (more: object) =>
    root.expectSuccess('POST', '/api/user/manage', { id: ann.userId, action: 'add_quota', ...more });

  it('shows the owner the amount, the old and the new balance and the reason, and the actor to administrators only', async () => {
    await adjust({ mode: 'add', value: 900 });
    await adjust({ mode: 'subtract', value: 400, reason: 'typed a nought too many' });
    const { event, content, type } = await newest(ann);
    expect(type).toBe(3);
    expect(content).toBe('An administrator add_quota -400 from 900 to 500 (typed a nought too many)');
    const moved = { quota: -400, quota_after: 500, reason: 'typed a nought too many' };
    expect(event).toEqual({ code: 'user.add_quota', ...moved });
    const seenByRoot = await newest(root, '/api/log/');
    expect(seenByRoot.content).toBe(
      `Administrator root (id ${root.userId}) add_quota -400 from 900 to 500 (typed a nought too many)`,
    );
    expect(seenByRoot.event).toEqual({
      code: 'user.add_quota',
      operator: 'root',
      operator_id: root.userId,
      ...moved,
    });
  });

  it('names the fields of an account that were edited, never a password', async () => {
    await root.expectSuccess('PUT', '/api/user/', {
      id: ann.userId,
      display_name: 'Ann of the harbour',
      password: 'another long password',
    });
    const { event, other, content } = await newest(root, '/api/log/');
    expect(event).toMatchObject({ code: 'user.edit', members: ['displayName', 'password'] });
    expect(`${other}${content}`).not.toContain('another long password');
  });

  it('names a redeemed code by its id', async () => {
    const [key = ''] = await root.expectSuccess<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 70,
      count: 1,
      expired_time: 0,
    });
    await root.expectSuccess('POST', '/api/user/topup', { key });
    const { event, quota, type } = await newest(root);
    expect({ event, quota, type }).toEqual({
      event: { code: 'redeemed', redemption_id: 1 },
      quota: 70,
      type: 1,
    });
  });

  it('distinguishes kinds of gifts', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'QuotaForNewUser', value: 30 });
    expect((await newest(root)).event).toEqual({
      code: 'option.change',
      operator: 'root',
      operator_id: root.userId,
      members: ['QuotaForNewUser'],
    });
    const eve = await signUp(root, { username: 'eve' });
    const { items } = await eve.expectSuccess<{ items: Line[] }>(
      'GET',
      '/api/log/self?p=1&page_size=10&type=4',
    );
    expect(items.map(({ other, quota }) => [JSON.parse(other), quota])).toEqual([
      [{ event: { code: 'grant_new' } }, 30],
    ]);
  });

  it('names changed channels and the changed fields', async () => {
    const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: 'upstream',
      key: 'sk-x',
      models: 'm',
      tag: 'eu',
    });
    expect((await newest(root)).event).toMatchObject({ code: 'channel.create', channel_ids: ids });
    await root.expectSuccess('PUT', '/api/channel/', { id: ids[0], priority: 4 });
    expect((await newest(root)).event).toMatchObject({
      code: 'channel.update',
      channel_ids: ids,
      members: ['priority'],
    });
    await root.expectSuccess('POST', '/api/channel/tag/disabled', { tag: 'eu' });
    expect((await newest(root)).event).toMatchObject({
      code: 'channel.tag-status',
      tag: 'eu',
      count: 1,
      status: 2,
    });
  });
});
