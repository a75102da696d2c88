import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

interface Channel {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly priority: number;
}

describe.each(DATABASE_KINDS)('several channels at once on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let ids: number[];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'admin', role: 'admin' });
    const created = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: 'Batch',
      mode: 'batch',
      key: 'sk-one\nsk-two\nsk-three',
      models: 'gpt-4o',
      group: 'default',
    });
    ids = created.ids;
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const read = async (): Promise<Channel[]> => {
    const rows = await admin.expectSuccess<Channel[]>('GET', '/api/channel?p=0&page_size=10&id_sort=true');
    return rows.toSorted((left, right) => left.id - right.id);
  };

  it('gives the channels of three keys distinct names', async () => {
    expect((await read()).map(({ name }) => name)).toEqual(['Batch', 'Batch 2', 'Batch 3']);
  });

  it('disables and enables the listed channels alone, and records the actor', async () => {
    const [first = 0, second = 0] = ids;
    const path = '/api/channel/batch/status';
    expect(await admin.expectSuccess('POST', path, { ids: [first, second], status: 2 })).toBe(2);
    expect((await read()).map(({ status }) => status)).toEqual([2, 2, 1]);
    expect(await admin.expectSuccess('POST', path, { ids: [first, 999_999], status: 1 })).toBe(1);
    expect((await read()).map(({ status }) => status)).toEqual([1, 2, 1]);
    const { items } = await root.expectSuccess<{ items: { action: string; detail: string }[] }>(
      'GET',
      '/api/audit/?p=1&page_size=10&action=channel.update',
    );
    expect(items.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([
      expect.objectContaining({ text: `Enabled channels ${first}, 999999` }),
      expect.objectContaining({ text: `Disabled channels ${first}, ${second}` }),
    ]);
  });

  it('sets one priority', async () => {
    const path = '/api/channel/batch/priority';
    expect(await admin.expectSuccess('POST', path, { ids: ids.slice(1), priority: 7 })).toBe(2);
    expect((await read()).map(({ priority }) => priority)).toEqual([0, 7, 7]);
  });

  it.each([
    ['status', { ids: [], status: 1 }],
    ['status', { ids: [1], status: 3 }],
    ['priority', { ids: [1], priority: 1.5 }],
  ])('refuses batch/%s with %j', async (name, body) => {
    const reply = await admin.post(`/api/channel/batch/${name}`, body);
    expect(reply.body).toMatchObject({ success: false, code: 'malformed_input' });
  });
});
