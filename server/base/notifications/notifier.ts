import { Injectable, Logger } from '@nestjs/common';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { Recipient } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import type { Notice } from './notice.js';
import { NoticeDelivery, type NoticeOutcome } from './notice-delivery.js';

/** Notices of one type to one account, and of all types together. */
const PER_TYPE = { limit: 2, windowMs: 600_000 };
const PER_ACCOUNT = { limit: 10, windowMs: 3_600_000 };

/** Notifies accounts by the method they chose: mail or webhook. */
@Injectable()
export class Notifier {
  private readonly logger = new Logger('Notifier');
  private roots: readonly Recipient[] = [];

  constructor(
    private readonly accounts: AccountsService,
    private readonly delivery: NoticeDelivery,
    private readonly throttle: RateLimiter,
  ) {}

  /** Notifies an account, within the limit of notifications for one account. Never fails. */
  async notify(recipient: Recipient, notice: Notice): Promise<void> {
    try {
      const worded = this.delivery.render(recipient, notice);
      const key = `notice:${recipient.id}`;
      const ofType = await this.throttle.ask(`${key}:${worded.type}`, PER_TYPE);
      if (!ofType.admitted || !(await this.throttle.ask(key, PER_ACCOUNT)).admitted) return;
      const outcome = await this.delivery.deliver(recipient, worded);
      if (outcome.kind === 'sent' || outcome.kind === 'no-address') return;
      const why = outcome.kind === 'mail-failed' ? outcome.fault.kind : outcome.fault;
      this.logger.warn(`account ${recipient.id} was not told of ${worded.type}: ${outcome.kind}, ${why}`);
    } catch (error) {
      // The event of the notice has happened already and must not fail because of it.
      this.logger.warn(`account ${recipient.id} was not told of ${notice.kind}: ${String(error)}`);
    }
  }

  /** Notifies every root account, in the background. */
  notifyRoots(notice: Notice): void {
    void this.accounts
      .listRootRecipients()
      .then((roots) => Promise.all(roots.map((root) => this.notify(root, notice))))
      .catch((error: unknown) => this.logger.warn(`nobody was told of ${notice.kind}: ${String(error)}`));
  }

  /**
   * Notifies every root account now, whatever the number of recent notices: for events with a quiet time of their own.
   * @returns the result for each account; while the database is away those that `rememberRoots` saw
   */
  async notifyAllRoots(notice: Notice): Promise<readonly NoticeOutcome[]> {
    await this.rememberRoots().catch((error: unknown) =>
      this.logger.warn(`the root accounts are those of an earlier time: ${String(error)}`),
    );
    return Promise.all(
      this.roots.map((root) => this.delivery.deliver(root, this.delivery.render(root, notice))),
    );
  }

  /** Fails: with the database's error. */
  async rememberRoots(): Promise<void> {
    this.roots = await this.accounts.listRootRecipients();
  }

  /** Sends a test notice now and returns its result. The caller limits the frequency. */
  sendTest(recipient: Recipient): Promise<NoticeOutcome> {
    return this.delivery.deliver(recipient, this.delivery.render(recipient, { kind: 'test' }));
  }
}
