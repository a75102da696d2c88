import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Language } from '../../common/language.js';
import { OutboundPolicy, OutboundRefusal } from '../../infra/http-client/safe-url.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { NoticeOutcome } from '../../base/notifications/notice-delivery.js';
import { Notifier } from '../../base/notifications/notifier.js';
import { MailCodes } from '../../base/auth/verification/mail-codes.js';
import type { Recipient } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import type { UserSettingInput } from '../../base/users/user-setting-input.js';
import { webhookCallerOf } from '../../base/users/notification-settings.js';
import { parseMailAddress } from '../../common/mail-address.js';
import { markProven, mergeSetting } from '../../base/users/user-setting.js';

/** The button that tries the settings out is not a way to send mail. */
const TESTS = { limit: 5, windowMs: 600_000 };

/** Choices of an account: notifications, language, accepted prices. */
@Injectable()
export class UserSettingsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly codes: MailCodes,
    private readonly notifier: Notifier,
    private readonly throttle: RateLimiter,
    private readonly outbound: OutboundPolicy,
  ) {}

  /**
   * Members that are absent stay. A notification address other than the account's own counts once it is proven by a code.
   * @param language  of the request; kept for e-mails unless the document names one
   * Fails: DomainError `notify_*`, `webhook_address_*`, `notification_mail_invalid`, `mail_*`.
   */
  async change(actor: Actor, input: UserSettingInput, language: Language): Promise<void> {
    const account = await this.recipient(actor.id);
    let setting = mergeSetting(account.setting, { ...input, language: input.language ?? language });
    await this.assertAllowedWebhook(account, input.webhook_url ?? '');
    const folded = parseMailAddress(input.notification_email ?? '')?.folded;
    if (folded !== undefined && folded === account.email.toLowerCase()) {
      setting = markProven(setting, folded);
    } else if ((input.notification_email_code ?? '') !== '') {
      const wanted = { address: input.notification_email ?? '', purpose: 'notification-mail' } as const;
      const code = input.notification_email_code ?? '';
      setting = markProven(setting, (await this.codes.prove({ ...wanted, userId: actor.id }, code)).folded);
    }
    await this.accounts.change(actor.id, { setting }, { endsLogins: false });
  }

  /**
   * Sends a test notice by the stored settings and reports the outcome.
   * Fails: DomainError `notification_address_missing`, `notification_failed`, `mail_unavailable`, `too_many_requests`.
   */
  async test(actor: Actor): Promise<void> {
    await this.throttle.admit(`notice-test:${actor.id}`, TESTS);
    assertSent(await this.notifier.sendTest(await this.recipient(actor.id)));
  }

  /** Looked at again at every delivery: a name may lead elsewhere by then. */
  private async assertAllowedWebhook(account: Recipient, webhook: string): Promise<void> {
    if (webhook === '') return;
    try {
      await this.outbound.check(webhook, webhookCallerOf(account));
    } catch (error) {
      if (error instanceof OutboundRefusal) throw new DomainError('webhook_address_forbidden');
      throw error;
    }
  }

  private async recipient(id: number): Promise<Recipient> {
    const [account] = await this.accounts.listRecipients([id]);
    if (account === undefined) throw new DomainError('not_signed_in');
    return account;
  }
}

/** The receiver's response stays out of the answer. */
function assertSent(outcome: NoticeOutcome): void {
  switch (outcome.kind) {
    case 'sent':
      return;
    case 'no-address':
      throw new DomainError('notification_address_missing');
    case 'mail-failed':
      throw new DomainError(outcome.fault.kind === 'not-set-up' ? 'mail_unavailable' : 'mail_not_sent');
    case 'webhook-failed':
      throw new DomainError(`webhook_${outcome.fault}`);
  }
}
