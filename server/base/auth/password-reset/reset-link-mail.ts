import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { parseMailAddress } from '../../../common/mail-address.js';
import { USER_STATUS } from '../../access/user.codes.js';
import { AccountsService } from '../../users/accounts.service.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { ServerAddress } from '../../options/server-address.js';
import { MailLimits } from '../verification/mail-limits.js';
import { RESET_LINK_LIFE_MS, ResetLinks } from './reset-links.js';

/** The letter for who forgot a password. */
@Injectable()
export class ResetLinkMail {
  constructor(
    private readonly accounts: AccountsService,
    private readonly links: ResetLinks,
    private readonly limits: MailLimits,
    private readonly mailer: Mailer,
    private readonly server: ServerAddress,
  ) {}

  /**
   * Sends a link to the stored address of the account that has this address. The answer is the same when there
   * is none, and the mail leaves after it.
   * Fails: DomainError `mail_required`, `mail_invalid`, `mail_unavailable`, `reset_unavailable`, `mail_too_often`,
   * `too_many_requests`.
   */
  async send(typed: string, ip: string, language: Language): Promise<void> {
    if (typed.trim() === '') throw new DomainError('mail_required');
    const mail = parseMailAddress(typed);
    if (mail === null) throw new DomainError('mail_invalid');
    if (!this.mailer.isSetUp) throw new DomainError('mail_unavailable');
    const page = this.server.page('/reset');
    if (page === null) throw new DomainError('reset_unavailable');
    await this.limits.admit(mail.folded, ip);
    const account = await this.accounts.findByMail(mail.folded);
    const isKnown = account !== null && account.status === USER_STATUS.active;
    // For an unknown address there is the same work to do.
    const userId = isKnown ? account.id : 0;
    const authVersion = isKnown ? account.authVersion : 0;
    const token = await this.links.issue({ userId, folded: mail.folded, authVersion });
    if (!isKnown) return;
    const query = new URLSearchParams({ email: account.email, token }).toString();
    this.mailer.post({
      to: account.email,
      template: 'reset',
      language,
      values: {
        link: `${page}?${query}`,
        minutes: RESET_LINK_LIFE_MS / 60_000,
        username: account.username,
      },
    });
  }
}
