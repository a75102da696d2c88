import { Injectable } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { Env } from '../../../config/env.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { isStripeOn } from '../../../base/options/stripe-account.js';
import {
  type OrderState,
  type PaymentOrder,
  PaymentProvider,
  type PaymentStart,
  type PaymentTerms,
  type RawNotice,
  type ReadNotice,
} from './payment-provider.js';
import { publicAddress } from './public-address.js';
import { accountOf, parseSession, readStripeEvent, reportedPaymentOf } from './stripe-events.js';

const LIMITS = { timeoutMs: 20_000, maxBytes: 1024 * 1024 } as const;

/** A signature older than this is a replay (Stripe's own default). */
const SIGNATURE_TOLERANCE_SECONDS = 300;
/** Longest life Stripe gives a session, less what the clocks may differ. */
const SESSION_SECONDS = 24 * 3_600 - 300;

/** Stripe Checkout: a hosted payment page, reported by signed webhooks. */
@Injectable()
export class StripeProvider extends PaymentProvider {
  readonly name = 'stripe';
  private known: { readonly settings: string; readonly client: Promise<Stripe> } | undefined;

  constructor(
    private readonly options: OptionsService,
    private readonly client: OutboundClient,
    private readonly env: Env,
    private readonly clock: Clock,
  ) {
    super();
  }

  override isOn(): boolean {
    return isStripeOn(this.options.values());
  }

  override methods(): readonly { readonly name: string; readonly type: string }[] {
    return [{ name: 'Stripe', type: 'stripe' }];
  }

  override terms(): PaymentTerms {
    const {
      StripeUnitPrice: price,
      StripeMinTopUp: minUnits,
      StripeCurrency: currency,
    } = this.options.values();
    return { price, minUnits, currency };
  }

  override merchantId(): string {
    return accountOf(/^[a-z]+_live_/.test(this.options.values().StripeApiSecret));
  }

  /** Fails: throws when Stripe refuses or cannot be reached. */
  override async start(order: PaymentOrder): Promise<PaymentStart> {
    const own = publicAddress(this.options.values(), this.env);
    const stripe = await this.connect();
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: order.tradeNo,
        metadata: { trade_no: order.tradeNo },
        payment_intent_data: { metadata: { trade_no: order.tradeNo } },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: order.currency,
              unit_amount: order.moneyMinor,
              product_data: { name: order.title },
            },
          },
        ],
        success_url: `${own}/topup?out_trade_no=${order.tradeNo}`,
        cancel_url: `${own}/topup?out_trade_no=${order.tradeNo}&cancelled=true`,
        expires_at: order.createdAt + SESSION_SECONDS,
      },
      { idempotencyKey: order.tradeNo },
    );
    const { id, url } = session;
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw new Error('Stripe named no payment page');
    return { kind: 'redirect', url, providerReference: id };
  }

  /** The signature is over the bytes as they came; the secret itself decides what is genuine, switched on or not. */
  override async read({ text, signature }: RawNotice): Promise<ReadNotice> {
    const { StripeWebhookSecret: secret } = this.options.values();
    if (secret === '') return { kind: 'refused', reason: 'payment is not configured' };
    const { Stripe: Package } = await import('stripe');
    try {
      const receivedAt = this.clock.nowMs();
      const event = Package.webhooks.constructEvent(
        text,
        signature,
        secret,
        SIGNATURE_TOLERANCE_SECONDS,
        undefined,
        receivedAt,
      );
      return readStripeEvent(event);
    } catch (error) {
      if (error instanceof Package.errors.StripeSignatureVerificationError)
        return { kind: 'refused', reason: 'wrong signature' };
      return { kind: 'refused', reason: 'an event that cannot be read' };
    }
  }

  override async query(order: PaymentOrder): Promise<OrderState> {
    if (order.providerReference === null) return { kind: 'unpaid' };
    if (this.options.values().StripeApiSecret === '') return { kind: 'off' };
    try {
      const stripe = await this.connect();
      const session = parseSession(await stripe.checkout.sessions.retrieve(order.providerReference));
      if (session === null) return { kind: 'unknown', reason: 'not understood' };
      const reported = reportedPaymentOf(session);
      if (reported === null) return { kind: 'unpaid' };
      return { kind: 'paid', reported };
    } catch (error) {
      return { kind: 'unknown', reason: error instanceof Error ? error.name : 'failed' };
    }
  }

  /** Stripe's signature is not weak. */
  override needsConfirmation(): boolean {
    return false;
  }

  /** The package is large and few installations use it: it is loaded when it is first needed. */
  private connect(): Promise<Stripe> {
    const { StripeApiSecret: key, StripeApiAddress: address } = this.options.values();
    const settings = JSON.stringify([key, address]);
    if (this.known?.settings !== settings) this.known = { settings, client: this.load(key, address) };
    return this.known.client;
  }

  private async load(key: string, address: string): Promise<Stripe> {
    const { Stripe: Package } = await import('stripe');
    const url = new URL(address === '' ? 'https://api.stripe.com' : address);
    const isPlain = url.protocol === 'http:';
    return new Package(key, {
      host: url.hostname,
      port: url.port === '' ? (isPlain ? 80 : 443) : url.port,
      protocol: isPlain ? 'http' : 'https',
      httpClient: new StripeHttpClient(this.client),
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>;
type Reply = Awaited<ReturnType<HttpClient['makeRequest']>>;

/** Carries the requests of the stripe package over our own client, so that the outbound policy holds for them too. */
export class StripeHttpClient implements HttpClient {
  constructor(private readonly client: OutboundClient) {}

  getClientName(): string {
    return 'tollgate';
  }

  /** Fails: throws with the kind of fault; the stripe package turns it into its connection error. */
  async makeRequest(
    ...[host, port, path, method, headers, body, protocol]: Parameters<HttpClient['makeRequest']>
  ): Promise<Reply> {
    if (method !== 'GET' && method !== 'POST') throw new Error(`no ${method} requests are made here`);
    const authority = port === '' || port === '443' ? host : `${host}:${port}`;
    const reply = await this.client.fetch(
      'service',
      {
        method,
        url: `${protocol}://${authority}${path}`,
        headers: textHeaders(headers),
        body: method === 'POST' ? Buffer.from(body ?? '') : undefined,
      },
      LIMITS,
    );
    if (!reply.ok) throw new Error(`Stripe cannot be reached: ${reply.error.kind}`);
    return toResponse(reply.value);
  }
}

/** Lengths and connections are our client's own business. */
function textHeaders(headers: Parameters<HttpClient['makeRequest']>[4]): Record<string, string> {
  const entries = Object.entries(headers ?? {}).filter(
    ([name, value]) => value !== undefined && !/^(content-length|connection|host)$/i.test(name),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function toResponse(reply: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}): Reply {
  return {
    getStatusCode: () => reply.status,
    getHeaders: () => ({ ...reply.headers }) as ReturnType<Reply['getHeaders']>,
    getRawResponse: () => reply,
    toStream: () => {
      throw new Error('answers are read whole');
    },
    toJSON: async () => JSON.parse(reply.body.toString('utf8')) as unknown,
  };
}
