import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { actorAndTarget } from '../../audit/actor-and-target.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Actor } from '../../access/current-actor.js';
import { AccountsService } from '../../users/accounts.service.js';
import { SecurityEmails } from '../../notifications/mail/security-emails.js';
import { assertBySession } from '../step-up.service.js';
import { MailCodes } from '../verification/mail-codes.js';

/** The mail address of the own account. */
@Injectable()
export class MailBinding {
  constructor(
    private readonly codes: MailCodes,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
    private readonly emails: SecurityEmails,
  ) {}

  /**
   * Binds the address the code was sent to; the former address of the account gets a notice.
   * Fails: DomainError `session_required`, `mail_*`.
   */
  async bind(
    actor: Actor,
    { email, code }: { readonly email: string; readonly code: string },
    language: Language,
  ): Promise<void> {
    assertBySession(actor);
    if (code.trim() === '') throw new DomainError('mail_code_missing');
    const mail = await this.codes.prove({ address: email, purpose: 'bind-mail', userId: actor.id }, code);
    const former = await this.accounts.mailOf(actor.id);
    await this.accounts.change(
      actor.id,
      { email: mail.address, emailFolded: mail.folded },
      { endsLogins: false },
    );
    await this.audit.record(null, {
      ...actorAndTarget(actor),
      action: 'user.mail',
      detail: { before: former, after: mail.address },
    });
    if (former.toLowerCase() !== mail.folded)
      this.emails.sendTo({ username: actor.username, email: former }, 'mail', language);
  }
}
