import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Ids } from '../../common/ids.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountMoney, BalanceTooHighError } from '../../base/billing/ledger/account-money.service.js';
import type { TokenRow } from './tokens.repository.js';

/** Quota of a token: read and changed through the billing module, which alone writes money columns. */
@Injectable()
export class TokenAllowances {
  constructor(
    private readonly money: AccountMoney,
    private readonly ids: Ids,
  ) {}

  /** The allowance a token starts with. Fails: balance_too_high. */
  async grantFirst(
    manager: EntityManager,
    actor: Actor,
    { tokenId, amount }: { readonly tokenId: number; readonly amount: number },
  ): Promise<void> {
    const grant = { tokenId, amount, kind: 'create', ref: `token:${tokenId}`, actorId: actor.id } as const;
    await asDomainError(this.money.grantToken(manager, grant));
  }

  /**
   * Changes the allowance of a locked token. With the figure the form was opened with only the difference is applied, so that
   * calls charged in between are not undone; without it the token may spend `wanted` from now on.
   * An allowance never falls below what running calls hold.
   * Fails: balance_too_high.
   */
  async change(
    manager: EntityManager,
    actor: Actor,
    token: TokenRow,
    change: { readonly wanted: number; readonly loaded: number | undefined },
  ): Promise<void> {
    const ref = this.ids.callId();
    const shared = { tokenId: token.id, ref, actorId: actor.id };
    if (change.loaded === undefined) {
      await asDomainError(this.money.setTokenAllowance(manager, { ...shared, remainder: change.wanted }));
      return;
    }
    const amount = Math.max(change.wanted - change.loaded, -token.remainQuota);
    if (amount !== 0)
      await asDomainError(this.money.grantToken(manager, { ...shared, amount, kind: 'edit' }));
  }

  /** Unspent reservations included. */
  async remainderOf(token: TokenRow): Promise<number> {
    return (await this.remaindersOf([token])).get(token.id) ?? token.remainQuota;
  }

  async remaindersOf(tokens: readonly TokenRow[]): Promise<ReadonlyMap<number, number>> {
    return this.money.tokenRemaindersOf(tokens.map((token) => token.id));
  }

  async returnPools(userId: number, tokenId: number): Promise<void> {
    await this.money.returnPools({ userId, tokenId });
  }
}

async function asDomainError(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof BalanceTooHighError ? new DomainError('balance_too_high') : error;
  }
}
