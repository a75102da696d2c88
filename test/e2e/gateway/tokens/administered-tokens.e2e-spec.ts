import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { TokenRefusals } from '../../../../server/gateway/tokens/token-refusals.js';
import type { ApiClient, ApiReply } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.js';
import { testRedisUrl } from '../../../support/redis.js';
import { until } from '../../../support/until.js';

interface Token {
  readonly id: number;
  readonly key: string;
  readonly status: number;
  readonly lock: { readonly at: number; readonly reason: string } | null;
}
interface Administered extends Record<string, unknown> {
  readonly id: number;
  readonly username: string;
  readonly status: number;
  readonly lock: Record<string, unknown> | null;
}
interface AdministeredPage {
  readonly items: readonly Administered[];
  readonly total: number;
  readonly is_complete: boolean;
}

const newToken = (client: ApiClient, name = 'laptop'): Promise<Token> =>
  client.expectSuccess<Token>('POST', '/api/token/', { name, unlimited_quota: true });
const refusalOf = ({ body }: ApiReply): unknown => [body.success, body.code];
const listModels = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } });

describe.each(DATABASE_KINDS)('tokens of other accounts on %s', (kind) => {
  let database: TestDatabase;
  let mail: MailServer;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let ann: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    mail = await startMailServer();
    app = await startTestApp({ env: { DATABASE_URL: database.url, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
    root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
    admin = await signUp(root, { username: 'adminone', role: 'admin' });
    ann = await signUp(root, { username: 'ann' });
    const email = 'ann@example.test';
    await app.dataSource.getRepository(UserEntity).update({ id: ann.userId }, { email, emailFolded: email });
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([mail.close(), database.drop()]);
  });

  const find = (client: ApiClient, key: string) => client.post('/api/token/find', { key });
  const list = (client: ApiClient, query: string) =>
    client.expectSuccess<AdministeredPage>('GET', `/api/token/all?${query}`);

  it('lists those within reach by owner, account and beginning of the key, never with the key', async () => {
    const [mine, hers, roots] = [await newToken(admin), await newToken(ann), await newToken(root)];
    const ids = async (client: ApiClient, query: string) =>
      (await list(client, query)).items.map(({ id }) => id);
    expect(await ids(admin, 'page_size=100')).toEqual([hers.id, mine.id]);
    expect(await ids(root, 'page_size=2')).toEqual([roots.id, hers.id]);
    expect(await ids(root, 'owner=AN&page_size=100')).toEqual([hers.id]);
    expect(await ids(root, `user_id=${admin.userId}`)).toEqual([mine.id]);
    expect(await list(admin, `prefix=sk-${hers.key.slice(0, 8)}`)).toMatchObject({
      items: [{ id: hers.id, username: 'ann', key_mask: `${hers.key.slice(0, 4)}…${hers.key.slice(-4)}` }],
      total: 1,
      is_complete: true,
    });
    // The prefix of a key of root finds nothing below root.
    expect(await ids(admin, `prefix=${roots.key.slice(0, 8)}`)).toEqual([]);
    const page = JSON.stringify(await list(root, 'page_size=100'));
    for (const { key } of [mine, hers, roots]) expect(page).not.toContain(key.slice(4, -4));
    expect(refusalOf(await root.get(`/api/token/all?prefix=${hers.key}`))).toEqual([
      false,
      'malformed_input',
    ]);
  });

  it('finds the token of a pasted key by its digest, and names an account out of reach', async () => {
    const [hers, roots] = [await newToken(ann), await newToken(root)];
    for (const text of [hers.key, ` sk-${hers.key}\n`, `sk-${hers.key}-7`])
      expect((await find(admin, text)).body.data).toMatchObject({ id: hers.id, last_used_time: 0 });
    expect(JSON.stringify((await find(admin, hers.key)).body)).not.toContain(hers.key.slice(4, -4));
    expect(refusalOf(await find(admin, roots.key))).toEqual([false, 'user_out_of_reach']);
    for (const text of ['', hers.key.slice(0, 47), `${hers.key}x`, 'sk-no-such-key'])
      expect(refusalOf(await find(admin, text))).toEqual([false, 'not_found']);
    await ann.expectSuccess('DELETE', `/api/token/${hers.id}`);
    expect(refusalOf(await find(admin, hers.key))).toEqual([false, 'not_found']);
  });

  it.each(['ann', 'guest'])('refuses %s every route [TOK-101]', async (who) => {
    const { id, key } = await newToken(ann);
    const client = who === 'ann' ? ann : Object.assign(Object.create(ann) as ApiClient, { headers: {} });
    for (const reply of [
      await client.get('/api/token/all'),
      await find(client, key),
      await client.post(`/api/token/${id}/lock`, { reason: 'x' }),
      await client.post(`/api/token/${id}/unlock`, {}),
    ])
      expect(reply.body.success).toBe(false);
    expect(await ann.expectSuccess('GET', `/api/token/${id}`)).toMatchObject({ status: 1, lock: null });
  });

  it('locks a token: the owner reads why, changes nothing, and deletes it', async () => {
    const token = await newToken(ann, 'leaked');
    expect((await listModels(app.url, token.key)).status).toBe(200);
    const locked = await admin.expectSuccess<Administered>('POST', `/api/token/${token.id}/lock`, {
      reason: ' found in a public repository ',
    });
    expect(locked).toMatchObject({
      status: 2,
      lock: { by_id: admin.userId, by: 'adminone', reason: 'found in a public repository' },
    });
    expect(await ann.expectSuccess('GET', `/api/token/${token.id}`)).toMatchObject({
      status: 2,
      lock: { reason: 'found in a public repository' },
    });
    for (const reply of [
      await ann.put('/api/token/?status_only=true', { id: token.id, status: 1 }),
      await ann.put('/api/token/?status_only=true', { id: token.id, status: 2 }),
      await ann.put('/api/token/', { id: token.id, name: 'renamed', remain_quota: 9, unlimited_quota: true }),
    ]) {
      expect(refusalOf(reply)).toEqual([false, 'token_locked']);
      expect(reply.body.message).toContain('found in a public repository');
    }
    expect(await ann.expectSuccess('GET', `/api/token/${token.id}`)).toMatchObject({
      status: 2,
      name: 'leaked',
    });
    const refused = await listModels(app.url, token.key);
    expect([refused.status, await refused.text()]).toEqual([
      401,
      expect.stringContaining('An administrator has disabled this API key'),
    ]);
    expect(refusalOf(await admin.post(`/api/token/${token.id}/lock`, { reason: 'again' }))).toEqual([
      false,
      'token_locked',
    ]);
    await ann.expectSuccess('DELETE', `/api/token/${token.id}`);
    expect(refusalOf(await admin.post(`/api/token/${token.id}/unlock`, {}))).toEqual([false, 'not_found']);
  });

  it('stays locked where an instance of an earlier version enabled it', async () => {
    const token = await newToken(ann);
    await admin.expectSuccess('POST', `/api/token/${token.id}/lock`, { reason: 'leaked' });
    await app.dataSource.getRepository(TokenEntity).update({ id: token.id }, { status: 1 });
    expect(await ann.expectSuccess('GET', `/api/token/${token.id}`)).toMatchObject({ status: 2 });
    expect((await listModels(app.url, token.key)).status).toBe(401);
  });

  it.each([1, 2])('gives a token of status %d its status back, to administrators alone', async (status) => {
    const token = await newToken(ann);
    await ann.expectSuccess('PUT', '/api/token/?status_only=true', { id: token.id, status });
    expect(refusalOf(await admin.post(`/api/token/${token.id}/unlock`, {}))).toEqual([
      false,
      'token_not_locked',
    ]);
    await admin.expectSuccess('POST', `/api/token/${token.id}/lock`, { reason: 'a check' });
    expect((await ann.post(`/api/token/${token.id}/unlock`, {})).body.success).toBe(false);
    expect(await admin.expectSuccess('POST', `/api/token/${token.id}/unlock`, {})).toMatchObject({
      status,
      lock: null,
    });
    await ann.expectSuccess('PUT', '/api/token/', { id: token.id, name: 'mine again' });
    expect((await listModels(app.url, token.key)).status).toBe(status === 1 ? 200 : 401);
  });

  it('locks no token of an account out of reach, and none without a reason', async () => {
    const [roots, own, hers] = [await newToken(root), await newToken(admin), await newToken(ann)];
    const lock = async (client: ApiClient, id: number, reason = 'x') =>
      refusalOf(await client.post(`/api/token/${id}/lock`, { reason }));
    expect(await lock(admin, roots.id)).toEqual([false, 'user_out_of_reach']);
    expect(await lock(admin, own.id)).toEqual([false, 'user_out_of_reach']);
    expect(await lock(root, roots.id)).toEqual([false, 'user_root_protected']);
    expect(await lock(admin, 2_147_483_000)).toEqual([false, 'not_found']);
    for (const reason of ['', ' \n ', 'x'.repeat(201)])
      expect(await lock(admin, hers.id, reason)).toEqual([false, 'token_lock_reason']);
    await root.expectSuccess('POST', `/api/token/${own.id}/lock`, { reason: 'a check' });
    expect(refusalOf(await admin.post(`/api/token/${own.id}/unlock`, {}))).toEqual([
      false,
      'user_out_of_reach',
    ]);
  });

  it.each([
    ['en', 'was disabled', 'Reason'],
    ['zh', '已被禁用', '原因'],
  ])('records the lock and notifies the owner in %s', async (language, subject, label) => {
    await ann.expectSuccess('PUT', '/api/user/setting', {
      notify_type: 'email',
      quota_warning_threshold: 1_000,
      language,
    });
    const token = await newToken(ann, 'the leaked one');
    await admin.expectSuccess('POST', `/api/token/${token.id}/lock`, { reason: 'seen on a forum' });
    const letterOf = () =>
      mail.letters.find((each) => each.subject.includes(subject) && each.text.includes('the leaked one'));
    await until(async () => letterOf() !== undefined, 10);
    expect(letterOf()?.text).toMatch(new RegExp(`${label}.*seen on a forum`, 's'));
    expect(letterOf()?.raw).not.toContain(token.key.slice(4, -4));
    const [row] = await app.dataSource.getRepository(AuditEventEntity).find({
      where: { action: 'token.lock', targetId: String(token.id) },
    });
    expect(row).toMatchObject({ actorId: admin.userId, targetType: 'token' });
    expect(JSON.parse(row?.detail ?? '')).toMatchObject({
      name: 'the leaked one',
      user_id: ann.userId,
      reason: 'seen on a forum',
      status: 2,
      status_before: 1,
    });
  });

  it('answers the last refusal of a token to its owner alone', async () => {
    const token = await newToken(ann);
    const activity = () => ann.expectSuccess('GET', `/api/token/${token.id}/activity`);
    expect(await activity()).toEqual({ last_call: null, last_refusal: null });
    await ann.expectSuccess('PUT', '/api/token/', { id: token.id, allow_ips: '192.0.2.1' });
    expect((await listModels(app.url, token.key)).status).toBe(403);
    await app.app.get(TokenRefusals, { strict: false }).flush();
    expect(await activity()).toMatchObject({
      last_call: null,
      last_refusal: { kind: 'address-refused', message: expect.stringContaining('network address') },
    });
    for (const other of [admin, root])
      expect(refusalOf(await other.get(`/api/token/${token.id}/activity`))).toEqual([false, 'not_found']);
  });
});

/** The real clock until it is stopped; then what is remembered never grows old by itself. */
class StoppableClock extends SystemClock {
  private stoppedMs: number | undefined;

  override monotonicMs(): number {
    return this.stoppedMs ?? super.monotonicMs();
  }

  stop(): void {
    this.stoppedMs = super.monotonicMs();
  }

  go(): void {
    this.stoppedMs = undefined;
  }
}

describe('a lock on two instances', () => {
  let first: TestApp;
  let second: TestApp;
  let database: TestDatabase;
  const clock = new StoppableClock();

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    const env = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() };
    first = await startTestApp({ env });
    second = await startTestApp({ env, clock });
  });
  afterAll(async () => {
    clock.go();
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });

  it('refuses callers that the other instance has in memory', async () => {
    const root = await setUpRoot(first);
    const ann = await signUp(root, { username: 'ann' });
    const token = await newToken(ann);
    clock.stop();
    expect((await listModels(second.url, token.key)).status).toBe(200);
    await root.expectSuccess('POST', `/api/token/${token.id}/lock`, { reason: 'leaked' });
    await until(async () => (await listModels(second.url, token.key)).status === 401, 10);
    await root.expectSuccess('POST', `/api/token/${token.id}/unlock`, {});
    await until(async () => (await listModels(second.url, token.key)).status === 200, 10);
  });
});

describe('a pasted key', () => {
  it('stands in no log of the server, whatever becomes of the request', async () => {
    const gateway = await GatewayProcess.start({ env: { LOG_LEVEL: 'trace' } });
    try {
      const root = new GatewayConsole(gateway.url);
      await root.setUp();
      const { id, key } = await root.addToken();
      const bodies = [
        { key },
        { key: `${key}broken` },
        { key: [key] },
        { [key]: key },
        { key: key.repeat(9) },
      ];
      for (const body of bodies) await root.sendRaw('POST', '/api/token/find', body);
      await fetch(`${gateway.url}/api/token/find`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"key": ${key}`,
      });
      expect(await root.send('POST', '/api/token/find', { key })).toMatchObject({ id });
      const audit = JSON.stringify(await root.sendRaw('GET', '/api/audit?p=1&page_size=100'));
      for (const text of [gateway.log, audit]) expect(text).not.toContain(key.slice(3, 40));
      expect(gateway.log).toContain('/api/token/find');
    } finally {
      await gateway.stop();
    }
  });
});
