import { type Moment, momentOf } from '../../../../server/common/moment.js';
import Stripe from 'stripe';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { signEpay } from '../../../../server/console/wallet/payments/epay.provider.js';
import { OrderWatch } from '../../../../server/console/wallet/orders/order-watch.js';
import { TopUpEntity } from '../../../../server/console/wallet/orders/top-up.entity.js';
import { ApiClient, type ApiReply } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.ts';
import { createTestDatabase, type DatabaseKind, type TestDatabase } from '../../../support/database.ts';
import { ScriptedEpay, ScriptedStripe } from './scripted-services.ts';

export const EPAY_KEY = 'merchant key of a test';
const WEBHOOK_SECRET = 'whsec_of_a_test';
const MINUTE_MS = 60_000;

/** The real clock, some time ahead. */
class ShiftedClock extends SystemClock {
  shiftMs = 0;

  override nowMs(): Moment {
    return momentOf(super.nowMs() + this.shiftMs);
  }
}

export interface Order {
  readonly tradeNo: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** An application with both payment services switched on, both scripted. */
export class WalletFixture {
  readonly epay = new ScriptedEpay();
  readonly stripe = new ScriptedStripe();
  private readonly clock = new ShiftedClock();
  private names = 0;

  private constructor(
    readonly app: TestApp,
    readonly root: ApiClient,
    private readonly database: TestDatabase,
    clock: ShiftedClock,
  ) {
    this.clock = clock;
  }

  static async open(kind: DatabaseKind): Promise<WalletFixture> {
    const database = await createTestDatabase(kind);
    const clock = new ShiftedClock();
    const env = { DATABASE_URL: database.url, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };
    const app = await startTestApp({ env, clock });
    const fixture = new WalletFixture(app, await setUpRoot(app), database, clock);
    await Promise.all([fixture.epay.start(), fixture.stripe.start()]);
    await fixture.set({
      PayAddress: `${fixture.epay.url}/pay`,
      EpayId: '1001',
      EpayKey: EPAY_KEY,
      ServerAddress: 'https://gate.example',
      StripeApiAddress: fixture.stripe.url,
      StripeApiSecret: 'sk_test_of_a_test',
      StripeWebhookSecret: WEBHOOK_SECRET,
      StripeUnitPrice: 1.5,
    });
    await fixture.set({ StripeEnabled: true });
    return fixture;
  }

  /** Proves the books and ends everything. */
  async close(): Promise<{ readonly violations: unknown[] }> {
    const violations = await checkMoney(this.app.dataSource);
    await this.app.close();
    this.epay.stop();
    this.stripe.stop();
    await this.database.drop();
    return { violations };
  }

  async set(options: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(options))
      await this.root.expectSuccess('PUT', '/api/option/', { key, value });
  }

  async payer(): Promise<ApiClient> {
    this.names += 1;
    return signUp(this.root, { username: `payer${this.names}` });
  }

  balanceOf(client: ApiClient): Promise<number> {
    return client.expectSuccess<{ quota: number }>('GET', '/api/user/self').then(({ quota }) => quota);
  }

  /** Lets time pass. Only what looks at the clock notices. */
  pass(minutes: number): void {
    this.clock.shiftMs += minutes * MINUTE_MS;
  }

  nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }

  /** An order of 10 units. Six minutes pass: ten orders an hour are allowed. */
  async order(client: ApiClient, method = 'zfb', amount = 10): Promise<Order> {
    this.pass(6);
    const reply = await client.post('/api/user/pay', { amount, top_up_code: '', payment_method: method });
    if (reply.body.message !== 'success') throw new Error(`no order: ${JSON.stringify(reply.body)}`);
    return {
      tradeNo: reply.body['trade_no'] as string,
      url: reply.body['url'] as string,
      fields: reply.body.data as Record<string, string>,
    };
  }

  stateOf(tradeNo: string): Promise<TopUpEntity> {
    return this.app.dataSource.getRepository(TopUpEntity).findOneByOrFail({ tradeNo });
  }

  /** Notification of epay about a paid order. */
  paid(order: Order, changes: Record<string, string> = {}, key = EPAY_KEY): string {
    const fields = {
      pid: '1001',
      trade_no: `P${order.tradeNo}`,
      out_trade_no: order.tradeNo,
      type: order.fields['type'] ?? '',
      name: order.fields['name'] ?? '',
      money: order.fields['money'] ?? '',
      trade_status: 'TRADE_SUCCESS',
      ...changes,
    };
    return new URLSearchParams({ ...fields, sign: signEpay(fields, key), sign_type: 'MD5' }).toString();
  }

  async notify(query: string): Promise<string> {
    const response = await fetch(`${this.app.url}/api/user/epay/notify?${query}`);
    return `${response.status} ${await response.text()}`;
  }

  async notifyByForm(form: string): Promise<string> {
    const response = await fetch(`${this.app.url}/api/user/epay/notify`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    return `${response.status} ${await response.text()}`;
  }

  /** The session of an order, changed, as an event of Stripe, signed by the stripe package itself. */
  sessionEvent(
    order: Order,
    type: string,
    changes: Record<string, unknown> = {},
  ): { id: string; type: string; data: { object: Record<string, unknown> } } {
    const session = [...this.stripe.sessions.values()].find(
      ({ client_reference_id: reference }) => reference === order.tradeNo,
    );
    const paid = { payment_status: 'paid', status: 'complete', payment_intent: `pi_${order.tradeNo}` };
    return this.event(type, { ...session, ...paid, ...changes });
  }

  event(type: string, object: Record<string, unknown>) {
    this.names += 1;
    return { id: `evt_${this.names}`, object: 'event', type, livemode: false, data: { object } };
  }

  async webhook(
    event: unknown,
    wanted: { readonly secret?: string; readonly timestamp?: number; readonly header?: string } = {},
  ): Promise<number> {
    const payload = JSON.stringify(event);
    const { secret = WEBHOOK_SECRET, timestamp = this.nowSeconds() } = wanted;
    const header = wanted.header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const response = await fetch(`${this.app.url}/api/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
      body: payload,
    });
    await response.text();
    return response.status;
  }

  watch(): Promise<void> {
    return this.app.app.get(OrderWatch).turn();
  }

  /** Signed in again: sessions do not outlive days that pass. */
  signInRoot(): Promise<ApiClient> {
    return ApiClient.signIn(this.app.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  }
}

export const messageOf = (reply: ApiReply): unknown => [reply.body.message, reply.body.data];
