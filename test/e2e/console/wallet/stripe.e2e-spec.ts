import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { messageOf, WalletFixture } from './wallet.fixture.ts';

const QUOTA_OF_10 = 5_000_000;
const COMPLETED = 'checkout.session.completed';

describe.each(DATABASE_KINDS)('top-up by Stripe Checkout on %s', (kind) => {
  let fixture: WalletFixture;
  let payer: ApiClient;
  beforeAll(async () => {
    fixture = await WalletFixture.open(kind);
    payer = await fixture.payer();
  });
  afterAll(async () => {
    expect(await fixture.close()).toEqual({ violations: [] });
  });

  const order = () => fixture.order(payer, 'stripe');
  const eventsOf = async (tradeNo: string): Promise<string[]> => {
    const { events } = await fixture.root.expectSuccess<{ events: { kind: string }[] }>(
      ...(['GET', `/api/user/topup/order/${tradeNo}`] as const),
    );
    return events.map((event) => event.kind);
  };
  const shownStatus = async (tradeNo: string): Promise<string> => {
    const own = await payer.expectSuccess<{ status: string }>('GET', `/api/user/topup/self/${tradeNo}`);
    return own.status;
  };
  const listed = async (reader: ApiClient, path: string, status: string) => {
    const page = await reader.expectSuccess<{ items: { status: string; trade_no: string }[] }>(
      ...(['GET', `${path}?page_size=100&status=${status}`] as const),
    );
    return page.items;
  };

  it('offers it with its own price, and opens a session with the agreed terms', async () => {
    const info = await payer.expectSuccess<{ pay_methods: unknown[] }>('GET', '/api/user/topup/info');
    expect(info.pay_methods).toContainEqual({
      type: 'stripe',
      name: 'Stripe',
      provider: 'stripe',
      min_topup: 1,
      price: 1.5,
      currency: 'usd',
    });
    const amount = await payer.post('/api/user/amount', { amount: 10, payment_method: 'stripe' });
    expect(messageOf(amount)).toEqual(['success', '15.00']);
    const { tradeNo, url } = await order();
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.example\/c\/pay\/cs_test_/);
    const request = fixture.stripe.seen.at(-1);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer sk_test_of_a_test',
      'idempotency-key': tradeNo,
    });
    expect(Object.fromEntries(request?.form ?? [])).toMatchObject({
      mode: 'payment',
      client_reference_id: tradeNo,
      'line_items[0][price_data][unit_amount]': '1500',
      'line_items[0][price_data][currency]': 'usd',
      success_url: `https://gate.example/topup?out_trade_no=${tradeNo}`,
    });
    expect(await fixture.stateOf(tradeNo)).toMatchObject({
      moneyMinor: 1_500,
      currency: 'usd',
      merchantId: 'test',
    });
  });

  it('answers consoles with a separate form for Stripe', async () => {
    const amount = await payer.post('/api/user/stripe/amount', { amount: 10 });
    expect(messageOf(amount)).toEqual(['success', '15.00']);
    fixture.pass(6);
    const { body } = await payer.post('/api/user/stripe/pay', { amount: 10, payment_method: 'zfb' });
    expect(body).toMatchObject({ message: 'success', data: { pay_link: expect.stringMatching(/^https:/) } });
    expect(await fixture.stateOf(body['trade_no'] as string)).toMatchObject({ provider: 'stripe' });
    const small = await payer.post('/api/user/stripe/pay', { amount: 0 });
    expect(messageOf(small)).toEqual(['error', 'The top-up amount must not be below 1']);
  });

  it('a hundred events at once, and every other kind of being paid, are one credit [F-32]', async () => {
    const before = await fixture.balanceOf(payer);
    const paid = await order();
    const events = [
      fixture.sessionEvent(paid, COMPLETED),
      fixture.sessionEvent(paid, COMPLETED),
      fixture.sessionEvent(paid, 'checkout.session.async_payment_succeeded'),
    ];
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => fixture.webhook(events[index % events.length])),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
    expect(await eventsOf(paid.tradeNo)).toEqual(['created', 'paid']);
  });

  it('believes no event that Stripe did not sign, just now, with this secret', async () => {
    const before = await fixture.balanceOf(payer);
    const paid = await order();
    const event = fixture.sessionEvent(paid, COMPLETED);
    expect(await fixture.webhook(event, { secret: 'whsec_another' })).toBe(400);
    expect(await fixture.webhook(event, { timestamp: fixture.nowSeconds() - 301 })).toBe(400);
    expect(await fixture.webhook(event, { header: '' })).toBe(400);
    expect(await fixture.webhook(event, { header: 't=1,v1=00' })).toBe(400);
    expect(await fixture.webhook('not an event')).toBe(400);
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect((await fixture.stateOf(paid.tradeNo)).status).toBe('pending');
  });

  it('holds sum, currency, session and mode against the order', async () => {
    const before = await fixture.balanceOf(payer);
    const paid = await order();
    const wrong = (changes: Record<string, unknown>) =>
      fixture.webhook(fixture.sessionEvent(paid, COMPLETED, changes));
    expect(await wrong({ amount_total: 1 })).toBe(200);
    expect(await wrong({ amount_total: 150_000 })).toBe(200);
    expect(await wrong({ currency: 'jpy' })).toBe(200);
    expect((await fixture.stateOf(paid.tradeNo)).status).toBe('mismatch');
    expect(await wrong({ livemode: true })).toBe(400);
    expect(await wrong({ id: 'cs_test_of_somebody' })).toBe(400);
    expect(await wrong({ amount_total: 'a lot' })).toBe(400);
    expect(await fixture.balanceOf(payer)).toBe(before);
  });

  it('an order of epay is not paid by an event of Stripe, nor the other way round [PAY-04]', async () => {
    const before = await fixture.balanceOf(payer);
    const byStripe = await order();
    const byEpay = await fixture.order(payer, 'zfb');
    const event = fixture.sessionEvent(byStripe, COMPLETED, { client_reference_id: byEpay.tradeNo });
    expect(await fixture.webhook(event)).toBe(400);
    expect(await fixture.notify(fixture.paid(byStripe, { type: 'stripe', money: '15.00' }))).toBe('200 fail');
    expect(await fixture.balanceOf(payer)).toBe(before);
  });

  it('waits for payments that take days, and lets them fail or expire', async () => {
    const before = await fixture.balanceOf(payer);
    const slow = await order();
    expect(await fixture.webhook(fixture.sessionEvent(slow, COMPLETED, { payment_status: 'unpaid' }))).toBe(
      200,
    );
    expect((await fixture.stateOf(slow.tradeNo)).status).toBe('pending');
    expect(
      await fixture.webhook(fixture.sessionEvent(slow, 'checkout.session.async_payment_succeeded')),
    ).toBe(200);
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
    const failed = await order();
    expect(await fixture.webhook(fixture.sessionEvent(failed, 'checkout.session.async_payment_failed'))).toBe(
      200,
    );
    expect((await fixture.stateOf(failed.tradeNo)).status).toBe('failed');
    const expired = await order();
    const late = fixture.sessionEvent(expired, 'checkout.session.expired', { payment_status: 'unpaid' });
    expect(await fixture.webhook(late)).toBe(200);
    expect((await fixture.stateOf(expired.tradeNo)).status).toBe('expired');
    // Reordered: the end of a session that was paid changes nothing any more.
    expect(await fixture.webhook(fixture.sessionEvent(slow, 'checkout.session.expired'))).toBe(200);
    expect((await fixture.stateOf(slow.tradeNo)).status).toBe('success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('records refunds and disputes for administrators, and deducts nothing by itself', async () => {
    const paid = await order();
    expect(await fixture.webhook(fixture.sessionEvent(paid, COMPLETED))).toBe(200);
    const before = await fixture.balanceOf(payer);
    const charge = { id: 'ch_1', payment_intent: `pi_${paid.tradeNo}`, amount: 1_500, currency: 'usd' };
    const refund = fixture.event('charge.refunded', { ...charge, amount_refunded: 500 });
    for (let turn = 0; turn < 2; turn += 1) expect(await fixture.webhook(refund)).toBe(200);
    expect(await shownStatus(paid.tradeNo)).toBe('refunded');
    const dispute = fixture.event('charge.dispute.created', { ...charge, id: 'dp_1', reason: 'fraudulent' });
    expect(await fixture.webhook(dispute)).toBe(200);
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect(await eventsOf(paid.tradeNo)).toEqual(['created', 'paid', 'refunded', 'disputed']);
    // In lists it is what became of it last, and is found by that.
    expect(await shownStatus(paid.tradeNo)).toBe('disputed');
    expect((await fixture.stateOf(paid.tradeNo)).status).toBe('success');
    for (const [status, isThere] of [
      ['disputed', true],
      ['refunded', false],
      ['success', false],
    ] as const) {
      const own = await listed(payer, '/api/user/topup/self', status);
      const all = await listed(fixture.root, '/api/user/topup', status);
      for (const list of [own, all]) {
        expect(list.every((each) => each.status === status)).toBe(true);
        expect(list.some((each) => each.trade_no === paid.tradeNo)).toBe(isThere);
      }
    }
  });

  it('ignores other sales of the same Stripe account', async () => {
    const foreign = fixture.event(COMPLETED, {
      id: 'cs_1',
      client_reference_id: null,
      payment_status: 'paid',
      livemode: false,
    });
    expect(await fixture.webhook(foreign)).toBe(200);
    expect(await fixture.webhook(fixture.event('customer.created', { id: 'cus_1' }))).toBe(200);
    expect(
      await fixture.webhook(
        fixture.event('charge.refunded', { id: 'ch_9', payment_intent: 'pi_9', amount: 1, currency: 'usd' }),
      ),
    ).toBe(200);
  });

  it('queries Stripe about a session without a notification [PAY-11]', async () => {
    const before = await fixture.balanceOf(payer);
    const lost = await order();
    const [id = '', session] =
      [...fixture.stripe.sessions].find(([, { client_reference_id: name }]) => name === lost.tradeNo) ?? [];
    fixture.stripe.sessions.set(id, {
      ...session,
      payment_status: 'paid',
      payment_intent: { id: 'pi_lost' },
    });
    fixture.pass(11);
    await fixture.watch();
    expect(await fixture.stateOf(lost.tradeNo)).toMatchObject({
      status: 'success',
      providerTradeNo: 'pi_lost',
    });
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('fails an order Stripe refuses, without a reason for the payer', async () => {
    fixture.stripe.isBroken = true;
    fixture.pass(6);
    try {
      const reply = await payer.post('/api/user/pay', { amount: 10, payment_method: 'stripe' });
      expect(messageOf(reply)).toEqual(['error', 'The payment could not be started, please try again later']);
    } finally {
      fixture.stripe.isBroken = false;
    }
    const { items } = await payer.expectSuccess<{ items: { status: string }[] }>(
      'GET',
      '/api/user/topup/self',
    );
    expect(items[0]).toMatchObject({ status: 'failed' });
  });

  it('administrators find orders, see their events, and complete one by hand, once, with a reason', async () => {
    const admin = fixture.root;
    const own = await fixture.payer();
    const { tradeNo } = await fixture.order(own, 'zfb');
    const found = await admin.expectSuccess<{ items: unknown[]; total: number }>(
      ...([
        'GET',
        `/api/user/topup?keyword=${tradeNo.slice(0, 12)}&status=pending&user_id=${own.userId}`,
      ] as const),
    );
    expect(found).toMatchObject({
      total: 1,
      items: [{ trade_no: tradeNo, money: 73, money_text: '73.00', quota: QUOTA_OF_10, user_id: own.userId }],
    });
    const complete = (reason: string) =>
      admin.post('/api/user/topup/complete', { trade_no: tradeNo, reason });
    expect((await complete(' ')).body.code).toBe('reason_required');
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete('bank transfer seen')));
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect(await fixture.balanceOf(own)).toBe(QUOTA_OF_10);
    expect((await complete('again')).body.code).toBe('topup_not_completable');
    expect((await own.post('/api/user/topup/complete', { trade_no: tradeNo, reason: 'me' })).body.code).toBe(
      'not_permitted',
    );
    // The notification that comes after all names the payment and credits nothing.
    const fields = { type: 'alipay', name: 'TUC10', money: '73.00' };
    expect(await fixture.notify(fixture.paid({ tradeNo, url: '', fields }))).toBe('200 success');
    expect(await fixture.balanceOf(own)).toBe(QUOTA_OF_10);
    expect(await fixture.stateOf(tradeNo)).toMatchObject({
      completedBy: admin.userId,
      providerTradeNo: `P${tradeNo}`,
    });
    expect(await eventsOf(tradeNo)).toEqual(['created', 'completed-by-hand', 'paid']);
    const ledger = await admin.expectSuccess<Record<string, unknown>>(
      'GET',
      `/api/user/${own.userId}/ledger`,
    );
    expect(ledger).toMatchObject({
      sums: { topup: QUOTA_OF_10 },
      used_quota: 0,
      balance: QUOTA_OF_10,
      total: 1,
    });
  });

  it("reports another account's order as not found", async () => {
    const other = await fixture.payer();
    const { tradeNo } = await order();
    expect((await other.get(`/api/user/topup/self/${tradeNo}`)).body.code).toBe('not_found');
    const own = await payer.expectSuccess<Record<string, unknown>>('GET', `/api/user/topup/self/${tradeNo}`);
    expect(own).toMatchObject({ status: 'pending', money_text: '15.00', currency: 'usd' });
    expect(own).not.toHaveProperty('provider_trade_no');
  });

  it('a key is not left behind by its address: it is typed again or removed in the same save', async () => {
    const put = (changes: unknown) => fixture.root.put('/api/option/', changes);
    const move = { key: 'StripeApiAddress', value: 'https://stripe.elsewhere.example' };
    const isSet = async (): Promise<unknown> => {
      const list = await fixture.root.expectSuccess('GET', '/api/option/');
      return (list as { key: string; is_set?: boolean }[]).find(({ key }) => key === 'StripeApiSecret')
        ?.is_set;
    };
    const refusal = { success: false, code: 'option_secret_retype' };
    expect((await put(move)).body).toMatchObject(refusal);
    await fixture.set({ StripeEnabled: false });
    try {
      // An empty text leaves a secret as it is: it is not typed again.
      const left = (await put([move, { key: 'StripeApiSecret', value: '' }])).body;
      expect(left).toMatchObject(refusal);
      expect(left.message).toContain('StripeApiSecret');
      expect(await isSet()).toBe(true);
      expect((await put([move, { key: 'StripeApiSecret', value: null }])).body).toMatchObject({
        success: true,
      });
      expect(await isSet()).toBe(false);
    } finally {
      await fixture.set({ StripeApiAddress: fixture.stripe.url, StripeApiSecret: 'sk_test_of_a_test' });
      await fixture.set({ StripeEnabled: true });
    }
  });
});
