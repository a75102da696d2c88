import { Injectable, Logger } from '@nestjs/common';
import type { Language } from '../../../common/language.js';
import { Clock } from '../../../common/clock.js';
import type { GuardChange } from './mail-templates.js';
import { Mailer } from './mailer.js';
import { AccountsService } from '../../users/accounts.service.js';
import { readSetting } from '../../users/user-setting.js';

/** Mails to owners about security changes of their account: changes made by others do not go unnoticed. */
@Injectable()
export class SecurityEmails {
  private readonly logger = new Logger('Letters');
  private hasWarnedUnset = false;

  constructor(
    private readonly accounts: AccountsService,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Writes to the account's own address, in the background; accounts without one get nothing. Never fails. */
  send(userId: number, change: GuardChange): void {
    if (!this.canWrite()) return;
    void this.accounts
      .listRecipients([userId])
      .then(([owner]) => {
        if (owner !== undefined) this.sendTo(owner, change, mailLanguageOf(owner));
      })
      .catch((error: unknown) =>
        this.logger.warn(`account ${userId} was not told of a change (${change}): ${String(error)}`),
      );
  }

  /** Like `send`, to the address an owner had before the change. */
  sendTo(
    { username, email }: { readonly username: string; readonly email: string },
    change: GuardChange,
    language: Language,
  ): void {
    if (email === '' || !this.canWrite()) return;
    const at = new Date(this.clock.nowMs()).toISOString();
    const values = { username, change, at };
    this.mailer.post({ to: email, template: 'account-changed', language, values });
  }

  /** Logs once that mails are left out, and again when the mail server is removed later. */
  private canWrite(): boolean {
    const { isSetUp } = this.mailer;
    if (!isSetUp && !this.hasWarnedUnset)
      this.logger.warn(
        'owners are not told of changes to their passwords, addresses and second factors: no mail server is set up (SMTPServer)',
      );
    this.hasWarnedUnset = !isSetUp;
    return isSetUp;
  }
}

/** Language of mails to an account. */
export const mailLanguageOf = ({ setting }: { readonly setting: string }): Language =>
  readSetting(setting).language ?? 'en';
