import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SharedStore, StoreUnavailableError } from '../../infra/shared-store/shared-store.js';
import { SqlWindows } from '../../infra/rate-limit/sql-windows.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';
import { OptionsService } from '../options/options.service.js';

const DAY_MS = 86_400_000;

/** Inviter of an account. */
export interface Inviter {
  readonly id: number;
  readonly username: string;
}

/** Gifts to a new account and its inviter: decided once, so that the record matches what was given. */
export interface Gifts {
  readonly forAccount: number;
  /** `setup` for the first root. */
  readonly kind: 'grant_new' | 'setup';
  readonly forUsingCode: number;
  readonly forInviting: number;
  readonly inviter: Inviter | null;
}

/** Gifts for registering and for inviting. */
@Injectable()
export class AccountGifts {
  private readonly withoutStore: SqlWindows;

  constructor(
    private readonly money: AccountMoney,
    private readonly options: OptionsService,
    private readonly logs: LogWriter,
    private readonly store: SharedStore,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.withoutStore = new SqlWindows(dataSource);
  }

  /** An inviter earns for so many accounts a day; those beyond it are counted and earn nothing. */
  async decide(inviter: Inviter | null): Promise<Gifts> {
    const { QuotaForNewUser, QuotaForInvitee, QuotaForInviter, InviterDailyRewards } = this.options.values();
    const earns =
      inviter !== null && QuotaForInviter > 0 && (await this.mayEarn(inviter.id, InviterDailyRewards));
    return {
      forAccount: QuotaForNewUser,
      kind: 'grant_new',
      forUsingCode: inviter === null ? 0 : QuotaForInvitee,
      forInviting: earns ? QuotaForInviter : 0,
      inviter,
    };
  }

  /** Books the gifts in the transaction that makes the account, which is what makes them happen once. */
  async give(manager: EntityManager, userId: number, gifts: Gifts, actorId: number): Promise<void> {
    const { forAccount, forUsingCode, forInviting, inviter, kind } = gifts;
    const movement = { userId, ref: String(userId), actorId };
    if (forAccount > 0) {
      const reason = kind === 'setup' ? 'first account' : 'new account';
      await this.money.credit(manager, { ...movement, amount: forAccount, kind, reason });
    }
    if (inviter === null) return;
    if (forUsingCode > 0) {
      const reason = `invited by ${inviter.id}`;
      await this.money.credit(manager, { ...movement, amount: forUsingCode, kind: 'grant_invitee', reason });
    }
    await this.money.rewardInviter(manager, { inviterId: inviter.id, amount: forInviting });
  }

  /** A line of type 4 per gift, in the log of its recipient. */
  async note(userId: number, username: string, gifts: Gifts): Promise<void> {
    const { forAccount, forUsingCode, forInviting, inviter } = gifts;
    const self = { id: userId, username };
    const lines = [
      { to: self, quota: forAccount, why: 'for registering', event: { code: 'grant_new' } },
      { to: self, quota: forUsingCode, why: 'for using an invite code', event: { code: 'grant_invitee' } },
      {
        to: inviter ?? self,
        quota: forInviting,
        why: `for inviting account ${userId}`,
        event: { code: 'grant_inviter', account_id: userId },
      },
    ] as const;
    for (const { to, quota, why, event } of lines.filter((line) => line.quota > 0)) {
      await this.logs.write({
        type: LOG_TYPE.system,
        userId: to.id,
        username: to.username,
        content: `The system gave ${quota} quota ${why}`,
        quota,
        event,
      });
    }
  }

  private async mayEarn(inviterId: number, dailyLimit: number): Promise<boolean> {
    if (dailyLimit === 0) return true;
    const key = `invite-rewards:${inviterId}`;
    try {
      return (await this.store.windows.admit(key, dailyLimit, DAY_MS)).admitted;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // Rewards are money: a day's cap holds without Redis as well.
      return (await this.withoutStore.admit(key, dailyLimit, DAY_MS)).admitted;
    }
  }
}

/** Gift of the first root. */
export const ROOT_GIFTS: Gifts = {
  forAccount: 100_000_000,
  kind: 'setup',
  forUsingCode: 0,
  forInviting: 0,
  inviter: null,
};
