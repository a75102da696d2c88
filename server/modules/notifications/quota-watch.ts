import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import { LastingFaults } from '../../infra/observability/lasting-faults.js';
import { Interval } from '../../infra/schedule/interval.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import { MoneyService } from '../billing/engine/money.service.js';
import { OptionsService } from '../options/options.service.js';
import type { Recipient } from '../accounts/account.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { warningThresholdOf } from '../accounts/user-setting.js';
import { Notifier } from './notifier.js';
import { QuotaWarningEntity } from './quota-warning.entity.js';

/** How often balances of accounts that were charged are looked at. */
const PERIOD_MS = 5_000;
/** Accounts looked at in one go. */
const BATCH = 500;

/**
 * Warns accounts whose balance fell below their threshold: once per crossing, whatever number of calls and instances sees it.
 * Nothing of it happens during a call; charged accounts are looked at a few seconds later, many in one question.
 */
@Injectable()
export class QuotaWatch implements BeforeApplicationShutdown {
  private readonly faults: LastingFaults;
  private unseen: readonly string[] = [];
  private looking: Promise<void> = Promise.resolve();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly engine: MoneyService,
    private readonly money: AccountMoney,
    private readonly accounts: AccountsService,
    private readonly options: OptionsService,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {
    const logger = new Logger('QuotaWatch');
    this.faults = new LastingFaults(clock, (line) => logger.warn(line));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looking;
  }

  /** Looks at every account that was charged since the last look. Never fails: what could not be looked at waits for the next. */
  look(): Promise<void> {
    this.looking = this.looking.then(async () => {
      const reservations = [...this.unseen, ...this.engine.takeCharged()];
      this.unseen = [];
      if (reservations.length === 0) return;
      try {
        const owners = await this.money.ownersOf(reservations);
        for (let start = 0; start < owners.length; start += BATCH)
          await this.judge(owners.slice(start, start + BATCH));
      } catch (error) {
        this.unseen = reservations;
        this.faults.seen('balances could not be looked at, the next turn tries again', String(error));
      }
    });
    return this.looking;
  }

  @Interval('quota-watch', PERIOD_MS)
  async lookAgain(): Promise<void> {
    await this.look();
  }

  private async judge(userIds: readonly number[]): Promise<void> {
    const recipients = await this.accounts.listRecipients(userIds);
    const balances = await this.money.balancesOf(userIds);
    const rows = await this.warnings().findBy({ userId: In([...userIds]) });
    const warned = new Map(rows.map((row) => [row.userId, row]));
    for (const recipient of recipients) {
      const balance = balances.get(recipient.id);
      if (balance !== undefined) await this.judgeOne(recipient, balance, warned.get(recipient.id));
    }
  }

  private async judgeOne(
    recipient: Recipient,
    balance: number,
    warned: QuotaWarningEntity | undefined,
  ): Promise<void> {
    const userId = recipient.id;
    const threshold = warningThresholdOf(recipient.setting, this.options.values().QuotaRemindThreshold);
    // A threshold of 0 asks for no warnings, of a balance below 0 neither.
    if (threshold === 0 || balance >= threshold) {
      if (warned !== undefined) await this.warnings().delete({ userId });
      return;
    }
    const isNew =
      warned === undefined
        ? await this.noteFirst(userId, balance)
        : await this.noteAnother(warned, balance, threshold);
    if (isNew) await this.notifier.notify(recipient, { kind: 'quota-warning', balance, threshold });
  }

  /** Of several instances that see the crossing one writes the row, and warns. */
  private async noteFirst(userId: number, balance: number): Promise<boolean> {
    try {
      await this.warnings().insert({ userId, warnedAtMs: this.clock.nowMs(), balance });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Topped up past the threshold and spent again between two looks: another crossing, which no look saw from above. */
  private async noteAnother(
    warned: QuotaWarningEntity,
    balance: number,
    threshold: number,
  ): Promise<boolean> {
    const { userId, warnedAtMs } = warned;
    const income = await this.money.incomeSince(userId, warnedAtMs);
    if (warned.balance + income < threshold) return false;
    const change = { warnedAtMs: this.clock.nowMs(), balance };
    const result = await this.warnings().update({ userId, warnedAtMs }, change);
    return result.affected === 1;
  }

  private warnings() {
    return this.dataSource.getRepository(QuotaWarningEntity);
  }
}
