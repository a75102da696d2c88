import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Recipient } from '../users/account.js';
import { noticeMethodOf, webhookCallerOf } from '../users/notification-settings.js';
import { Mailer } from './mail/mailer.js';
import { MailFault } from './mail/smtp-delivery.js';
import { OptionsService } from '../options/options.service.js';
import { ServerAddress } from '../options/server-address.js';
import { formatQuota } from '../pricing/format-quota.js';
import { fillPlaceholders, type Notice, type RenderedNotice, renderNotice } from './notice.js';
import { type WebhookFault, WebhookSender } from './webhook-sender.js';

/** Delivery result of a notice. */
export type NoticeOutcome =
  | { readonly kind: 'sent' }
  /** The account has no address for notices. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'mail-failed'; readonly fault: MailFault }
  | { readonly kind: 'webhook-failed'; readonly fault: WebhookFault };

/** One notice to one account: rendered in its language, and sent by the method it chose. */
@Injectable()
export class NoticeDelivery {
  constructor(
    private readonly mailer: Mailer,
    private readonly webhooks: WebhookSender,
    private readonly options: OptionsService,
    private readonly server: ServerAddress,
    private readonly clock: Clock,
  ) {}

  render(recipient: Recipient, notice: Notice): RenderedNotice {
    const options = this.options.values();
    const { language } = noticeMethodOf(recipient);
    return renderNotice(notice, {
      language,
      systemName: options.SystemName,
      nowMs: this.clock.nowMs(),
      walletUrl: this.server.page('/topup') ?? '',
      moneyText: (quota) => formatQuota(quota, options, language),
    });
  }

  async deliver(recipient: Recipient, worded: RenderedNotice): Promise<NoticeOutcome> {
    const way = noticeMethodOf(recipient);
    if (way.kind === 'none') return { kind: 'no-address' };
    if (way.kind === 'webhook') {
      const { type, title, content, values } = worded;
      const fault = await this.webhooks.send(webhookCallerOf(recipient), way, {
        type,
        title,
        content: fillPlaceholders(content, values),
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
