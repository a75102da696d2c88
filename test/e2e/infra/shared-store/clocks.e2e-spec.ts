import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ClockWatch } from '../../../../server/infra/health/clock-watch.js';
import { SessionEntity } from '../../../../server/base/auth/session.entity.js';
import { AlertEvaluator } from '../../../../server/console/operations/alerts/alert-evaluator.js';
import { WorkerReporter } from '../../../../server/console/operations/fleet/worker-reporter.js';
import { RedemptionEntity } from '../../../../server/console/redemptions/redemption.entity.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'password-of-a-test';
const SECRETS = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };

let database: TestDatabase;
let running: TestApp[];

beforeEach(() => {
  running = [];
});
afterEach(async () => {
  for (const app of running) await app.close();
  await database.drop();
});

/** @param offMs  lead of its machine's clock over all others */
async function start(offMs: number): Promise<TestApp> {
  const clock = new ShiftedClock();
  clock.advance(offMs);
  const app = await startTestApp({ clock, env: { DATABASE_URL: database.url, ...SECRETS } });
  running.push(app);
  return app;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function models(app: TestApp, key: string): Promise<Reply> {
  const reply = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  return { status: reply.status, text: await reply.text() };
}

async function readyz(app: TestApp): Promise<{ readonly status: number; readonly body: unknown }> {
  const reply = await fetch(`${app.url}/readyz`);
  return { status: reply.status, body: await reply.json() };
}

/** The same person at another instance. */
function at(app: TestApp, client: ApiClient): ApiClient {
  const other = new ApiClient(app.url);
  Object.assign(other.headers, client.headers);
  other.userId = client.userId;
  return other;
}

const SERVERS = DATABASE_KINDS.filter((kind) => kind !== 'sqlite');

describe.each(SERVERS)('an instance on %s whose clock is an hour off', (kind) => {
  let right: TestApp;
  let root: ApiClient;
  let user: ApiClient;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    right = await start(0);
    root = await setUpRoot(right);
    user = await signUp(root, { username: 'alice', password: PASSWORD });
  });

  async function aKey(untilMs: number): Promise<string> {
    const expired_time = Math.floor(Date.now() / 1_000) + 86_400;
    await user.expectSuccess('POST', '/api/token/', { name: 'k', remain_quota: 1_000, expired_time });
    const tokens = right.dataSource.getRepository(TokenEntity);
    const [token] = await tokens.find({ where: { userId: user.userId }, order: { id: 'DESC' }, take: 1 });
    const id = token?.id ?? 0;
    const { key } = await user.expectSuccess<{ key: string }>('POST', `/api/token/${id}/key`, {});
    await tokens.update({ id }, { expiredTime: Math.floor(untilMs / 1_000) });
    return `sk-${key.replace(/^sk-/, '')}`;
  }

  async function aCode(untilMs: number): Promise<string> {
    const [code = ''] = await root.expectSuccess<string[]>('POST', '/api/redemption/', {
      name: 'c',
      count: 1,
      quota: 5,
      expired_time: Math.floor(Date.now() / 1_000) + 86_400,
    });
    await right.dataSource
      .getRepository(RedemptionEntity)
      .update({ name: 'c', status: 1 }, { expiredTime: Math.floor(untilMs / 1_000) });
    return code;
  }

  async function aLogin(untilMs: number): Promise<ApiClient> {
    const client = await ApiClient.signIn(right.url, 'alice', PASSWORD);
    const sessions = right.dataSource.getRepository(SessionEntity);
    const [newest] = await sessions.find({
      where: { userId: user.userId },
      order: { createdAtMs: 'DESC' },
      take: 1,
    });
    await sessions.update({ digest: newest?.digest ?? '' }, { expiresAtMs: untilMs });
    return client;
  }

  it.each([
    ['behind', -HOUR_MS],
    ['ahead', HOUR_MS],
  ])('%s refuses keys, logins and codes that are over, and takes those that are not', async (_way, offMs) => {
    const wrong = await start(offMs);
    const half = HOUR_MS / 2;
    const over = Date.now() - half;
    const good = Date.now() + half;

    expect(await models(wrong, await aKey(over))).toMatchObject({
      status: 401,
      text: expect.stringContaining('expired'),
    });
    expect(await models(wrong, await aKey(good))).toMatchObject({ status: 200 });

    expect((await at(wrong, await aLogin(over)).get('/api/user/self')).body.success).toBe(false);
    expect((await at(wrong, await aLogin(good)).get('/api/user/self')).body.success).toBe(true);

    const person = at(wrong, await aLogin(good));
    expect((await person.post('/api/user/topup', { key: await aCode(over) })).body.success).toBe(false);
    expect((await person.post('/api/user/topup', { key: await aCode(good) })).body.success).toBe(true);

    // A login made there is as old as one made elsewhere.
    await ApiClient.signIn(wrong.url, 'alice', PASSWORD);
    const [made] = await right.dataSource
      .getRepository(SessionEntity)
      .find({ where: { userId: user.userId }, order: { createdAtMs: 'DESC' }, take: 1 });
    expect(Math.abs((made?.createdAtMs ?? 0) - Date.now())).toBeLessThan(60_000);

    expect(await readyz(wrong)).toEqual({
      status: 503,
      body: { status: 'unavailable', reasons: ['clock-skewed'] },
    });
    expect((await readyz(right)).status).toBe(200);
  });

  it('appears on the status page and raises an alert at once', async () => {
    const wrong = await start(HOUR_MS);
    await wrong.app.get(WorkerReporter, { strict: false }).say();
    await wrong.app.get(AlertEvaluator, { strict: false }).run();
    const { findings } = await at(wrong, root).expectSuccess<{
      findings: { rule: string; severity: string; sentence: string }[];
    }>('GET', '/api/operations/status');
    expect(findings.filter(({ rule }) => rule === 'clock-skew')).toEqual([
      expect.objectContaining({
        severity: 'fault',
        sentence: expect.stringMatching(/by (3599|3600)(\.\d)? s\.$/),
      }),
    ]);
    const alerts = await root.expectSuccess<{ items: { rule: string }[] }>('GET', '/api/operations/alerts');
    expect(alerts.items.map(({ rule }) => rule)).toContain('clock-skew');
  });

  it.each([
    [31_000, 503],
    [-31_000, 503],
    [29_000, 200],
    [-29_000, 200],
  ])('answers with an offset of %d ms instead /readyz with %d', async (offMs, status) => {
    expect((await readyz(await start(offMs))).status).toBe(status);
  });

  it('keeps using the last measured difference while the database does not answer', async () => {
    const wrong = await start(-HOUR_MS);
    const { dataSource } = wrong;
    const query = dataSource.query.bind(dataSource);
    dataSource.query = () => Promise.reject(new Error('connection refused'));
    const look = wrong.app.get(ClockWatch, { strict: false }).look();
    await expect(look).rejects.toThrow('connection refused');
    dataSource.query = query;
    expect(await models(wrong, await aKey(Date.now() - HOUR_MS / 2))).toMatchObject({ status: 401 });
    expect(await models(wrong, await aKey(Date.now() + HOUR_MS / 2))).toMatchObject({ status: 200 });
  });
});

describe('on SQLite', () => {
  it('the clock of the process is that of its database', async () => {
    database = await createTestDatabase('sqlite');
    const app = await start(HOUR_MS);
    const root = await setUpRoot(app);
    expect((await readyz(app)).status).toBe(200);
    // Expired by the only clock there is.
    const reply = await root.post('/api/token/', {
      name: 'k',
      remain_quota: 5,
      expired_time: Math.floor(Date.now() / 1_000) + 1_800,
    });
    expect(reply.body.success).toBe(false);
  });
});
