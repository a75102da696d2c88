import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { cleanLine } from '../../../common/text.js';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import { Clock } from '../../../common/clock.js';
import type { OptionKey, OptionValues } from '../../options/option-catalogue.js';
import { OptionsService } from '../../options/options.service.js';
import { MailStateEntity } from './mail-state.entity.js';
import type { MailFault } from './smtp-delivery.js';

/** Settings that decide whether and how mail is sent. */
const MAIL_SETTINGS = [
  ...(['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken'] as const),
  ...(['SMTPSSLEnabled', 'SMTPStartTLSEnabled', 'SMTPForceAuthLogin', 'SMTPInsecureSkipVerify'] as const),
] satisfies readonly OptionKey[];

const SWITCH = 'EmailVerificationEnabled';
const ROW_ID = 1;
const MAX_FAULT = 300;

/** Reason why users may wait for mail in vain. */
export type MailTrouble =
  | {
      readonly kind: 'failing';
      readonly sinceMs: number;
      readonly failures: number;
      readonly fault: string;
      /** True when registration is impossible meanwhile. */
      readonly isDemanded: boolean;
    }
  /** Codes are required, and no mail was sent with the settings in force. */
  | { readonly kind: 'unproven' };

/** Records, for all instances, the mail settings that last worked and whether the newest mails failed. */
@Injectable()
export class MailHealth implements OnModuleInit {
  private readonly logger = new Logger('Mail');
  private hasRow = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly options: OptionsService,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.options.registerCheck([SWITCH], (candidate, current) => this.check(candidate, current));
  }

  /** A mail was sent with these settings. Never fails. */
  async recordSent(settings: OptionValues): Promise<void> {
    const digest = this.digestOf(settings);
    await this.note(() =>
      this.dataSource
        .createQueryBuilder()
        .update(MailStateEntity)
        .set({ provenSettings: digest, failingSinceMs: 0, failures: 0, fault: '' })
        .where('id = :id AND (failing_since_ms <> 0 OR proven_settings <> :digest)', { id: ROW_ID, digest })
        .execute(),
    );
  }

  /** A mail was not sent, for a reason other than its recipient. Never fails. */
  async recordFailure(settings: OptionValues, fault: MailFault): Promise<void> {
    if (fault.kind === 'receiver' || fault.kind === 'not-set-up') return;
    const nowMs = Math.floor(this.clock.nowMs());
    await this.note(() =>
      this.dataSource
        .createQueryBuilder()
        .update(MailStateEntity)
        .set({
          failingSinceMs: () => `CASE WHEN failing_since_ms = 0 THEN ${nowMs} ELSE failing_since_ms END`,
          failures: () => 'failures + 1',
          failingSettings: this.digestOf(settings),
          fault: withoutAddresses(fault.reason).slice(0, MAX_FAULT),
        })
        .where({ id: ROW_ID })
        .execute(),
    );
  }

  /** Null = mail works, or none is needed. Fails: with the database's error. */
  async currentFailure(): Promise<MailTrouble | null> {
    const settings = this.options.values();
    const state = await this.read();
    const digest = this.digestOf(settings);
    const isDemanded = settings[SWITCH];
    if (state !== null && state.failingSinceMs !== 0 && state.failingSettings === digest) {
      const { failingSinceMs: sinceMs, failures, fault } = state;
      return { kind: 'failing', sinceMs, failures, fault, isDemanded };
    }
    return isDemanded && state?.provenSettings !== digest ? { kind: 'unproven' } : null;
  }

  private async check(candidate: OptionValues, current: OptionValues): Promise<void> {
    if (!candidate[SWITCH] || current[SWITCH]) return;
    if ((await this.read())?.provenSettings !== this.digestOf(candidate))
      throw new DomainError('option_mail_unproven', { key: SWITCH });
  }

  private read(): Promise<MailStateEntity | null> {
    return this.dataSource.getRepository(MailStateEntity).findOneBy({ id: ROW_ID });
  }

  private async note(update: () => Promise<unknown>): Promise<void> {
    try {
      if (!this.hasRow) await this.makeRow();
      await update();
    } catch (error) {
      this.logger.warn(`what became of a mail could not be noted: ${String(error)}`);
    }
  }

  private async makeRow(): Promise<void> {
    await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(MailStateEntity)
      .values({ id: ROW_ID })
      .orIgnore()
      .updateEntity(false)
      .execute();
    this.hasRow = true;
  }

  /** Keyed, since the password is part of it. */
  private digestOf(settings: OptionValues): string {
    const text = JSON.stringify(MAIL_SETTINGS.map((key) => settings[key]));
    return this.secrets.sign('check', `mail settings ${text}`).toString('hex');
  }
}

/** Servers repeat the recipient of a mail. */
const withoutAddresses = (text: string): string =>
  cleanLine(text.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…'));
