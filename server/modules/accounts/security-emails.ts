import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import type { GuardChange } from '../mail/mail-templates.js';
import { Mailer } from '../mail/mailer.js';
import { AccountsService } from './accounts.service.js';
import { readSetting } from './user-setting.js';

/** Letters to owners when something that guards their account changed: whoever did it without them is found out. */
@Injectable()
export class SecurityEmails {
  private readonly logger = new Logger('Letters');

  constructor(
    private readonly accounts: AccountsService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Writes to the account's own address, in the background; accounts without one get nothing. Never fails. */
  tell(userId: number, change: GuardChange): void {
    if (!this.mailer.isSetUp) return;
    void this.accounts
      .listRecipients([userId])
      .then(([owner]) => {
        if (owner !== undefined) this.tellAt(owner, change);
      })
      .catch((error: unknown) =>
        this.logger.warn(`account ${userId} was not told of a change (${change}): ${String(error)}`),
      );
  }

  /** As `tell`, to the address an owner had before the change. */
  tellAt(
    owner: { readonly username: string; readonly email: string; readonly setting: string },
    change: GuardChange,
  ): void {
    if (owner.email === '' || !this.mailer.isSetUp) return;
    this.mailer.post({
      to: owner.email,
      template: 'account-changed',
      language: readSetting(owner.setting).language ?? 'en',
      values: { username: owner.username, change, at: new Date(this.clock.nowMs()).toISOString() },
    });
  }
}
