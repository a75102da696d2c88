import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import {
  type WebhookBody,
  WEBHOOK_FAULTS,
  WebhookSender,
  type WebhookTarget,
} from '../../../base/notifications/webhook-sender.js';
import type { Delivery } from './delivery.js';

export type AlertCall = Omit<WebhookBody, 'timestamp'>;

/** Calls the webhook of the settings. */
@Injectable()
export class AlertWebhook {
  constructor(
    private readonly webhooks: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /** Never fails: what could not be called was not told, for whatever reason. */
  async call(target: WebhookTarget, body: AlertCall): Promise<Delivery> {
    const timestamp = Math.floor(this.clock.nowMs() / 1_000);
    const sent = this.webhooks.send('service', target, { ...body, timestamp });
    const fault = await sent.catch(() => 'unreachable' as const);
    return fault === null
      ? { reached: 1, fault: '' }
      : { reached: 0, fault: `webhook: ${WEBHOOK_FAULTS[fault]}` };
  }
}
