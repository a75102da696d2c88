import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Language } from '../../common/language.js';
import { Mailer } from '../notifications/mail/mailer.js';
import { type Account } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { loginNameOf } from '../users/login-name.js';
import { parseMailAddress } from '../../common/mail-address.js';
import { USER_STATUS } from '../access/user.codes.js';
import { MailLimits } from './verification/mail-limits.js';
import { ServerAddress } from '../options/server-address.js';
import { digestOf } from './sessions.service.js';
import { VerificationTickets } from './verification-tickets.js';

const KIND = 'login-unlock';
const LINK_LIFE_MS = 15 * 60_000;

const linkSchema = z.object({ userId: z.int(), authVersion: z.int() });

/**
 * A link for owners who have to wait because of other people's wrong passwords. It signs no one in: it gives its user separate
 * counts, and the password is still required.
 */
@Injectable()
export class LoginUnlock {
  constructor(
    private readonly accounts: AccountsService,
    private readonly tickets: VerificationTickets,
    private readonly limits: MailLimits,
    private readonly mailer: Mailer,
    private readonly server: ServerAddress,
  ) {}

  /**
   * Mails a link to the address of the account of this name or mail address. The answer is the same when there is none.
   * Fails: DomainError `login_fields_required`, `mail_unavailable`, `reset_unavailable`, `mail_too_often`, `too_many_requests`.
   */
  async request(name: string, ip: string, language: Language): Promise<void> {
    if (name.trim() === '') throw new DomainError('login_fields_required');
    if (!this.mailer.isSetUp) throw new DomainError('mail_unavailable');
    const page = this.server.page('/login');
    if (page === null) throw new DomainError('reset_unavailable');
    const asked = loginNameOf(name);
    await this.limits.admit(asked, ip);
    const account = await this.accounts.findForLogin(name);
    const email = account === null ? '' : await this.accounts.mailOf(account.id);
    const isKnown = account !== null && account.status === USER_STATUS.active && email !== '';
    // A refusal here would reveal the account of an address that just got mail.
    const mailbox = isKnown ? (parseMailAddress(email)?.folded ?? email) : `nobody ${asked}`;
    const mayWrite = mailbox === asked || (await this.limits.mayWriteTo(mailbox));
    // For an unknown name there is the same work to do.
    const userId = isKnown ? account.id : 0;
    const authVersion = isKnown ? account.authVersion : 0;
    const token = await this.tickets.issue(KIND, { userId, authVersion }, LINK_LIFE_MS);
    if (!isKnown || !mayWrite) return;
    this.mailer.post({
      to: email,
      template: 'login-unlock',
      language,
      values: {
        link: `${page}?${new URLSearchParams({ unlock: token }).toString()}`,
        minutes: LINK_LIFE_MS / 60_000,
        username: account.username,
      },
    });
  }

  /** Name of the counts a link gives to this account; undefined for a link that is old, used, or another account's. */
  async countsOf(token: string, account: Account | null): Promise<string | undefined> {
    if (token === '' || account === null) return undefined;
    const link = linkSchema.safeParse(await this.tickets.look(KIND, token)).data;
    const isOwn = link?.userId === account.id && link.authVersion === account.authVersion;
    return isOwn ? `link-${digestOf(token).slice(0, 32)}` : undefined;
  }

  /** The link did its work. */
  async spend(token: string): Promise<void> {
    await this.tickets.take(KIND, token);
  }
}
