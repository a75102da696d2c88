import { Injectable } from '@nestjs/common';
import type { Language } from '../../../common/language.js';
import { MailFault } from '../../../base/notifications/mail/smtp-delivery.js';
import { Mailer } from '../../../base/notifications/mail/mailer.js';
import type { NoticeOutcome } from '../../../base/notifications/notice-delivery.js';
import { Notifier } from '../../../base/notifications/notifier.js';
import type { AlertTexts, Notice as AnyNotice } from '../../../base/notifications/notice.js';
import {
  WEBHOOK_FAULTS,
  type WebhookBody,
  WebhookSender,
  type WebhookTarget,
} from '../../../base/notifications/webhook-sender.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { ServerAddress } from '../../../base/options/server-address.js';
import {
  type AlertMessage,
  messageText,
  messageTitle,
  renderMessages,
  renderTest,
} from './alert-messages.js';
import { type Delivery, sumOf } from './delivery.js';
import { Clock } from '../../../common/clock.js';

/** Calls the webhook of the settings. */
@Injectable()
export class AlertWebhook {
  constructor(
    private readonly webhooks: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /** Never fails: the result holds the reason of a call that failed. */
  async call(target: WebhookTarget, body: AlertCall): Promise<Delivery> {
    const timestamp = Math.floor(this.clock.nowMs() / 1_000);
    const sent = this.webhooks.send('service', target, { ...body, timestamp });
    const fault = await sent.catch(() => 'unreachable' as const);
    return fault === null
      ? { reached: 1, fault: '' }
      : { reached: 0, fault: `webhook: ${WEBHOOK_FAULTS[fault]}` };
  }
}

/** A mail lists this many messages; a webhook is called for as many. */
const MAX_LISTED = 20;

type Notice = Extract<AnyNotice, { kind: 'alert' }>;

/** Sends alerts to the recipients of the settings, and without any to every root account by its own method. */
@Injectable()
export class AlertNotifier {
  constructor(
    private readonly options: OptionsService,
    private readonly mailer: Mailer,
    private readonly webhook: AlertWebhook,
    private readonly notifier: Notifier,
    private readonly server: ServerAddress,
  ) {}

  /** Never fails: the answer holds the result. */
  notify(news: readonly AlertMessage[]): Promise<Delivery> {
    const { SystemName } = this.options.values();
    const told = news.slice(0, MAX_LISTED);
    return this.send(renderMessages(told, SystemName), (language) =>
      told.map((each) => callOf(each, language)),
    );
  }

  /** The same for a test. */
  sendTest(): Promise<Delivery> {
    const words = renderTest(this.options.values().SystemName);
    return this.send(words, (language) => {
      const { title, items } = words[language];
      return [{ type: 'alert_test', title, content: items[0]?.text ?? '' }];
    });
  }

  private async send(
    words: Notice['words'],
    bodies: (language: Language) => readonly AlertCall[],
  ): Promise<Delivery> {
    const options = this.options.values();
    const { AlertMailReceivers: receivers, AlertWebhookUrl: url, AlertLanguage: language } = options;
    const target = { url, secret: options.AlertWebhookSecret };
    const ways = await Promise.all([
      ...receivers.map((to) => this.mail(to, language, words[language])),
      ...(url === '' ? [] : bodies(language).map((body) => this.webhook.call(target, body))),
      ...(receivers.length === 0 && url === '' ? [this.notifyRoots(words)] : []),
    ]);
    const { reached, fault } = ways.reduce(sumOf, { reached: 0, fault: '' });
    return { reached, fault: fault.slice(0, 500) };
  }

  private async mail(to: string, language: Language, { title, items }: AlertTexts): Promise<Delivery> {
    const values = { title, items, link: this.statusUrl() };
    try {
      await this.mailer.send({ to, language, template: 'alert', values });
      return { reached: 1, fault: '' };
    } catch (error) {
      const reason = error instanceof MailFault ? error.reason : String(error);
      return { reached: 0, fault: `mail: ${reason}` };
    }
  }

  private async notifyRoots(words: Notice['words']): Promise<Delivery> {
    try {
      const outcomes = await this.notifier.notifyAllRoots({
        kind: 'alert',
        words,
        statusUrl: this.statusUrl(),
      });
      return outcomes.map(deliveryOf).reduce(sumOf, { reached: 0, fault: '' });
    } catch (error) {
      return { reached: 0, fault: `the root accounts could not be read: ${String(error)}` };
    }
  }

  private statusUrl(): string {
    return this.server.page('/status') ?? '';
  }
}

function callOf(news: AlertMessage, language: Language): AlertCall {
  const { phase, rule, subject, severity, facts, sinceMs } = news;
  return {
    type: phase === 'begun' ? `alert_${rule}` : `alert_${rule}_over`,
    title: messageTitle(news, language),
    content: messageText(news, language),
    values: [rule, subject, severity, new Date(sinceMs).toISOString(), JSON.stringify(facts)],
  };
}

function deliveryOf(outcome: NoticeOutcome): Delivery {
  switch (outcome.kind) {
    case 'sent':
      return { reached: 1, fault: '' };
    case 'no-address':
      return { reached: 0, fault: 'a root account has no address' };
    case 'mail-failed':
      return { reached: 0, fault: `mail: ${outcome.fault.reason}` };
    case 'webhook-failed':
      return { reached: 0, fault: `webhook: ${WEBHOOK_FAULTS[outcome.fault]}` };
  }
}

export type AlertCall = Omit<WebhookBody, 'timestamp'>;
