import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { AuditMaintenance, MIN_DAYS } from '../../../../server/base/audit/audit-maintenance.js';
import { ApiClient } from '../../../support/api-client.js';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.js';
import { ShiftedClock } from '../../../support/shifted-clock.js';

const PASSWORD = 'password-of-a-test';
const DAY_MS = 24 * 3_600_000;

const clock = new ShiftedClock();
let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ clock });
  root = await setUpRoot(app);
});
afterAll(() => app.close());

interface Row {
  sequence: number;
  created_at: number;
  actor_id: number;
  actor_role: number;
  actor_name: string;
  ip: string;
  request_id: string;
  action: string;
  target_type: string;
  target_id: string;
  detail: string;
  hash: string;
}
interface Page {
  items: Row[];
  total: number;
  page: number;
  page_size: number;
}
interface Chain {
  intact: boolean;
  first_sequence: number;
  verified_up_to: number;
  head_sequence: number;
  fault: { sequence: number; kind: string } | null;
}

const read = (query = '', by = root) => by.expectSuccess<Page>('GET', `/api/audit?page_size=100${query}`);
const newest = async (action: string): Promise<Row | undefined> => (await read(`&action=${action}`)).items[0];
const chainOf = async (by = root): Promise<Chain> => {
  clock.advance(31_000);
  return by.expectSuccess<Chain>('GET', '/api/audit/chain');
};
/** Rows an act adds. */
async function rowsOf(act: () => Promise<unknown>): Promise<Row[]> {
  const before = (await read()).items[0]?.sequence ?? 0;
  await act();
  return (await read()).items.filter(({ sequence }) => sequence > before).toReversed();
}

describe('what is recorded', () => {
  it('set-up and logins, good and bad, with address and request; never what was typed', async () => {
    expect(await newest('setup.complete')).toMatchObject({ actor_id: root.userId, actor_role: 100 });
    const rows = await rowsOf(async () => {
      const guest = new ApiClient(app.url);
      await guest.post('/api/user/login', { username: ROOT_ACCOUNT.username, password: 'hunter2-hunter2' });
      await guest.post('/api/user/login', { username: 'hunter3-hunter3', password: 'hunter4-hunter4' });
      const client = await ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
      await client.expectSuccess('POST', '/api/user/logout');
    });
    expect(rows.map(({ action, actor_id, target_id }) => [action, actor_id, target_id])).toEqual([
      ['login.fail', 0, String(root.userId)],
      ['login.fail', 0, ''],
      ['login.success', root.userId, String(root.userId)],
      ['login.end', root.userId, String(root.userId)],
    ]);
    for (const { ip, request_id } of rows) {
      expect(ip).toBe('127.0.0.1');
      expect(request_id).toMatch(/^[0-9a-z-]{20,64}$/);
    }
    // The login itself as well, although no account is signed in yet while it is written.
    for (const row of rows.slice(2))
      expect(row).toMatchObject({ actor_name: ROOT_ACCOUNT.username, actor_role: 100 });
    expect(JSON.stringify(rows)).not.toMatch(/hunter/);
  });

  it('options with their old and new text, secrets by name only', async () => {
    const [row] = await rowsOf(() =>
      root.expectSuccess('PUT', '/api/option/', [
        { key: 'SystemName', value: 'Toll Gate' },
        { key: 'TelegramBotToken', value: '123:canary-of-a-secret' },
      ]),
    );
    expect(row).toMatchObject({ action: 'option.change', actor_id: root.userId, target_type: 'option' });
    expect(JSON.parse(row?.detail ?? '')).toMatchObject({
      options: [
        { option: 'SystemName', now: 'Toll Gate' },
        { option: 'TelegramBotToken', now: 'changed' },
      ],
    });
    expect(row?.detail).not.toContain('canary');
    expect(await rowsOf(() => root.put('/api/option/', { key: 'NoSuchOption', value: 'x' }))).toEqual([]);
  });

  it('channels: made, sent elsewhere, given another key, deleted; never a key', async () => {
    const channel = { name: 'one', type: 1, key: 'sk-canary-1', models: 'a,b', group: 'default' };
    const rows = await rowsOf(async () => {
      await root.expectSuccess('POST', '/api/channel/', { ...channel, base_url: 'https://one.example' });
      const id = (await app.dataSource.query('SELECT MAX(id) AS id FROM channels'))[0].id as number;
      const moved = { id, base_url: 'https://two.example', key: 'sk-canary-2', weight: 7 };
      await root.expectSuccess('PUT', '/api/channel/', moved);
      await root.expectSuccess('DELETE', `/api/channel/${id}`);
    });
    expect(rows.map(({ action }) => action)).toEqual(['channel.create', 'channel.update', 'channel.delete']);
    expect(new Set(rows.map(({ target_id }) => target_id)).size).toBe(1);
    expect(JSON.parse(rows[1]?.detail ?? '')).toMatchObject({
      changes: {
        baseUrl: { before: 'https://one.example', now: 'https://two.example' },
        weight: { before: 0, now: 7 },
        key: 'changed',
      },
    });
    expect(JSON.stringify(rows)).not.toContain('canary');
  });

  it('covers acts of people on their own account', async () => {
    const client = await signUp(root, { username: 'selfmade' });
    const rows = await rowsOf(async () => {
      const token = await client.expectSuccess<string>('POST', '/api/user/token');
      expect(token.length).toBeGreaterThan(20);
      const elsewhere = await ApiClient.signIn(app.url, 'selfmade', PASSWORD);
      await elsewhere.expectSuccess('DELETE', '/api/user/self/sessions');
      await elsewhere.expectSuccess('PUT', '/api/user/self', {
        username: 'self-made',
        original_password: PASSWORD,
        password: 'another-password',
      });
    });
    expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['user.access_token', client.userId],
      ['login.success', client.userId],
      ['session.end', client.userId],
      ['user.password', client.userId],
      ['user.rename', client.userId],
    ]);
    expect(rows.at(-1)?.detail).toBe('{"before":"selfmade","now":"self-made"}');
    expect(JSON.stringify(rows)).not.toMatch(/another-password/);
  });

  it('covers acts of administrators on accounts', async () => {
    const target = await signUp(root, { username: 'managed' });
    const rows = await rowsOf(async () => {
      for (const action of ['disable', 'enable', 'promote', 'demote', 'delete'])
        await root.expectSuccess('POST', '/api/user/manage', { id: target.userId, action });
    });
    expect(rows.map(({ action }) => action)).toEqual([
      'user.disable',
      'user.enable',
      'user.promote',
      'user.demote',
      'user.delete',
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        actor_id: root.userId,
        target_type: 'user',
        target_id: String(target.userId),
      });
  });

  it('the deletion of call logs', async () => {
    const [row] = await rowsOf(() => root.expectSuccess('DELETE', '/api/log/?target_timestamp=1600000000'));
    expect(row).toMatchObject({ action: 'log.delete', detail: '{"before":1600000000,"count":0}' });
  });
});

describe('reading', () => {
  it('allows root alone, and offers no way to write', async () => {
    const helper = await signUp(root, { username: 'nosy', role: 'admin' });
    for (const path of ['/api/audit', '/api/audit/chain'])
      expect((await helper.get(path)).body).toMatchObject({ code: 'not_permitted' });
    expect((await new ApiClient(app.url).get('/api/audit')).status).toBe(401);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await root.send(method, '/api/audit', {});
      expect([404, 405]).toContain(reply.status);
    }
  });

  it('pages newest first and narrows by actor, action, target and time', async () => {
    const all = await read();
    const sequences = all.items.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => right - left));
    const second = await root.expectSuccess<Page>('GET', '/api/audit?p=2&page_size=3');
    expect(second.items.map(({ sequence }) => sequence)).toEqual(sequences.slice(3, 6));
    expect(second).toMatchObject({ page: 2, page_size: 3, total: all.total });
    const logins = await read('&action=login.*');
    expect(logins.total).toBeGreaterThan(3);
    expect(logins.items.every(({ action }) => action.startsWith('login.'))).toBe(true);
    const failures = await read('&action=login.fail');
    expect(new Set(failures.items.map(({ action }) => action))).toEqual(new Set(['login.fail']));
    const own = await read(`&actor_id=${root.userId}&target_type=option`);
    expect(own.items.every((row) => row.actor_id === root.userId && row.target_type === 'option')).toBe(true);
    const at = all.items.at(-1)?.created_at ?? 0;
    expect((await read(`&end_timestamp=${at}`)).items.map(({ sequence }) => sequence)).toContain(1);
    expect((await read(`&end_timestamp=${at - 1}`)).total).toBe(0);
    expect((await read(`&start_timestamp=${at}`)).total).toBe(all.total);
  });

  it('takes signs of patterns literally', async () => {
    for (const action of ['login%25*', '%25', '_ogin.fail', 'login_*', "x'*"])
      expect((await read(`&action=${action}`)).total).toBe(0);
  });

  it('reports the last row up to which the chain is intact, and the first fault', async () => {
    const whole = await chainOf();
    expect(whole).toMatchObject({ intact: true, first_sequence: 1, fault: null });
    expect(whole.verified_up_to).toBe(whole.head_sequence);
    const events = app.dataSource.getRepository(AuditEventEntity);
    const row = await events.findOneByOrFail({ sequence: 4 });
    await events.update({ sequence: 4 }, { actorId: 77 });
    expect(await chainOf()).toMatchObject({
      intact: false,
      verified_up_to: 3,
      fault: { sequence: 4, kind: 'changed' },
    });
    await events.update({ sequence: 4 }, { actorId: row.actorId });
    expect((await chainOf()).intact).toBe(true);
  });
});

describe('two hundred acts of administrators at once', () => {
  it('makes two hundred rows in one chain without a gap', async () => {
    const { head_sequence: before } = await chainOf();
    const names = Array.from({ length: 200 }, (_, index) => `Gate ${index}`);
    const parts = Array.from({ length: 10 }, (_, part) =>
      names.filter((_name, index) => index % 10 === part),
    );
    await Promise.all(
      parts.map(async (part) => {
        for (const value of part)
          await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value });
      }),
    );
    const chain = await chainOf();
    expect(chain).toMatchObject({ intact: true, verified_up_to: before + 200 });
  });
});

describe('retention', () => {
  const upkeep = (): AuditMaintenance => app.app.get(AuditMaintenance, { strict: false });
  const rootAnew = () => ApiClient.signIn(app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  const set = async (days: number): Promise<void> => {
    const value = String(days);
    await (await rootAnew()).expectSuccess('PUT', '/api/option/', { key: 'AuditRetentionDays', value });
  };

  // Time passes in leaps here: only the test looks after the log.
  beforeAll(() => app.app.get(JobRunner, { strict: false }).beforeApplicationShutdown());

  it('keeps everything by default', async () => {
    clock.advance(2 * MIN_DAYS * DAY_MS);
    expect(await upkeep().prune(0)).toBe(0);
  });

  it('removes what is older than asked and allowed, and the rest still fits', async () => {
    const client = await rootAnew();
    const { total } = await read('', client);
    await set(1);
    clock.advance((MIN_DAYS - 1) * DAY_MS);
    const removed = await upkeep().prune(1);
    // The login and the option that was set lie within the days that are always kept.
    expect(removed).toBe(total - 1);
    const again = await rootAnew();
    const chain = await chainOf(again);
    expect(chain).toMatchObject({ intact: true, first_sequence: removed + 1 });
    const [row] = (await read('&action=audit.prune', again)).items;
    expect(row).toMatchObject({ actor_id: 0, target_type: 'audit' });
    expect(JSON.parse(row?.detail ?? '')).toMatchObject({ through_sequence: removed, count: removed });
    expect(await upkeep().prune(1)).toBe(0);
  });

  it('removes nothing from a chain that does not fit: it may be evidence', async () => {
    const events = app.dataSource.getRepository(AuditEventEntity);
    const [oldest] = await events.find({ order: { sequence: 'ASC' }, take: 1 });
    await events.update({ sequence: oldest?.sequence ?? 0 }, { detail: '{"forged":true}' });
    clock.advance(3 * MIN_DAYS * DAY_MS);
    await rootAnew();
    const before = await events.count();
    await upkeep().run(1);
    expect(await events.count()).toBe(before);
    await events.update({ sequence: oldest?.sequence ?? 0 }, { detail: oldest?.detail ?? '' });
    await upkeep().run(1);
    expect(await events.count()).toBeLessThan(before);
    expect((await chainOf(await rootAnew())).intact).toBe(true);
  });
});
