import { Injectable } from '@nestjs/common';
import type { Recipient } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { warningThresholdOf } from '../users/user-setting.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import { OptionsService } from '../options/options.service.js';
import { Notifier } from './notifier.js';
import type { QuotaWarningEntity } from './quota-warning.entity.js';
import { QuotaWarningsRepository } from './quota-warnings.repository.js';

/** Warns accounts whose balance fell below their threshold: once per crossing, whatever number of calls and instances sees it. */
@Injectable()
export class QuotaWarnings {
  constructor(
    private readonly money: AccountMoney,
    private readonly accounts: AccountsService,
    private readonly options: OptionsService,
    private readonly notifier: Notifier,
    private readonly warnings: QuotaWarningsRepository,
  ) {}

  /** Looks at the balances of these accounts. */
  async check(userIds: readonly number[]): Promise<void> {
    const recipients = await this.accounts.listRecipients(userIds);
    const balances = await this.money.balancesOf(userIds);
    const warned = await this.warnings.listOf(userIds);
    for (const recipient of recipients) {
      const balance = balances.get(recipient.id);
      if (balance !== undefined) await this.checkOne(recipient, balance, warned.get(recipient.id));
    }
  }

  private async checkOne(
    recipient: Recipient,
    balance: number,
    warned: QuotaWarningEntity | undefined,
  ): Promise<void> {
    const threshold = warningThresholdOf(recipient.setting, this.options.values().QuotaRemindThreshold);
    // A threshold of 0 asks for no warnings, of a balance below 0 neither.
    if (threshold === 0 || balance >= threshold) {
      if (warned !== undefined) await this.warnings.delete(recipient.id);
      return;
    }
    const isNew =
      warned === undefined
        ? await this.warnings.insert(recipient.id, balance)
        : (await this.wasAbove(warned, threshold)) && (await this.warnings.renew(warned, balance));
    if (isNew) await this.notifier.notify(recipient, { kind: 'quota-warning', balance, threshold });
  }

  /** Topped up past the threshold and spent again between two looks: another crossing, which no look saw from above. */
  private async wasAbove(warned: QuotaWarningEntity, threshold: number): Promise<boolean> {
    const income = await this.money.incomeSince(warned.userId, warned.warnedAtMs);
    return warned.balance + income >= threshold;
  }
}
