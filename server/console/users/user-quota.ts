import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import type { Actor } from '../../base/access/current-actor.js';
import {
  AccountMoney,
  BalanceTooHighError,
  BalanceTooLowError,
} from '../../base/billing/ledger/account-money.service.js';
import { AdministratorQuota } from '../../base/users/administrator-quota.js';
import type { UserEdit, UserManage } from './dto/user.dto.js';

/** Result of an adjustment, for the records. */
export interface Adjustment {
  /** Quota added; below 0 what was taken. */
  readonly amount: number;
  readonly reason: string;
  /** Balance right after it; undefined when nothing was moved. */
  readonly balance?: number;
}

/** Balances changed by administrators: always a difference, booked with who and why. */
@Injectable()
export class UserQuota {
  constructor(
    private readonly money: AccountMoney,
    private readonly allowance: AdministratorQuota,
  ) {}

  /** The difference to what the form showed, so that what was spent meanwhile stays spent. Fails: as `adjust`. */
  async set(
    manager: EntityManager,
    actor: Actor,
    input: UserEdit & { readonly quota: number },
  ): Promise<Adjustment> {
    const shown = input.loaded_quota ?? (await this.balanceOf(manager, input.id));
    const amount = input.quota - shown;
    return this.book(manager, actor, { userId: input.id, amount, ref: randomUUID(), reason: input.reason });
  }

  /**
   * Adds, takes, or sets. An operation id makes it happen once.
   * Fails: DomainError `malformed_input`, `balance_too_low`, `balance_in_use`, `balance_too_high`, `adjustment_too_large`,
   * `administrator_daily_limit`.
   */
  async adjust(manager: EntityManager, actor: Actor, input: UserManage): Promise<Adjustment> {
    const { id, mode, value, operation_id: operationId = randomUUID() } = input;
    if (mode === undefined) throw malformed('mode', 'missing: add, subtract or override');
    if (value === undefined) throw malformed('value', 'missing');
    if (mode !== 'override' && value <= 0) throw malformed('value', 'add and subtract need one above 0');
    const amount =
      mode === 'add' ? value : mode === 'subtract' ? -value : value - (await this.balanceOf(manager, id));
    return this.book(manager, actor, { userId: id, amount, ref: operationId, reason: input.reason });
  }

  private async book(
    manager: EntityManager,
    actor: Actor,
    change: {
      readonly userId: number;
      readonly amount: number;
      readonly ref: string;
      readonly reason: string | undefined;
    },
  ): Promise<Adjustment> {
    const { userId, amount, ref } = change;
    const reason = cleanLine(change.reason ?? '');
    if (amount === 0) return { amount, reason };
    if (!Number.isSafeInteger(amount))
      throw new DomainError(amount > 0 ? 'balance_too_high' : 'balance_too_low');
    this.allowance.assertAtOnce(actor, amount, 'adjustment_too_large');
    try {
      const isNew = await this.money.adjust(manager, {
        userId,
        amount,
        ref,
        actorId: actor.id,
        reason: reason === '' ? `adjusted by ${actor.username}` : reason,
      });
      if (!isNew) return { amount: 0, reason };
      await this.allowance.count(manager, actor, amount);
      return { amount, reason, balance: await this.balanceOf(manager, userId) };
    } catch (error) {
      if (error instanceof BalanceTooLowError) {
        // Reserved quota counts as balance: if it had been enough, running calls are in the way.
        const isThere = (await this.balanceOf(manager, userId)) + amount >= 0;
        throw new DomainError(isThere ? 'balance_in_use' : 'balance_too_low');
      }
      if (error instanceof BalanceTooHighError) throw new DomainError('balance_too_high');
      throw error;
    }
  }

  private async balanceOf(manager: EntityManager, id: number): Promise<number> {
    return (await this.money.balancesOf([id], manager)).get(id) ?? 0;
  }
}

const malformed = (field: string, problem: string): DomainError =>
  new DomainError('malformed_input', { field, problem: ` (${problem})` });
