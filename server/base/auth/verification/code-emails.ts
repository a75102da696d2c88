import { Injectable } from '@nestjs/common';
import type { Language } from '../../../common/language.js';
import type { MailAddress } from '../../../common/mail-address.js';
import { AccountsService } from '../../users/accounts.service.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { ServerAddress } from '../../options/server-address.js';
import { CODE_LIFE_MS, type CodePurpose } from './one-time-codes.js';

const CODE_MINUTES = CODE_LIFE_MS / 60_000;

/** Letters that carry a code to an address, or tell its owner that it has an account already. */
@Injectable()
export class CodeEmails {
  constructor(
    private readonly mailer: Mailer,
    private readonly accounts: AccountsService,
    private readonly server: ServerAddress,
  ) {}

  /** Whether letters can leave. */
  get isSetUp(): boolean {
    return this.mailer.isSetUp;
  }

  async post(mail: MailAddress, purpose: CodePurpose, code: string, language: Language): Promise<void> {
    // Warnings may go to an address that has an account of its own; its owner has agreed by typing the code.
    const isTaken = purpose !== 'notification-mail' && (await this.accounts.isMailTaken(mail.folded));
    if (isTaken) {
      const link = this.server.page('/login') ?? '';
      this.mailer.post({ to: mail.address, template: 'address-known', language, values: { link } });
    } else {
      const values = { code, minutes: CODE_MINUTES };
      this.mailer.post({ to: mail.address, template: 'code', language, values });
    }
  }
}
