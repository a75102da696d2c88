import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { OutboundPolicy, OutboundRefusal } from '../../infra/http-client/safe-url.js';
import { OptionsService } from '../options/options.service.js';

/** Body of a webhook call. */
export interface WebhookBody {
  readonly type: string;
  readonly title: string;
  readonly content: string;
  /** Left out when there are none. */
  readonly values?: readonly string[];
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface WebhookTarget {
  readonly url: string;
  /** Empty = the call is not signed. */
  readonly secret: string;
}

/** Owner of the address: an operator (alerts, root accounts) or a user. */
export type WebhookOwner = 'service' | 'user';

/** Reason of a failed delivery, as a class: texts of the receiver and the network stay internal. */
export type WebhookFault = 'address' | 'unreachable' | 'refused';

/** The same as a sentence for the operator who reads why an alert did not arrive. */
export const WEBHOOK_FAULTS: Readonly<Record<WebhookFault, string>> = {
  address: 'its address may not be called (https only, and none of a private network)',
  unreachable: 'nobody answered there in time',
  refused: 'the receiver answered with another status than 2xx',
};

const LIMITS = { timeoutMs: 5_000, maxBytes: 16 * 1024 };

/** Calls webhooks: https only, through the policy for addresses people typed, no redirects, nothing repeated. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly client: OutboundClient,
    private readonly policy: OutboundPolicy,
    private readonly options: OptionsService,
  ) {}

  /** @returns null when the receiver answered 2xx */
  async send(typedBy: WebhookOwner, target: WebhookTarget, body: WebhookBody): Promise<WebhookFault | null> {
    // The scheme is looked at here as well: a document may be older than the rule.
    if (URL.parse(target.url)?.protocol !== 'https:') return 'address';
    const payload = JSON.stringify(body);
    const headers = headersOf(target.secret, payload);
    const { WorkerUrl } = this.options.values();
    return WorkerUrl === ''
      ? this.call(typedBy, target.url, headers, payload)
      : this.sendThroughWorker(WorkerUrl, { typedBy, url: target.url }, headers, payload);
  }

  /** The address is checked as if it were called from here before it is handed over. */
  private async sendThroughWorker(
    workerUrl: string,
    { typedBy, url }: { readonly typedBy: WebhookOwner; readonly url: string },
    headers: Readonly<Record<string, string>>,
    payload: string,
  ): Promise<WebhookFault | null> {
    try {
      await this.policy.check(url, typedBy);
    } catch (error) {
      if (error instanceof OutboundRefusal) return 'address';
      throw error;
    }
    const order = {
      url,
      key: this.options.values().WorkerValidKey,
      method: 'POST',
      headers,
      body: JSON.parse(payload) as unknown,
    };
    const json = { 'content-type': 'application/json' };
    return this.call('service', `${workerUrl}/`, json, JSON.stringify(order));
  }

  private async call(
    caller: WebhookOwner,
    url: string,
    headers: Readonly<Record<string, string>>,
    payload: string,
  ): Promise<WebhookFault | null> {
    const request = { method: 'POST', url, headers, body: Buffer.from(payload) } as const;
    const reply = await this.client.fetch(caller, request, LIMITS);
    if (!reply.ok) return reply.error.kind === 'refused-by-policy' ? 'address' : 'unreachable';
    return reply.value.status >= 200 && reply.value.status < 300 ? null : 'refused';
  }
}

/** Both ways of proving the sender, always: the signature of the raw body, and the secret itself, over TLS only. */
function headersOf(secret: string, payload: string): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (secret === '') return headers;
  headers['x-webhook-signature'] = createHmac('sha256', secret).update(payload).digest('hex');
  headers['authorization'] = `Bearer ${secret}`;
  return headers;
}
