import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { formatQuota } from '../price-rules/format-quota.js';
import { MailFault } from '../mail/smtp-delivery.js';
import { Mailer } from '../mail/mailer.js';
import { OptionsService } from '../options/options.service.js';
import type { Recipient } from '../accounts/account.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { noticeMethodOf, webhookCallerOf } from '../accounts/notification-settings.js';
import { ServerAddress } from '../options/server-address.js';
import { fillMarks, type Notice, type WordedNotice, wordNotice } from './notice.js';
import { type WebhookFault, WebhookSender } from './webhook-sender.js';

/** Notices of one type to one account, and of all types together. */
const PER_TYPE = { limit: 2, windowMs: 600_000 };
const PER_ACCOUNT = { limit: 10, windowMs: 3_600_000 };

/** What became of a notice. */
export type NoticeOutcome =
  | { readonly kind: 'sent' }
  /** The account has no address for notices. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'mail-failed'; readonly fault: MailFault }
  | { readonly kind: 'webhook-failed'; readonly fault: WebhookFault };

/** Tells people what happened, by the way they chose: mail or webhook. */
@Injectable()
export class Notifier {
  private readonly logger = new Logger('Notifier');
  private roots: readonly Recipient[] = [];

  constructor(
    private readonly accounts: AccountsService,
    private readonly mailer: Mailer,
    private readonly webhooks: WebhookSender,
    private readonly throttle: RateLimiter,
    private readonly options: OptionsService,
    private readonly server: ServerAddress,
    private readonly clock: Clock,
  ) {}

  /** Notifies an account, within the limit of notifications for one account. Never fails. */
  async notify(recipient: Recipient, notice: Notice): Promise<void> {
    try {
      const worded = this.word(recipient, notice);
      const key = `notice:${recipient.id}`;
      const ofType = await this.throttle.ask(`${key}:${worded.type}`, PER_TYPE);
      if (!ofType.admitted || !(await this.throttle.ask(key, PER_ACCOUNT)).admitted) return;
      const outcome = await this.deliver(recipient, worded);
      if (outcome.kind === 'sent' || outcome.kind === 'no-address') return;
      const why = outcome.kind === 'mail-failed' ? outcome.fault.kind : outcome.fault;
      this.logger.warn(`account ${recipient.id} was not told of ${worded.type}: ${outcome.kind}, ${why}`);
    } catch (error) {
      // Whatever the notice is about has happened already and must not fail because of it.
      this.logger.warn(`account ${recipient.id} was not told of ${notice.kind}: ${String(error)}`);
    }
  }

  /** Tells every root account, in the background. */
  notifyRoots(notice: Notice): void {
    void this.accounts
      .listRootRecipients()
      .then((roots) => Promise.all(roots.map((root) => this.notify(root, notice))))
      .catch((error: unknown) => this.logger.warn(`nobody was told of ${notice.kind}: ${String(error)}`));
  }

  /**
   * Tells every root account now, however much it was told lately: for what has a quiet time of its own.
   * @returns what became of it, for each account; while the database is away those that `rememberRoots` saw
   */
  async tellRoots(notice: Notice): Promise<readonly NoticeOutcome[]> {
    await this.rememberRoots().catch((error: unknown) =>
      this.logger.warn(`the root accounts are those of an earlier time: ${String(error)}`),
    );
    return Promise.all(this.roots.map((root) => this.deliver(root, this.word(root, notice))));
  }

  /** Fails: with the database's error. */
  async rememberRoots(): Promise<void> {
    this.roots = await this.accounts.listRootRecipients();
  }

  /** Sends a test notice now and says what became of it. Frequency is the caller's business. */
  sendTest(recipient: Recipient): Promise<NoticeOutcome> {
    return this.deliver(recipient, this.word(recipient, { kind: 'test' }));
  }

  private word(recipient: Recipient, notice: Notice): WordedNotice {
    const options = this.options.values();
    const { language } = noticeMethodOf(recipient);
    return wordNotice(notice, {
      language,
      systemName: options.SystemName,
      nowMs: this.clock.nowMs(),
      walletUrl: this.server.page('/topup') ?? '',
      moneyText: (quota) => formatQuota(quota, options, language),
    });
  }

  private async deliver(recipient: Recipient, worded: WordedNotice): Promise<NoticeOutcome> {
    const way = noticeMethodOf(recipient);
    if (way.kind === 'none') return { kind: 'no-address' };
    if (way.kind === 'webhook') {
      const { type, title, content, values } = worded;
      const fault = await this.webhooks.send(webhookCallerOf(recipient), way, {
        type,
        title,
        content: fillMarks(content, values),
        ...(values.length === 0 ? {} : { values }),
        timestamp: Math.floor(this.clock.nowMs() / 1000),
      });
      return fault === null ? { kind: 'sent' } : { kind: 'webhook-failed', fault };
    }
    try {
      await this.mailer.send({ to: way.address, language: way.language, ...worded.mail });
      return { kind: 'sent' };
    } catch (error) {
      if (error instanceof MailFault) return { kind: 'mail-failed', fault: error };
      throw error;
    }
  }
}
