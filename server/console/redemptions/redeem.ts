import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import type { RedemptionsRepository } from './redemptions.repository.js';

/** A code that was just turned into quota. */
export interface Redeemed {
  readonly codeId: number;
  readonly creatorId: number;
  readonly quota: number;
}

export interface RedeemParts {
  readonly dataSource: DataSource;
  readonly codes: Pick<RedemptionsRepository, 'findByDigest' | 'use'>;
  readonly money: Pick<AccountMoney, 'credit'>;
}

/** What the ledger names a redeemed code by. */
export const ledgerRefOf = (codeId: number): string => `redemption:${codeId}`;

/**
 * Turns a code into quota: its change from unused to used and the credit are one transaction, so that of any number of tries
 * at once one wins, on any number of instances.
 * @returns null when the code is unknown, used, disabled, expired or deleted: nobody is told which
 * Fails: AccountMissingError, BalanceTooHighError; the code then stays unused.
 */
export async function redeemCode(
  { dataSource, codes, money }: RedeemParts,
  attempt: { readonly keyDigest: string; readonly userId: number; readonly nowSeconds: number },
): Promise<Redeemed | null> {
  const { keyDigest, userId, nowSeconds } = attempt;
  const code = await codes.findByDigest(keyDigest);
  if (code === null) return null;
  const quota = await runInTransaction(dataSource, async (manager) => {
    const worth = await codes.use(manager, code.id, { userId, nowSeconds });
    if (worth === null) return null;
    const isNew = await money.credit(manager, {
      userId,
      amount: worth,
      kind: 'redeem',
      ref: ledgerRefOf(code.id),
      actorId: userId,
      reason: `code ${code.id}`,
    });
    return isNew ? worth : null;
  });
  return quota === null ? null : { codeId: code.id, creatorId: code.userId, quota };
}
