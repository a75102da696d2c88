import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import type { GuardChange } from '../mail/mail-templates.js';
import { Mailer } from '../mail/mailer.js';
import { AccountsService } from './accounts.service.js';
import { readSetting } from './user-setting.js';

/** Letters to owners when something that guards their account changed (AUTH-12): whoever did it without them is found out. */
@Injectable()
export class AccountLetters {
  private readonly logger = new Logger('Letters');

  constructor(
    private readonly accounts: AccountsService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Writes to the account's own address, in the background; accounts without one get nothing. Never fails. */
  tell(userId: number, change: GuardChange): void {
    if (!this.mailer.isSetUp) return;
    const at = new Date(this.clock.nowMs()).toISOString();
    void this.accounts
      .listRecipients([userId])
      .then(([owner]) => {
        if (owner === undefined || owner.email === '') return;
        this.mailer.post({
          to: owner.email,
          template: 'account-changed',
          language: readSetting(owner.setting).language ?? 'en',
          values: { username: owner.username, change, at },
        });
      })
      .catch((error: unknown) =>
        this.logger.warn(`account ${userId} was not told of a change (${change}): ${String(error)}`),
      );
  }
}
