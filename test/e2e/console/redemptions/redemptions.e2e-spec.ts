import { type Moment, momentOf } from '../../../../server/common/moment.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { RedemptionLog } from '../../../../server/console/redemptions/redemption-log.js';
import { RedemptionEntity } from '../../../../server/console/redemptions/redemption.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

interface Code {
  readonly id: number;
  readonly key: string;
  readonly status: number;
  readonly quota: number;
  readonly name: string;
  readonly used_user_id: number;
  readonly redeemed_time: number;
  readonly expired_time: number;
}

class ShiftedClock extends SystemClock {
  shiftMs = 0;

  override nowMs(): Moment {
    return momentOf(super.nowMs() + this.shiftMs);
  }
}

describe.each(DATABASE_KINDS)('redemption codes over the API on %s', (kind) => {
  const clock = new ShiftedClock();
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let user: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url }, clock });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'warden', role: 'admin' });
    user = await signUp(root, { username: 'someone' });
  });
  afterAll(async () => {
    expect(await checkMoney(app.dataSource)).toEqual([]);
    await app.close();
    await database.drop();
  });

  const make = (wish: Record<string, unknown> = {}): Promise<string[]> =>
    admin.expectSuccess('POST', '/api/redemption/', { name: 'gift', quota: 1_000, count: 1, ...wish });
  const newest = async (): Promise<Code> => {
    const { items } = await admin.expectSuccess<{ items: Code[] }>(
      'GET',
      '/api/redemption/?p=1&page_size=10',
    );
    return items[0] as Code;
  };
  /** Ten tries a minute are allowed; a minute passes before each. */
  const redeem = (client: ApiClient, key: string) => {
    clock.shiftMs += 61_000;
    return client.post('/api/user/topup', { key });
  };
  const codeOf = async (reply: Promise<{ body: { code?: string } }>) => (await reply).body.code;
  const balanceOf = (client: ApiClient) =>
    client.expectSuccess<{ quota: number }>('GET', '/api/user/self').then(({ quota }) => quota);

  it('makes up to a hundred codes of 128 random bits at once, and shows them to administrators', async () => {
    const codes = await make({ count: 100, name: 'batch', quota: 500 });
    expect(new Set(codes).size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/);
    const page = await admin.expectSuccess<{ items: Code[]; total: number; page: number; page_size: number }>(
      ...(['GET', '/api/redemption/?p=2&page_size=20'] as const),
    );
    expect(page).toMatchObject({ total: 100, page: 2, page_size: 20 });
    expect(page.items).toHaveLength(20);
    expect(page.items[0]).toMatchObject({ status: 1, quota: 500, name: 'batch', used_user_id: 0, count: 0 });
    expect(codes).toContain(page.items[0]?.key);
    const stored = JSON.stringify(await app.dataSource.getRepository(RedemptionEntity).find());
    for (const code of codes) expect(stored).not.toContain(code);
  });

  it('refuses what makes no sense, and makes none of it [RED-03]', async () => {
    const before = await app.dataSource.getRepository(RedemptionEntity).count();
    const ask = (wish: Record<string, unknown>) =>
      codeOf(admin.post('/api/redemption/', { name: 'gift', quota: 1, count: 1, ...wish }));
    for (const count of [0, -1, 101, 1.5, 10_000])
      expect(await ask({ count })).toBe('redemption_count_range');
    for (const quota of [0, -5, 0.5, 1e12 + 1, 1e300])
      expect(await ask({ quota })).toBe('redemption_quota_range');
    for (const name of ['', '   ', 'x'.repeat(21)])
      expect(await ask({ name })).toBe('redemption_name_length');
    expect(await ask({ expired_time: 1_000 })).toBe('redemption_expiry_past');
    expect(await ask({ quota: '5' })).toBe('malformed_input');
    expect(await app.dataSource.getRepository(RedemptionEntity).count()).toBe(before);
    // Twenty characters, not bytes.
    expect(await make({ name: '兑'.repeat(20) })).toHaveLength(1);
  });

  it('makes of thirty tries at once over the API one credit, one ledger row and one log line [RED-01]', async () => {
    const winners = await Promise.all([1, 2, 3].map((index) => signUp(root, { username: `crowd${index}` })));
    const [code = ''] = await make({ quota: 7_777 });
    clock.shiftMs += 61_000;
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        winners[index % 3]?.post('/api/user/topup', { key: ` ${code.toUpperCase()} ` }),
      ),
    );
    const won = replies.filter((reply) => reply?.body.success === true);
    expect(won.map((reply) => reply?.body.data)).toEqual([7_777]);
    const balances = await Promise.all(winners.map(balanceOf));
    expect(balances.toSorted((a, b) => a - b)).toEqual([0, 0, 7_777]);
    const lines = await app.dataSource.getRepository(LogEntity).findBy({ type: 1, quota: 7_777 });
    expect(lines).toMatchObject([{ content: expect.stringMatching(/^Redeemed \$0\.015554, code id \d+$/) }]);
    expect(await newest()).toMatchObject({
      status: 3,
      redeemed_time: expect.any(Number),
      used_user_id: lines[0]?.userId,
    });
  });

  it('allows 1 ⇄ 2 and 1 → 3 alone; leaves a used code as it is [RED-04]', async () => {
    const [key = ''] = await make({ name: 'states', quota: 10 });
    const { id } = await newest();
    const status = (wanted: number) => admin.put('/api/redemption/?status_only=true', { id, status: wanted });
    expect((await status(2)).body.data).toMatchObject({ status: 2, quota: 10 });
    expect(await codeOf(redeem(user, key))).toBe('redemption_invalid');
    expect(await codeOf(admin.put('/api/redemption/', { id, name: 'other', quota: 99 }))).toBe(
      'redemption_not_unused',
    );
    expect((await status(1)).body.data).toMatchObject({ status: 1 });
    for (const wrong of [0, 3, 4]) expect((await status(wrong)).body.code).toBe('invalid_input');
    const edited = await admin.put('/api/redemption/', { id, name: 'edited', quota: 25, status: 3 });
    expect(edited.body.data).toMatchObject({ name: 'edited', quota: 25, status: 1 });
    expect((await redeem(user, key)).body).toMatchObject({ success: true, data: 25 });
    for (const wanted of [1, 2]) expect((await status(wanted)).body.code).toBe('redemption_used');
    expect(await codeOf(admin.put('/api/redemption/', { id, quota: 1_000_000 }))).toBe(
      'redemption_not_unused',
    );
    expect(await codeOf(redeem(user, key))).toBe('redemption_invalid');
    expect((await admin.get(`/api/redemption/${id}`)).body.data).toMatchObject({
      status: 3,
      quota: 25,
      used_user_id: user.userId,
    });
  });

  it('takes no code after its expiry [REDEEM-107]', async () => {
    const [key = ''] = await make({ expired_time: Math.floor(clock.nowMs() / 1000) + 600 });
    clock.shiftMs += 601_000;
    expect(await codeOf(redeem(user, key))).toBe('redemption_invalid');
    const [other = ''] = await make({ expired_time: Math.floor(clock.nowMs() / 1000) + 600 });
    expect((await redeem(user, other)).body.success).toBe(true);
  });

  it('finds codes by id and by how their name begins, signs being letters', async () => {
    await make({ name: 'a%b_c' });
    const { id } = await newest();
    const found = async (keyword: string) => {
      const { items } = await admin.expectSuccess<{ items: Code[] }>(
        ...([
          'GET',
          `/api/redemption/search?keyword=${encodeURIComponent(keyword)}&p=1&page_size=100`,
        ] as const),
      );
      return items.map((code) => code.name);
    };
    expect(await found('a%')).toEqual(['a%b_c']);
    expect(await found('a_')).toEqual([]);
    expect(await found(String(id))).toEqual(['a%b_c']);
    expect(await found('99999999999999')).toEqual([]);
    expect((await found('')).length).toBeGreaterThan(50);
  });

  it('deletes one, and all that can no longer be redeemed; deleted codes are worth nothing', async () => {
    const [key = ''] = await make();
    const { id } = await newest();
    expect((await admin.delete(`/api/redemption/${id}/`)).body.success).toBe(true);
    expect(await codeOf(admin.get(`/api/redemption/${id}`))).toBe('not_found');
    expect(await codeOf(admin.delete(`/api/redemption/${id}`))).toBe('not_found');
    expect(await codeOf(redeem(user, key))).toBe('redemption_invalid');
    const [kept = ''] = await make({ name: 'kept' });
    const count = await admin.expectSuccess<number>('DELETE', '/api/redemption/invalid');
    // Used: crowd, states and the second expiring one; the first expiring one had expired.
    expect(count).toBe(4);
    expect((await redeem(user, kept)).body.success).toBe(true);
  });

  it('gives one answer for everything that is no code, ten tries a minute, twenty failures an hour [RED-02]', async () => {
    const guesser = await signUp(root, { username: 'guesser' });
    expect(await codeOf(redeem(guesser, ''))).toBe('redemption_code_required');
    clock.shiftMs += 3_600_000;
    const quick: (string | undefined)[] = [];
    for (let index = 0; index < 12; index += 1)
      quick.push(await codeOf(guesser.post('/api/user/topup', { key: 'f'.repeat(32) })));
    expect(quick).toEqual([
      ...Array.from({ length: 10 }, () => 'redemption_invalid'),
      'too_many_requests',
      'too_many_requests',
    ]);
    const slow: (string | undefined)[] = [];
    for (let index = 0; index < 12; index += 1) slow.push(await codeOf(redeem(guesser, `guess ${index}`)));
    expect(slow.filter((code) => code === 'redemption_invalid')).toHaveLength(10);
    expect(slow.at(-1)).toBe('too_many_requests');
    const [key = ''] = await make();
    expect((await redeem(guesser, key)).status).toBe(429);
    clock.shiftMs += 3_600_000;
    expect((await redeem(guesser, key)).body.success).toBe(true);
  });

  it('a log line that could not be written is written by the job, once', async () => {
    const [key = ''] = await make({ quota: 4_242 });
    const logs = app.app.get(LogsRepository);
    const insert = logs.insertMany.bind(logs);
    logs.insertMany = () => Promise.reject(new Error('the log database is away'));
    expect((await redeem(user, key)).body).toMatchObject({ success: true, data: 4_242 });
    logs.insertMany = insert;
    const lines = () => app.dataSource.getRepository(LogEntity).countBy({ type: 1, quota: 4_242 });
    expect(await lines()).toBe(0);
    clock.shiftMs += 60_000;
    for (let turn = 0; turn < 2; turn += 1) await app.app.get(RedemptionLog).writeMissing();
    expect(await lines()).toBe(1);
  });

  it('writes every action to the audit log, and shows root the creators of codes and those who redeemed their own [RED-05]', async () => {
    const [key = ''] = await make({ quota: 3, name: 'own' });
    expect(await codeOf(redeem(admin, key))).toBe('redemption_own_code');
    const own = await root.expectSuccess<string[]>('POST', '/api/redemption/', {
      name: 'own',
      quota: 3,
      count: 1,
    });
    expect((await redeem(root, own[0] ?? '')).body.success).toBe(true);
    const acts = await app.dataSource.getRepository(AuditEventEntity).findBy({ targetType: 'redemption' });
    expect(new Set(acts.map(({ action }) => action))).toEqual(
      new Set(
        ['create', 'edit', 'disable', 'enable', 'delete', 'delete_invalid'].map(
          (verb) => `redemption.${verb}`,
        ),
      ),
    );
    expect(JSON.stringify(acts)).not.toContain(key);
    const edited = acts.find(({ detail }) => detail.includes('"edited"'));
    expect(JSON.parse(edited?.detail ?? '')).toEqual({
      name: { before: 'states', now: 'edited' },
      quota: { before: 10, now: 25 },
    });
    const sums = await root.expectSuccess<Record<string, unknown>[]>('GET', '/api/redemption/creators');
    expect(sums).toMatchObject([
      { username: 'root', used_by_creator: 1 },
      { username: 'warden', used_by_creator: 0 },
    ]);
    expect(await codeOf(admin.get('/api/redemption/creators'))).toBe('not_permitted');
    expect(await codeOf(user.get('/api/redemption/'))).toBe('not_permitted');
  });
});
