import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Mailer } from '../../base/notifications/mail/mailer.js';
import { MailFault } from '../../base/notifications/mail/smtp-delivery.js';
import { OptionsService } from '../../base/options/options.service.js';
import { ServerAddress } from '../../base/options/server-address.js';
import type { Recipient } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { AccountZones } from '../../base/users/account-zones.js';
import { noticeAddressOf } from '../../base/users/notification-settings.js';
import { readSetting } from '../../base/users/user-setting.js';
import { StopLink } from './stop-link.js';
import { type Week, weekAt } from './week.js';
import { WeeklySummary } from './weekly-summary.service.js';

/** The account of a summary that is due, with its zone and the week that is over there. */
export interface SummaryReceiver {
  readonly account: Recipient;
  readonly address: string;
  readonly zone: string;
  readonly week: Week;
}

/** Accounts that summaries go to. */
@Injectable()
export class SummaryReceivers {
  constructor(
    private readonly accounts: AccountsService,
    private readonly zones: AccountZones,
    private readonly links: StopLink,
    private readonly clock: Clock,
  ) {}

  /** Null = the account is banned or gone, or has no address any more. */
  async of(userId: number): Promise<SummaryReceiver | null> {
    const [account] = await this.accounts.listRecipients([userId]);
    if (account === undefined) return null;
    const address = noticeAddressOf(account);
    const zone = await this.zones.zoneFor(userId, '');
    const week = weekAt(zone, Math.floor(this.clock.nowMs() / 1_000));
    return address === '' ? null : { account, address, zone, week };
  }

  async stopUrlOf(userId: number): Promise<string | null> {
    const { uid } = await this.accounts.callerFactsOf(userId);
    return this.links.of(userId, uid);
  }
}

/** Writes and sends one summary. */
@Injectable()
export class WeeklyEmailSender {
  constructor(
    private readonly mailer: Mailer,
    private readonly options: OptionsService,
    private readonly server: ServerAddress,
    private readonly receivers: SummaryReceivers,
    private readonly summary: WeeklySummary,
  ) {}

  /** True when root allows summaries and they can be sent: a mail server, and a public address for the link that stops them. */
  get isAvailable(): boolean {
    return this.options.values().WeeklyEmailEnabled && this.mailer.isSetUp && this.server.page('/') !== null;
  }

  receiverOf(userId: number): Promise<SummaryReceiver | null> {
    return this.receivers.of(userId);
  }

  /** @returns the fault of the mail server, or null when it took the letter. Fails: with the database's error. */
  async send({ account, address, zone, week }: SummaryReceiver): Promise<MailFault | null> {
    const language = readSetting(account.setting).language ?? 'en';
    const [figures, stopUrl] = await Promise.all([
      this.summary.of(account, week, { language, zone }),
      this.receivers.stopUrlOf(account.id),
    ]);
    const dashboardUrl = this.server.page('/detail');
    if (stopUrl === null || dashboardUrl === null)
      return new MailFault('not-set-up', 'the server has no public address');
    try {
      await this.mailer.send({
        to: address,
        template: 'weekly-summary',
        language,
        values: { ...figures, dashboardUrl, stopUrl },
        subscription: { stopUrl, letterId: `weekly-${account.id}-${week.number}` },
      });
      return null;
    } catch (error) {
      if (error instanceof MailFault) return error;
      throw error;
    }
  }
}
