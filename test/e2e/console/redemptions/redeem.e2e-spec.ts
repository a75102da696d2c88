import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import type { AccountMoney } from '../../../../server/base/billing/ledger/account-money.service.js';
import { ROLE } from '../../../../server/base/access/user.codes.js';
import { redeemCode } from '../../../../server/console/redemptions/redeem.service.js';
import { REDEMPTION_STATUS } from '../../../../server/console/redemptions/redemption.codes.js';
import { RedemptionEntity } from '../../../../server/console/redemptions/redemption.entity.js';
import { RedemptionsRepository } from '../../../../server/console/redemptions/redemptions.repository.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory } from '../../../support/fixtures/money.fixture.js';
import { newRedemption } from '../../../support/stored-rows.js';

const NOW = 1_795_262_400;
/** Not among the accounts that redeem. */
const MAKER = 9_999;
const personOf = (id: number) => ({ id, role: ROLE.user });

describe.each(DATABASE_KINDS)('redemption codes on %s', (kind) => {
  let books: Books;
  let store: SharedStore;
  let money: AccountMoney;
  let codes: RedemptionsRepository;
  let users: number[];

  beforeAll(async () => {
    books = await Books.open(kind);
    store = openMemory();
    money = books.money(store);
    codes = new RedemptionsRepository(books.dataSource.getRepository(RedemptionEntity));
    users = [];
    for (let index = 0; index < 20; index += 1) users.push(await books.addUser(0));
  });
  afterAll(async () => {
    expect(await books.check()).toEqual([]);
    await store.close();
    await books.close();
  });

  const addCode = async (quota: number, expiredTime = 0): Promise<string> => {
    const keyDigest = randomBytes(32).toString('hex');
    const row = newRedemption({ userId: MAKER, keyDigest, quota, createdTime: NOW, expiredTime });
    await runInTransaction(books.dataSource, (manager) => codes.insertMany(manager, [row]));
    return keyDigest;
  };
  const redeem = (keyDigest: string, userId: number) =>
    redeemCode(
      { dataSource: books.dataSource, codes, money },
      { keyDigest, actor: personOf(userId), nowSeconds: NOW },
    );
  const balances = async (): Promise<number> => {
    const all = await money.balancesOf(users);
    return [...all.values()].reduce((sum, balance) => sum + balance, 0);
  };

  it('lets one win of 1,000 tries at one code, at once, by 20 accounts [F-30, RED-01]', async () => {
    const before = await balances();
    const keyDigest = await addCode(12_345);
    // SQLite belongs to one process, whose connection takes all tries one after the other.
    const others = kind === 'sqlite' ? [] : [2, 3, 4, 5].map(() => Books.attach(books.database.url, ''));
    const instances = [books, ...(await Promise.all(others))];
    const tries = instances.flatMap(({ dataSource }) => {
      const parts = {
        dataSource,
        codes: new RedemptionsRepository(dataSource.getRepository(RedemptionEntity)),
        money,
      };
      return Array.from({ length: 1_000 / instances.length }, (_, index) =>
        redeemCode(parts, { keyDigest, actor: personOf(users[index % users.length] ?? 0), nowSeconds: NOW }),
      );
    });
    const results = await Promise.all(tries);
    for (const { dataSource } of instances.slice(1)) await dataSource.destroy();
    expect(results).toHaveLength(1_000);
    expect(results.filter((result) => result !== null)).toEqual([
      { codeId: expect.any(Number), creatorId: MAKER, quota: 12_345 },
    ]);
    expect(await balances()).toBe(before + 12_345);
    const row = await books.dataSource.getRepository(RedemptionEntity).findOneByOrFail({ keyDigest });
    expect(row).toMatchObject({ status: REDEMPTION_STATUS.used, redeemedTime: NOW, logPending: 1 });
    expect(users).toContain(row.usedUserId);
  });

  it('many codes by many accounts at once: each is worth its quota once', async () => {
    const before = await balances();
    const digests = await Promise.all(Array.from({ length: 30 }, (_, index) => addCode(1_000 + index)));
    const tries = digests.flatMap((digest) => users.slice(0, 5).map((userId) => redeem(digest, userId)));
    const won = (await Promise.all(tries)).filter((result) => result !== null);
    expect(won).toHaveLength(30);
    // 30 × 1,000 + (0 + 1 + … + 29)
    expect(await balances()).toBe(before + 30_435);
  });

  it('takes no disabled, expired, deleted or unknown code, and leaves them as they are [RED-04, REDEEM-107]', async () => {
    const before = await balances();
    const [userId = 0] = users;
    const disabled = await addCode(100);
    const expired = await addCode(100, NOW);
    const deleted = await addCode(100);
    const rowOf = (keyDigest: string) =>
      books.dataSource.getRepository(RedemptionEntity).findOneByOrFail({ keyDigest });
    const { unused } = REDEMPTION_STATUS;
    await runInTransaction(books.dataSource, async (manager) => {
      const { id } = await manager.getRepository(RedemptionEntity).findOneByOrFail({ keyDigest: disabled });
      await codes.change(manager, id, [unused], { status: REDEMPTION_STATUS.disabled });
      const gone = await manager.getRepository(RedemptionEntity).findOneByOrFail({ keyDigest: deleted });
      await codes.softDelete(manager, gone.id, { actorId: 1, nowMs: NOW * 1000 });
    });
    for (const digest of [disabled, expired, deleted, 'f'.repeat(64)])
      expect(await redeem(digest, userId)).toBeNull();
    expect(await balances()).toBe(before);
    expect(await rowOf(expired)).toMatchObject({ status: unused, usedUserId: 0, logPending: 0 });
  });

  it('a code that its account has no room for stays unused', async () => {
    const userId = await books.addUser(4_000_000_000_000_000);
    const keyDigest = await addCode(1);
    await expect(redeem(keyDigest, userId)).rejects.toThrow('the balance would grow too large');
    expect(await redeem(keyDigest, users[0] ?? 0)).toMatchObject({ quota: 1 });
  });

  it('credits the value of a code at the moment of its use, while administrators edit it', async () => {
    const [userId = 0] = users;
    for (let round = 0; round < 5; round += 1) {
      const before = await balances();
      const keyDigest = await addCode(1_000);
      const { id } = await books.dataSource.getRepository(RedemptionEntity).findOneByOrFail({ keyDigest });
      const edit = runInTransaction(books.dataSource, (manager) =>
        codes.change(manager, id, [REDEMPTION_STATUS.unused], { quota: 5_000 }),
      );
      const [redeemed, wasEdited] = await Promise.all([redeem(keyDigest, userId), edit]);
      const row = await books.dataSource.getRepository(RedemptionEntity).findOneByOrFail({ id });
      expect(redeemed?.quota).toBe(row.quota);
      expect(row.quota).toBe(wasEdited ? 5_000 : 1_000);
      expect(await balances()).toBe(before + row.quota);
    }
  });
});
