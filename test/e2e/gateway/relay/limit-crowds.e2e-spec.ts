import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { DIALECTS } from '../../../../server/relay-core/dialects/registry.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { clientPath, everyBody, everyForm, takesForm } from '../../../support/every-body.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { until } from '../../../support/until.js';
import { TasksFixture } from '../tasks/tasks.fixture.js';
import { RealtimeClient } from '../../vendors/realtime/realtime-client.js';
import { say, ScriptedRealtime } from '../../vendors/realtime/scripted-realtime.js';

const MODEL = 'fx-dear';
const REALTIME = 'gpt-realtime';
const CROWD = 50;
const ROOM = 10;
/** Every route of the relay that answers at once and costs something. */
const ROUTES = DIALECTS.flatMap(({ routes }) => routes)
  .filter(({ path, operation }) => operation !== 'submit' && !/count_?tokens$/i.test(path))
  .map(({ path }) => clientPath(path));

const requestsADay = (accountId: number) => ({
  name: 'requests a day',
  scope: 'account',
  subject: String(accountId),
  measure: 'requests',
  amount: ROOM,
  period: 'day',
  // Ends now, whatever the hour.
  rolling: true,
});

const usedOf = async ({ dataSource }: TestApp, limitId: number): Promise<number> => {
  const rows = await dataSource.getRepository(LimitUseEntity).findBy({ limitId });
  return rows.reduce((sum, { used }) => sum + used, 0);
};

const crowd = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: CROWD }, ask));

describe.each(['sqlite', 'postgres'] as const)('crowds at a limit with room for ten on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let upstream: FakeUpstream;
  let vendor: ScriptedRealtime;
  let admin: GatewayConsole;
  let users = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    [upstream, vendor] = await Promise.all([
      FakeUpstream.start({ isLenient: true }),
      ScriptedRealtime.start(),
    ]);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES([MODEL, REALTIME]));
    await admin.addChannel({ base_url: upstream.url, models: [MODEL] });
    await admin.addChannel({ base_url: vendor.url, models: [REALTIME] });
  });
  afterAll(async () => {
    expect(await checkMoney(app.dataSource)).toEqual([]);
    await app?.close();
    await upstream?.close();
    await vendor?.close();
    await database?.drop();
  });

  async function limitedKey(): Promise<{ readonly key: string; readonly limitId: number }> {
    const user = await admin.addUser(`crowd${(users += 1)}`, 1_000_000_000);
    const { id } = await user.send<{ id: number }>('GET', '/api/user/self');
    const limitId = await admin.send<number>('POST', '/api/limits', requestsADay(id));
    return { key: (await user.addToken()).key, limitId };
  }

  it.each(ROUTES)('%s sends ten calls of fifty', async (path) => {
    const { key, limitId } = await limitedKey();
    const before = upstream.journal.length;
    const isForm = takesForm(path);
    const { prompt, ...body } = everyBody(MODEL, 'hello');
    const statuses = await crowd(async () => {
      const answer = await fetch(app.url + path.replace('{model}', MODEL), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(isForm ? {} : { 'content-type': 'application/json' }),
        },
        body: isForm
          ? everyForm(MODEL, 'hello')
          : JSON.stringify(path.endsWith('/responses') ? body : { ...body, prompt }),
      });
      const text = await answer.text();
      return answer.status === 403 && text.includes('requests a day') ? 'refused' : 'sent';
    });
    expect(statuses.filter((status) => status === 'refused')).toHaveLength(CROWD - ROOM);
    expect(upstream.journal.length - before).toBe(ROOM);
    await until(async () => (await usedOf(app, limitId)) === ROOM);
  });

  it('opens ten realtime sessions of fifty', async () => {
    const { key, limitId } = await limitedKey();
    const before = vendor.sessions.length;
    vendor.script = (session, { type }) => {
      if (type !== 'response.create') return;
      const usage = { input_tokens: 1, output_tokens: 3 };
      say(session, { type: 'response.done', response: { id: `r${randomUUID()}`, usage } });
    };
    const answers = await Promise.allSettled(
      Array.from({ length: CROWD }, () => RealtimeClient.open(app.url, REALTIME, key)),
    );
    const clients = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const opened = clients.filter((client) => client.of('session.created').length > 0);
    expect(opened).toHaveLength(ROOM);
    expect(vendor.sessions.length - before).toBe(ROOM);
    for (const client of opened) client.send({ type: 'response.create' });
    await until(() => opened.every((client) => client.of('response.done').length === 1));
    for (const { socket } of clients) socket.close();
    await until(async () => (await usedOf(app, limitId)) === ROOM);
  });
});

describe.each(['sqlite', 'postgres'] as const)(
  'crowds of tasks at a limit with room for ten on %s',
  (kind) => {
    let fixture: TasksFixture;
    beforeAll(async () => {
      fixture = await TasksFixture.open(kind);
      fixture.drawer.say = () => ({ body: { code: 1, description: 'ok', result: randomUUID() } });
      fixture.singer.say = () => ({ body: { code: 'success', message: '', data: randomUUID() } });
    });
    afterAll(async () => {
      expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
      await fixture.close();
    });

    it.each([
      ['/mj/submit/imagine', 'drawer'],
      ['/suno/submit/music', 'singer'],
    ] as const)('%s sends ten of fifty', async (path, name) => {
      const user = await fixture.person();
      const { relay } = await fixture.key(user);
      const limitId = await fixture.root.expectSuccess<number>(
        'POST',
        '/api/limits',
        requestsADay(user.userId),
      );
      const before = fixture[name].asked.length;
      const answers = await crowd(() => relay.ask({ path, body: { prompt: 'a cat' } }));
      expect(fixture[name].asked.length - before).toBe(ROOM);
      expect(answers.filter(({ text }) => text.includes('requests a day'))).toHaveLength(CROWD - ROOM);
      await until(async () => (await usedOf(fixture.app, limitId)) === ROOM);
    });
  },
);
