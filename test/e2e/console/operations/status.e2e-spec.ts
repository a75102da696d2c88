import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsRegistry } from '../../../../server/infra/observability/metrics-registry.js';
import { ReservationEntity } from '../../../../server/base/billing/ledger/reservation.entity.js';
import type { OperationsStatusView } from '../../../../server/console/operations/dto/status.dto.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

/** Status of a single instance without Redis, for administrators. */
describe('the status of one instance', () => {
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;

  beforeAll(async () => {
    app = await startTestApp();
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'watcher', role: 'admin' });
  });
  afterAll(() => app.close());

  const statusFor = (client: ApiClient): Promise<OperationsStatusView> =>
    client.expectSuccess('GET', '/api/operations/status') as Promise<OperationsStatusView>;

  it('names the instance, its worker and how its stores are', async () => {
    const status = await statusFor(root);
    expect(status.instances).toHaveLength(1);
    const [worker] = status.instances[0]?.workers ?? [];
    expect(worker).toMatchObject({
      pid: process.pid,
      state: 'up',
      database: { up: true },
      store: { kind: 'memory', up: true },
    });
    expect(status.totals.workers).toBe(1);
    expect(status.database_readable).toBe(true);
    expect(status.findings).toEqual([]);
    expect(status.level).toBe('ok');
  });

  it('shows the address of a worker to root, and hides it from administrators', async () => {
    expect((await statusFor(root)).instances[0]?.workers[0]?.address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await statusFor(admin)).instances[0]?.workers[0]?.address).toBeNull();
  });

  it('rejects all other roles', async () => {
    const user = await signUp(root, { username: 'ordinary' });
    expect((await user.get('/api/operations/status')).body.code).toBe('not_permitted');
    expect((await user.get('/api/operations/alerts')).body.code).toBe('not_permitted');
    expect((await admin.post('/api/operations/alerts/test', {})).body.code).toBe('not_permitted');
  });
});

it('reports reserved quota to be as old as the oldest pool that has some left', async () => {
  const app = await startTestApp();
  try {
    const nowMs = Date.now();
    const pools = app.dataSource.getRepository(ReservationEntity);
    const pool = { kind: 'pool', scope: 'user', epoch: 'e', owner: 'o', promptEstimate: 0 } as const;
    const open = { ...pool, state: 'open', leaseUntilMs: nowMs + 900_000 } as const;
    await pools.insert([
      { ...open, id: 'empty', userId: 1, amount: 0, createdAtMs: nowMs - 3_600_000 },
      { ...open, id: 'full', userId: 2, amount: 5, createdAtMs: nowMs - 30_000 },
      {
        ...open,
        id: 'key',
        scope: 'token',
        userId: 2,
        tokenId: 1,
        amount: 0,
        createdAtMs: nowMs - 3_600_000,
      },
    ]);
    const samples = await app.app
      .get(MetricsRegistry, { strict: false })
      .samples('tollgate_reservation_oldest_seconds');
    const ageOf = (scope: string): number | undefined =>
      samples?.find(({ labels }) => labels['scope'] === scope)?.value;
    expect(ageOf('token')).toBe(0);
    expect(ageOf('user')).toBeGreaterThanOrEqual(30);
    expect(ageOf('user')).toBeLessThan(600);
  } finally {
    await app.dataSource.getRepository(ReservationEntity).clear();
    await app.close();
  }
});
