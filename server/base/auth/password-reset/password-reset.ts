import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { parseMailAddress } from '../../../common/mail-address.js';
import { USER_STATUS } from '../../access/user.codes.js';
import { AccountsService } from '../../users/accounts.service.js';
import { SecurityEmails } from '../../notifications/mail/security-emails.js';
import { actorAndTarget } from '../../audit/actor-and-target.js';
import { AuditLog } from '../../audit/audit-log.js';
import { PasswordHasher } from '../password.js';
import { ResetLinks } from './reset-links.js';

const PASSWORD_LENGTH = 16;
const PASSWORD_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A password that was just made. */
export interface NewPassword {
  readonly password: string;
  readonly userId: number;
}

/** A new password for who comes by a link. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly links: ResetLinks,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditLog,
    private readonly emails: SecurityEmails,
  ) {}

  /**
   * Gives the account of a link a new password; every login and the system access token end. The link works once.
   * @returns the password, this once, and whose it is
   * Fails: DomainError `reset_link_invalid`, `too_many_requests`, `server_busy`.
   */
  async confirm(typed: string, token: string, ip: string, language: Language): Promise<NewPassword> {
    const link = await this.links.open(token, parseMailAddress(typed)?.folded ?? '', ip);
    const account = await this.accounts.findByMail(link.folded);
    const isSame =
      account !== null &&
      account.id === link.userId &&
      account.authVersion === link.authVersion &&
      account.status === USER_STATUS.active;
    // Taken only now: a wrong address typed beside the right link does not spend it. Of two at once, one gets it.
    if (!isSame || !(await this.links.take(token))) throw new DomainError('reset_link_invalid');
    const password = makePassword();
    const passwordHash = await this.hasher.hash(password);
    await this.accounts.change(account.id, { password: passwordHash }, { endsLogins: true });
    await this.audit.record(null, {
      ...actorAndTarget(account),
      actorName: account.username,
      action: 'user.password_reset',
    });
    this.emails.sendTo(account, 'password', language);
    return { password, userId: account.id };
  }
}

const makePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(
    '',
  );
