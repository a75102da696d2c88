import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { OptionsService } from '../../options/options.service.js';
import { type MailAddress, parseMailAddress, refusalByMailRules } from '../../../common/mail-address.js';
import { MailLimits } from './mail-limits.js';
import { CODE_LIFE_MS, type CodePurpose, OneTimeCodes } from './one-time-codes.js';
import { AccountsService } from '../../users/accounts.service.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { ServerAddress } from '../../options/server-address.js';

const CODE_MINUTES = CODE_LIFE_MS / 60_000;

/** E-mails with a code, or with a notice that the address has an account already. */
@Injectable()
export class CodeEmails {
  constructor(
    private readonly mailer: Mailer,
    private readonly accounts: AccountsService,
    private readonly server: ServerAddress,
  ) {}

  /** True when mail can be sent. */
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

/** Requester and purpose of a code. */
export interface CodeRequest {
  /** Address as typed. */
  readonly address: string;
  readonly purpose: CodePurpose;
  /** 0 = a guest. */
  readonly userId: number;
  readonly ip: string;
  readonly language: Language;
}

/** Codes that prove a mail address. */
@Injectable()
export class MailCodes {
  constructor(
    private readonly codes: OneTimeCodes,
    private readonly limits: MailLimits,
    private readonly letters: CodeEmails,
    private readonly options: OptionsService,
  ) {}

  /** True when codes can be sent. */
  get isSetUp(): boolean {
    return this.letters.isSetUp;
  }

  /** Fails: DomainError `register_off` for a code without a use. */
  assertPurposeEnabled(purpose: CodePurpose): void {
    if (purpose === 'register' && !this.options.values().RegisterEnabled)
      throw new DomainError('register_off');
  }

  /**
   * Sends a code. The answer does not reveal whether the address belongs to an account: its owner gets a notice instead of a code.
   * Fails: DomainError `mail_*`, `too_many_requests`.
   */
  async send(wanted: CodeRequest): Promise<void> {
    if (!this.isSetUp) throw new DomainError('mail_unavailable');
    const mail = this.read(wanted.address);
    await this.limits.admit(mail.folded, wanted.ip);
    const code = await this.codes.issue({ ...subjectOf(wanted), address: mail.folded });
    await this.letters.post(mail, wanted.purpose, code, wanted.language);
  }

  /**
   * The address a code was sent to, now proven; the code is used up.
   * Fails: DomainError `mail_required`, `mail_invalid`, `mail_*_refused`, `mail_code_wrong`.
   */
  async prove(
    wanted: Pick<CodeRequest, 'address' | 'purpose' | 'userId'>,
    code: string,
  ): Promise<MailAddress> {
    const mail = this.read(wanted.address);
    const isRight = await this.codes.redeem({ ...subjectOf(wanted), address: mail.folded }, code);
    if (!isRight) throw new DomainError('mail_code_wrong');
    return mail;
  }

  /** The rules apply wherever an address is stored, not only to requested codes. */
  private read(text: string): MailAddress {
    if (text.trim() === '') throw new DomainError('mail_required');
    const mail = parseMailAddress(text);
    if (mail === null) throw new DomainError('mail_invalid');
    const refusal = refusalByMailRules(mail, this.options.values());
    if (refusal !== null) throw new DomainError(`mail_${refusal}_refused`);
    return mail;
  }
}

const subjectOf = ({ purpose, userId }: Pick<CodeRequest, 'purpose' | 'userId'>) => ({
  purpose,
  userId: purpose === 'register' ? 0 : userId,
});
