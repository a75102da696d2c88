import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TagTotalEntity } from '../../../../server/base/billing/ledger/tag-total.entity.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { DeregisteredAccounts } from '../../../../server/base/users/deregistered-accounts.service.js';
import { LogTagEntity } from '../../../../server/base/logs/log-tag.entity.js';
import { LogRetention } from '../../../../server/base/logs/log-retention.js';
import type { TagUseView } from '../../../../server/console/dashboard/dto/tag-use.dto.js';
import { UseRetention } from '../../../../server/console/dashboard/use-retention.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';
import { until } from '../../../support/until.ts';

const MODEL = 'fx-std';
const DAY = 86_400;
const LONG = 'x'.repeat(1_000);

interface Line {
  readonly tags: string;
  readonly end_user: string;
  readonly quota: number;
  readonly user_id: number;
}

const MESSAGES = [{ role: 'user', content: 'hello' }];
const BODIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { model: MODEL, messages: MESSAGES },
  '/v1/responses': { model: MODEL, input: 'hello' },
  '/v1/messages': { model: MODEL, messages: MESSAGES, max_tokens: 5 },
  [`/v1beta/models/${MODEL}:generateContent`]: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
};

/** Address and shape of an error of each client API. */
const APIS = [
  ['/v1/chat/completions', { error: { code: 'end_user_required', param: 'user' } }],
  ['/v1/responses', { error: { code: 'end_user_required' } }],
  ['/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
  [`/v1beta/models/${MODEL}:generateContent`, { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
] as const;

describe.each(DATABASE_KINDS)('tags and end users on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let clock: ShiftedClock;
  let upstream: FakeUpstream;
  let admin: GatewayConsole;
  let ann: GatewayConsole;
  let bob: GatewayConsole;
  let annKey: string;
  let bobKey: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    upstream = await FakeUpstream.start({ isLenient: true });
    clock = new ShiftedClock();
    app = await startTestApp({ env: { DATABASE_URL: database.url }, clock });
    // Noon in UTC: no day ends while a test runs.
    clock.advance(DAY * 500 - (clock.nowMs() % (DAY * 1_000)));
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions({ ...FX_PRICES([MODEL]), TagValuesPerDay: 5 });
    await admin.addChannel({
      base_url: upstream.url,
      models: [MODEL],
      header_override: JSON.stringify({ '*': '' }),
    });
    ann = await admin.addUser('ann', 1_000_000_000);
    bob = await admin.addUser('bob', 1_000_000_000);
    ({ key: annKey } = await ann.addToken());
    ({ key: bobKey } = await bob.addToken());
  });
  afterAll(async () => {
    await app?.close();
    await upstream?.close();
    await database?.drop();
  });

  async function call(
    key: string,
    headers: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
    path = '/v1/chat/completions',
  ) {
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...BODIES[path], ...more }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      warnings: answer.headers.get('x-tollgate-warnings'),
      id: answer.headers.get('x-request-id') ?? '',
    };
  }

  const lines = async (reader: GatewayConsole, query: string): Promise<readonly Line[]> =>
    (await reader.send<{ items: Line[] }>('GET', query)).items;
  const lineOf = async (id: string): Promise<Line | undefined> => {
    await until(async () => (await lines(admin, `/api/log?request_id=${id}`)).length > 0);
    return (await lines(admin, `/api/log?request_id=${id}`))[0];
  };
  const countsOf = ({ rows }: TagUseView) =>
    Object.fromEntries(rows.map(({ username, value, count }) => [`${username}/${value}`, count]));

  it.each(APIS.map(([path]) => path))('reads headers at %s and passes none of them on', async (path) => {
    const before = upstream.journal.length;
    const { status, id, warnings } = await call(
      annKey,
      { 'x-tollgate-tags': 'api', 'x-litellm-tags': 'api', 'x-tollgate-end-user': 'eve' },
      {},
      path,
    );
    expect({ status, warnings }).toEqual({ status: 200, warnings: null });
    expect(await lineOf(id)).toMatchObject({ tags: 'api', end_user: 'eve' });
    for (const entry of upstream.journal.slice(before))
      for (const name of ['x-tollgate-tags', 'x-litellm-tags', 'x-tollgate-end-user'])
        expect(entry.headers).not.toHaveProperty(name);
  });

  it.each([
    ['1,000 characters', { user: LONG }, { end_user: 'x'.repeat(64) }, 'user'],
    ['control characters', { user: 'a\u0000\u001bb' }, { end_user: 'ab' }, null],
    ['half a surrogate pair', { user: 'a\ud800b' }, { end_user: 'a\ufffdb' }, 'body'],
    ['emoji', { user: '😀'.repeat(70) }, { end_user: '😀'.repeat(64) }, 'user'],
    ['an object', { user: { id: 'x' } }, { end_user: '' }, null],
    ['a list', { user: ['x'], metadata: [1] }, { end_user: '' }, null],
    ['a tag twice', { metadata: { tags: ['a', 'a', ' a '] } }, { tags: 'a' }, null],
    ['text of a formula', { metadata: { tags: ['=1+1'] } }, { tags: '=1+1' }, null],
  ] as const)('takes a body with %s', async (_what, body, expected, warnings) => {
    const answer = await call(bobKey, {}, body);
    expect({ status: answer.status, warnings: answer.warnings }).toEqual({ status: 200, warnings });
    expect(await lineOf(answer.id)).toMatchObject(expected);
  });

  it('takes headers sent twice, with bytes that are no UTF-8 and with 1,000 characters', async () => {
    const body = JSON.stringify(BODIES['/v1/chat/completions']);
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.on('data', (part: Buffer) => (heard += part.toString('latin1')));
    const head = [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${bobKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Tollgate-Tags: twice,caf\u00e9',
      `X-Tollgate-Tags: twice, ${LONG}`,
      'X-Tollgate-End-User: \u00ff\u00fe',
      'X-Tollgate-End-User: \u00ff\u00fe',
    ].join('\r\n');
    socket.write(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'));
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
    expect(heard.toLowerCase()).toContain('x-tollgate-warnings: x-tollgate-tags');
    const id = /x-request-id: (\S+)/i.exec(heard)?.[1] ?? '';
    expect(await lineOf(id)).toMatchObject({ tags: `twice,café,${'x'.repeat(64)}`, end_user: 'ÿþ' });
  });

  it('puts the tags of a token on every call, and refuses tags a token cannot have', async () => {
    const { key } = await ann.addToken({ tags: 'Fixed, Fixed , 团队' });
    expect(await lineOf((await call(key, { 'x-tollgate-tags': 'own' })).id)).toMatchObject({
      tags: 'Fixed,团队,own',
    });
    expect(await lineOf((await call(key)).id)).toMatchObject({ tags: 'Fixed,团队' });
    for (const tags of [LONG, Array.from({ length: 11 }, (_, index) => `t${index}`)]) {
      const refused = await ann.sendRaw<{ message: string }>('POST', '/api/token/', { name: 'x', tags });
      expect(refused).toMatchObject({ success: false, message: expect.stringContaining('tags') as unknown });
    }
  });

  it.each(APIS)(
    'refuses at %s a call that names no end user where its token needs one',
    async (path, error) => {
      const { key } = await ann.addToken({ needs_end_user: true });
      const before = upstream.journal.length;
      const refused = await call(key, {}, {}, path);
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.text)).toMatchObject(error);
      expect(refused.text).toContain('x-tollgate-end-user');
      expect(upstream.journal.length).toBe(before);
      expect((await call(key, { 'x-litellm-end-user-id': 'eve' }, {}, path)).status).toBe(200);
    },
  );

  it('keeps both members of a token that an edit does not name', async () => {
    const { id } = await ann.addToken({ tags: 'kept', needs_end_user: true });
    await ann.send('PUT', '/api/token/', { id, name: 'renamed' });
    expect(await ann.send('GET', `/api/token/${id}`)).toMatchObject({ tags: 'kept', needs_end_user: true });
  });

  it('finds lines by tag and end user, of the own account alone', async () => {
    const mine = await call(annKey, { 'x-tollgate-tags': 'shared,mine', 'x-tollgate-end-user': 'zoe' });
    const other = await call(bobKey, { 'x-tollgate-tags': 'shared', 'x-tollgate-end-user': 'zoe' });
    await Promise.all([lineOf(mine.id), lineOf(other.id)]);
    for (const query of ['tag=shared', 'end_user=zoe', 'tag=shared&end_user=zoe']) {
      expect(await lines(admin, `/api/log?${query}`)).toHaveLength(2);
      expect(await lines(ann, `/api/log/self?${query}`)).toHaveLength(1);
      expect(await lines(ann, `/api/log/self?${query}&sort=quota`)).toHaveLength(1);
    }
    expect(await lines(bob, '/api/log/self?tag=mine')).toEqual([]);
    expect(await lines(ann, '/api/log/self?tag=share')).toEqual([]);
    expect(await lines(ann, `/api/log/self?tag=shared&end_timestamp=1000`)).toEqual([]);
    const stat = await ann.send<{ quota: number }>('GET', '/api/log/self/stat?tag=mine');
    expect(stat.quota).toBe((await lineOf(mine.id))?.quota);
  });

  it('exports tags and end users, a formula as text', async () => {
    const answer = await bob.fetch('GET', '/api/log/self/export?tag=%3D1%2B1', undefined, {});
    const [head, row] = (await answer.text()).split('\r\n');
    expect(head).toMatch(/,tags,end_user,amount_usd$/);
    expect(row).toMatch(/,'=1\+1,,\d\.\d{6}$/);
  });

  it('sums by account, and values above the bound as other', async () => {
    const carol = await admin.addUser('carol', 1_000_000_000);
    const { key } = await carol.addToken();
    for (let index = 0; index < 7; index += 1)
      await call(key, { 'x-tollgate-tags': `t${index},always`, 'x-tollgate-end-user': `u${index}` });
    const last = await call(key, { 'x-tollgate-tags': 't0' });
    await lineOf(last.id);
    const store = app.dataSource.getRepository(TagTotalEntity);
    const { id: userId } = await carol.send<{ id: number }>('GET', '/api/user/self');
    await until(async () => (await store.sum('count', { userId })) === 22);
    expect(await store.countBy({ userId, kind: 'tag' })).toBe(6);
    const counts = countsOf(await carol.send<TagUseView>('GET', '/api/data/self/tags'));
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(15);
    expect(counts).toMatchObject({ 'carol/t0': 2, 'carol/always': 7, '/': 3 });
    const users = countsOf(await carol.send<TagUseView>('GET', '/api/data/self/tags?by=end_user'));
    expect(users).toMatchObject({ 'carol/u0': 1, '/': 2 });
    const all = await admin.send<TagUseView>('GET', '/api/data/tags');
    expect(countsOf(all)).toMatchObject({ 'carol/always': 7, 'ann/mine': 1, 'bob/a': 1 });
    expect(await ann.sendRaw('GET', '/api/data/tags')).toMatchObject({ success: false });
    // The value stays on the line.
    expect(await lines(carol, '/api/log/self?tag=t6')).toHaveLength(1);
  });

  it('keeps values that a limit names out of other, those of the account and of all accounts', async () => {
    const dave = await admin.addUser('dave', 1_000_000_000);
    const { key } = await dave.addToken();
    const { id: userId } = await dave.send<{ id: number }>('GET', '/api/user/self');
    const { id: annId } = await ann.send<{ id: number }>('GET', '/api/user/self');
    for (const [subject, accountId] of [
      ['own', userId],
      ['shared', null],
      ['foreign', annId],
    ] as const)
      await admin.send('POST', '/api/limits', {
        name: subject,
        scope: 'tag',
        subject,
        account_id: accountId,
        measure: 'requests',
        amount: 1_000,
        period: 'week',
      });
    for (let index = 0; index < 5; index += 1) await call(key, { 'x-tollgate-tags': `d${index}` });
    const last = await call(key, { 'x-tollgate-tags': 'own,shared,foreign,none' });
    await lineOf(last.id);
    const counts = countsOf(await dave.send<TagUseView>('GET', '/api/data/self/tags'));
    expect(counts).toMatchObject({ 'dave/own': 1, 'dave/shared': 1, '/': 2 });
    expect(counts).not.toHaveProperty('dave/foreign');
  });

  it('returns the sums of the lines', async () => {
    const use = await ann.send<TagUseView>('GET', '/api/data/self/tags');
    const spent = use.rows.filter(({ value }) => value === 'mine').map(({ quota }) => quota);
    const logged = await ann.send<{ quota: number }>('GET', '/api/log/self/stat?tag=mine');
    expect(spent).toEqual([logged.quota]);
  });

  it('answers with the 50 that cost most, and the others as one', async () => {
    const { id: userId } = await bob.send<{ id: number }>('GET', '/api/user/self');
    const today = Math.floor(clock.nowMs() / 1_000 / DAY) * DAY;
    const createdAt = today - 9 * DAY;
    const rows = Array.from({ length: 60 }, (_, index) => ({
      userId,
      kind: 'tag' as const,
      createdAt,
      value: `v${index}`,
      tokenUsed: 1,
      count: 1,
      quota: 1_000 + index,
    }));
    const together = { value: String(userId), tokenUsed: 60, count: 60, quota: 61_770 };
    const ofAccount = { userId: 0, kind: 'tag' as const, createdAt, ...together };
    await app.dataSource.getRepository(TagTotalEntity).insert([...rows, ofAccount]);
    const span = `start_timestamp=${createdAt + 100}&end_timestamp=${createdAt + 200}`;
    const { rows: shown } = await bob.send<TagUseView>('GET', `/api/data/self/tags?${span}`);
    expect(shown).toHaveLength(51);
    expect(shown.find(({ value }) => value === '')).toMatchObject({ count: 10, user_id: 0, quota: 10_045 });
    const { rows: all } = await admin.send<TagUseView>('GET', `/api/data/tags?${span}`);
    expect(all).toEqual(shown);
  });

  it('deletes sums after StatisticsDays and tags of lines with their lines', async () => {
    const store = app.dataSource.getRepository(TagTotalEntity);
    const { id: userId } = await bob.send<{ id: number }>('GET', '/api/user/self');
    const today = Math.floor(clock.nowMs() / 1_000 / DAY) * DAY;
    const old = { userId, kind: 'end_user' as const, value: 'old', tokenUsed: 1, count: 1, quota: 1 };
    await store.insert([91, 92, 90, 89].map((days) => ({ ...old, createdAt: today - days * DAY })));
    await app.app.get(UseRetention, { strict: false }).run();
    const left = await store.findBy({ value: 'old' });
    expect(left.map(({ createdAt }) => (today - createdAt) / DAY).toSorted()).toEqual([89, 90]);

    const { id } = await call(bobKey, { 'x-tollgate-tags': 'gone' });
    await lineOf(id);
    await app.dataSource.query(`UPDATE logs SET created_at = ${today - 40 * DAY} WHERE request_id = '${id}'`);
    await admin.setOptions({ LogRetentionDays: 30 });
    await app.app.get(LogRetention, { strict: false }).turn();
    await admin.setOptions({ LogRetentionDays: 0 });
    expect(await app.dataSource.getRepository(LogTagEntity).countBy({ requestId: id })).toBe(0);
  });

  it('clears end users with the account', async () => {
    const dora = await admin.addUser('dora', 1_000_000);
    const { key } = await dora.addToken();
    const { id } = await call(key, { 'x-tollgate-tags': 'stays', 'x-tollgate-end-user': 'patient' });
    await lineOf(id);
    const { id: userId } = await dora.send<{ id: number }>('GET', '/api/user/self');
    await until(async () => (await app.dataSource.getRepository(TagTotalEntity).countBy({ userId })) === 2);
    await admin.send('DELETE', `/api/user/${userId}`);
    await admin.send('POST', `/api/user/${userId}/purge`, {});
    expect(await app.dataSource.getRepository(TagTotalEntity).countBy({ userId })).toBe(0);
    expect(await lineOf(id)).toMatchObject({ tags: 'stays', end_user: '' });
    expect(await lines(admin, '/api/log?end_user=patient')).toEqual([]);
    expect(await lines(admin, '/api/log?tag=stays')).toHaveLength(1);

    const logs = app.app.get(LogsRepository, { strict: false });
    const [row] = await app.dataSource.getRepository(LogEntity).findBy({ requestId: id });
    if (row === undefined) throw new Error('the call has no line');
    const { id: _old, ...line } = row;
    const late = randomUUID();
    await logs.insertMany([{ ...line, requestId: late, endUser: 'patient' }]);
    expect(await lines(admin, '/api/log?end_user=patient')).toHaveLength(1);
    await app.app.get(DeregisteredAccounts, { strict: false }).sweep();
    expect(await lineOf(late)).toMatchObject({ tags: 'stays', end_user: '' });
    expect(await lines(admin, '/api/log?end_user=patient')).toEqual([]);
  });
});
