import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PartAdmission } from '../../../../server/base/billing/channel-limits/part-admission.js';
import { LimitParts } from '../../../../server/base/billing/channel-limits/limit-parts.js';
import { reapParts } from '../../../../server/base/billing/channel-limits/reap-parts.js';
import type { LimitDefinition } from '../../../../server/base/limits/limit-definition.js';
import { LimitUses } from '../../../../server/base/limits/limit-uses.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { noonZone } from '../../../support/fixtures/limits.fixture.js';
import { Books, Crew } from '../../../support/fixtures/money.fixture.js';

const ZONES = [{ zone: noonZone(), fromMs: 0 }];
const MONTH = { measure: 'quota', period: 'month' } as const;
const STD_CHARGE = 110;

describe.each(DATABASE_KINDS)('limits of channels on %s', (kind) => {
  let books: Books;
  const crew = new Crew(() => books);
  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  async function addLimit(
    changes: Partial<LimitDefinition> & { readonly amount: number },
  ): Promise<LimitDefinition> {
    const row = {
      name: 'limit',
      scope: 'channel',
      subject: '7',
      accountId: null,
      each: false,
      model: '',
      ...MONTH,
      rolling: false,
      action: 'pass_over',
      fallbackModel: '',
      warnAt: '',
      admitUnknown: false,
      overrideAmount: null,
      overrideUntilMs: null,
      overrideReason: '',
      createdAtMs: 0,
      updatedAtMs: 0,
      ...changes,
    };
    const { identifiers } = await books.dataSource.getRepository('limits').insert(row);
    return { ...row, id: Number(identifiers[0]?.['id']) } as LimitDefinition;
  }

  async function addWorker(
    owner = randomUUID(),
  ): Promise<{ readonly owner: string; readonly parts: LimitParts }> {
    const { dataSource } = books;
    await dataSource
      .getRepository('instances')
      .insert({ bootId: owner, host: 'h', startedAtMs: 1, lastSeenMs: Date.now(), storeId: null });
    const onFault = (message: string, error: unknown): void => {
      throw new Error(message, { cause: error });
    };
    return {
      owner,
      parts: new LimitParts({ dataSource, clock: new SystemClock(), owner, zones: () => ZONES, onFault }),
    };
  }

  async function take(
    { owner, parts }: Awaited<ReturnType<typeof addWorker>>,
    limit: LimitDefinition,
    need: number,
  ): Promise<PartAdmission | undefined> {
    const window = await parts.take(limit, need);
    return 'type' in window ? undefined : new PartAdmission(parts, [{ window, taken: need }], owner);
  }

  const usedOf = async (limit: LimitDefinition): Promise<number> => {
    const zones = { changes: () => Promise.resolve(ZONES) };
    const store = { sums: () => Promise.resolve(undefined) };
    const uses = new LimitUses(books.dataSource, zones as never, store as never);
    const [use] = await uses.usesOf([limit], Date.now());
    return use?.used ?? 0;
  };

  it('never admits more than the amount over three workers, and leaves no more than 5 % unused', async () => {
    const limit = await addLimit({ amount: 1_000 });
    const workers = await Promise.all([addWorker(), addWorker(), addWorker()]);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => take(workers[index % 3] ?? workers[0], limit, 10)),
    );
    const admitted = answers.filter((answer) => answer !== undefined).length;
    expect(admitted * 10).toBeLessThanOrEqual(1_000);
    expect(admitted * 10).toBeGreaterThanOrEqual(950);
  });

  it('uses what attempts gave back until the amount is reached', async () => {
    const limit = await addLimit({ amount: 1_000 });
    const worker = await addWorker();
    let used = 0;
    for (let round = 0; round < 60; round += 1) {
      const held = await Promise.all(Array.from({ length: 20 }, () => take(worker, limit, 30)));
      for (const admission of held) {
        admission?.count({ quota: 10, inputTokens: 0, outputTokens: 0 });
        if (admission !== undefined) used += 10;
      }
    }
    expect(used).toBeLessThanOrEqual(1_000);
    expect(used).toBeGreaterThanOrEqual(950);
    await worker.parts.sweep(true);
    expect(await usedOf(limit)).toBe(used);
  });

  it('books what a settlement used and takes it from the part of its worker', async () => {
    const limit = await addLimit({ amount: 10_000 });
    const worker = await addWorker();
    const money = await crew.start();
    const call = await money.start(await books.addUser(100_000));
    const admission = await take(worker, limit, 500);
    money.end(call, undefined, { channelId: 7, channelMarks: admission?.marks });
    admission?.settle({ quota: STD_CHARGE, inputTokens: 10, outputTokens: 50 });
    expect(await money.engine.flusher.drain(10_000)).toBe(true);
    await worker.parts.sweep(true);
    expect(await usedOf(limit)).toBe(STD_CHARGE);
    const parts = await books.dataSource.getRepository('limit_parts').findBy({ limitId: limit.id });
    expect(parts.reduce((sum, part) => sum + Number(part['amount']), 0)).toBe(0);
  });

  it('admits no more attempts at once than the limit, and again after one has ended', async () => {
    const limit = await addLimit({ amount: 2, measure: 'in_flight', period: '' });
    const [one, other] = await Promise.all([addWorker(), addWorker()]);
    const first = await take(one, limit, 1);
    expect(await take(other, limit, 1)).toBeDefined();
    expect(await take(one, limit, 1)).toBeUndefined();
    first?.release();
    await one.parts.sweep(true);
    expect(await take(other, limit, 1)).toBeDefined();
  });

  it('frees attempts in flight of a worker without a heartbeat', async () => {
    const limit = await addLimit({ amount: 1, measure: 'in_flight', period: '' });
    const [dead, living] = await Promise.all([addWorker(), addWorker()]);
    await take(dead, limit, 1);
    expect(await take(living, limit, 1)).toBeUndefined();
    await books.dataSource
      .getRepository('instances')
      .update({ bootId: dead.owner }, { lastSeenMs: Date.now() - 61_000 });
    expect(await take(living, limit, 1)).toBeDefined();
  });

  it('counts requests that a lost worker may have sent, and gives back what it held of money', async () => {
    const requests = await addLimit({ amount: 10, measure: 'requests', period: 'day' });
    const money = await addLimit({ amount: 1_000 });
    const [lost, living] = await Promise.all([addWorker(), addWorker()]);
    await take(lost, requests, 1);
    await take(lost, money, 1_000);
    expect(await take(living, money, 1)).toBeUndefined();
    await books.dataSource.getRepository('instances').delete({ bootId: lost.owner });
    await Promise.all([reapParts(books.dataSource, living.owner), reapParts(books.dataSource, living.owner)]);
    expect([await usedOf(requests), await usedOf(money)]).toEqual([1, 0]);
    expect(await take(living, money, 1_000)).toBeDefined();
  });
});
