import { describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import type { RedemptionEntity } from './redemption.entity.js';
import { redeemCode } from './redeem.service.js';

const ATTEMPT = { keyDigest: 'digest', actor: { id: 7, role: 1 }, nowSeconds: 1_700_000_000 };

function codeWorth(worth: number | null, { isNew = true, isEditor = false } = {}) {
  const manager = {} as EntityManager;
  const uses: unknown[] = [];
  const credits: unknown[] = [];
  const parts = {
    dataSource: {
      transaction: (work: (manager: EntityManager) => unknown) => work(manager),
    } as unknown as DataSource,
    codes: {
      findByDigest: async (digest: string) =>
        digest === 'digest' ? ({ id: 3, userId: 1 } as RedemptionEntity) : null,
      use: async (inside: EntityManager, ...use: unknown[]) => {
        expect(inside).toBe(manager);
        uses.push(use);
        return worth;
      },
      isEditor: async (_manager: EntityManager, codeId: number, userId: number) =>
        isEditor && codeId === 3 && userId === 7,
    },
    money: {
      credit: async (inside: EntityManager, movement: unknown) => {
        expect(inside).toBe(manager);
        credits.push(movement);
        return isNew;
      },
    },
  };
  return { parts, uses, credits };
}

describe('redeemCode', () => {
  it('credits the value of the code when it is used, to the redeeming account, under a ref of its own', async () => {
    const { parts, uses, credits } = codeWorth(500);
    expect(await redeemCode(parts, ATTEMPT)).toEqual({ codeId: 3, creatorId: 1, quota: 500 });
    expect(uses).toEqual([[3, { userId: 7, nowSeconds: 1_700_000_000 }]]);
    expect(credits).toEqual([
      { userId: 7, amount: 500, kind: 'redeem', ref: 'redemption:3', actorId: 7, reason: 'code 3' },
    ]);
  });

  it('returns null for an unknown code and marks none as used', async () => {
    const { parts, uses } = codeWorth(500);
    expect(await redeemCode(parts, { ...ATTEMPT, keyDigest: 'other' })).toBeNull();
    expect(uses).toEqual([]);
  });

  it('credits nothing for a code that cannot be used any more', async () => {
    const { parts, credits } = codeWorth(null);
    expect(await redeemCode(parts, ATTEMPT)).toBeNull();
    expect(credits).toEqual([]);
  });

  it('refuses the maker and the editors of a code below root', async () => {
    const made = { ...ATTEMPT, actor: { id: 1, role: 10 } };
    for (const { parts, attempt } of [
      { parts: codeWorth(500), attempt: made },
      { parts: codeWorth(500, { isEditor: true }), attempt: ATTEMPT },
    ]) {
      await expect(redeemCode(parts.parts, attempt)).rejects.toMatchObject({ code: 'redemption_own_code' });
      expect(parts.credits).toEqual([]);
    }
    expect(await redeemCode(codeWorth(500).parts, { ...ATTEMPT, actor: { id: 1, role: 100 } })).toMatchObject(
      { quota: 500 },
    );
  });

  it('promises nothing when the ledger has this code already', async () => {
    expect(await redeemCode(codeWorth(500, { isNew: false }).parts, ATTEMPT)).toBeNull();
  });

  it('fails with the credit, so that the transaction leaves the code unused', async () => {
    const { parts } = codeWorth(500);
    const money = { credit: () => Promise.reject(new Error('too high')) };
    await expect(redeemCode({ ...parts, money }, ATTEMPT)).rejects.toThrow('too high');
  });
});
