import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { OrderIncidents } from '../../../../server/console/wallet/orders/order-incidents.js';
import { PaymentEventEntity } from '../../../../server/console/wallet/payments/payment-event.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import { WalletFixture } from './wallet.fixture.ts';

const ROOT_MAIL = 'root@example.test';

/** Each case the books cannot settle by themselves reaches a person once. */
describe('orders a person has to look at', () => {
  let fixture: WalletFixture;
  let payer: ApiClient;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    fixture = await WalletFixture.open('sqlite');
    await fixture.root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
    await fixture.app.dataSource.getRepository(UserEntity).update({ role: 100 }, { email: ROOT_MAIL });
    payer = await fixture.payer();
  });
  afterAll(async () => {
    expect(await fixture.close()).toEqual({ violations: [] });
    await mail.close();
  });

  const lettersOf = (tradeNo: string) => mail.letters.filter(({ text }) => text.includes(tradeNo));
  const eventsOf = async (tradeNo: string) => {
    const { id: orderId } = await fixture.stateOf(tradeNo);
    const events = fixture.app.dataSource.getRepository(PaymentEventEntity);
    return (await events.find({ where: { orderId }, order: { id: 'ASC' } })).map(({ kind }) => kind);
  };

  it('reports another sum to root once, however often the service repeats it', async () => {
    const order = await fixture.order(payer);
    for (let turn = 0; turn < 5; turn += 1)
      expect(await fixture.notify(fixture.paid(order, { money: '0.01' }))).toBe('200 fail');
    const letter = await mail.letterTo(ROOT_MAIL);
    expect(letter.text).toContain(order.tradeNo);
    expect(letter.text).toContain('expected 73.00, got 0.01');
    // A different sum is a new incident.
    await fixture.notify(fixture.paid(order, { money: '0.02' }));
    await mail.letterTo(ROOT_MAIL, 2);
    expect(lettersOf(order.tradeNo)).toHaveLength(2);
    expect(await eventsOf(order.tradeNo)).toEqual(['created', 'mismatch', 'mismatch']);
  });

  it('reports a payment of another order, and a second one', async () => {
    const foreign = await fixture.order(payer);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await fixture.notify(fixture.paid(foreign, { type: 'wxpay' }))).toBe('200 fail');
    expect((await mail.letterTo(ROOT_MAIL, 3)).text).toContain('payment method');
    expect(await eventsOf(foreign.tradeNo)).toEqual(['created', 'foreign']);
    expect((await fixture.stateOf(foreign.tradeNo)).status).toBe('pending');

    const twice = await fixture.order(payer);
    expect(await fixture.notify(fixture.paid(twice))).toBe('200 success');
    const before = await fixture.balanceOf(payer);
    for (let turn = 0; turn < 3; turn += 1)
      expect(await fixture.notify(fixture.paid(twice, { trade_no: 'another payment' }))).toBe('200 success');
    expect((await mail.letterTo(ROOT_MAIL, 4)).text).toContain('paid a second time');
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect(lettersOf(twice.tradeNo)).toHaveLength(1);
    expect(await eventsOf(twice.tradeNo)).toEqual(['created', 'paid', 'paid-again']);
  });

  it('reports a dispute at Stripe once', async () => {
    const order = await fixture.order(payer, 'stripe');
    expect(await fixture.webhook(fixture.sessionEvent(order, 'checkout.session.completed'))).toBe(200);
    const dispute = fixture.event('charge.dispute.created', {
      id: 'dp_1',
      payment_intent: `pi_${order.tradeNo}`,
      amount: 1_500,
      currency: 'usd',
      reason: 'fraudulent',
    });
    for (let turn = 0; turn < 3; turn += 1) expect(await fixture.webhook(dispute)).toBe(200);
    expect((await mail.letterTo(ROOT_MAIL, 5)).text).toContain('fraudulent');
    expect(lettersOf(order.tradeNo)).toHaveLength(1);
  });

  it('lists orders that were paid a second time', async () => {
    const page = await fixture.root.expectSuccess<{ items: { trade_no: string; status: string }[] }>(
      'GET',
      '/api/user/topup?status=paid-again',
    );
    expect(page.items).toHaveLength(1);
    expect(await eventsOf(page.items[0]?.trade_no ?? '')).toContain('paid-again');
  });

  it('shows all of them to the alert rules for a day, unsettled ones for longer', async () => {
    const incidents = fixture.app.app.get(OrderIncidents, { strict: false });
    const kinds = async () => (await incidents.read()).map(({ kind, count }) => [kind, count]);
    expect(await kinds()).toEqual([
      ['mismatch', 1],
      ['disputed', 1],
      ['foreign', 1],
      ['paid-again', 1],
    ]);
    fixture.pass(24 * 60 + 1);
    expect(await kinds()).toEqual([['mismatch', 1]]);
    fixture.pass(31 * 24 * 60);
    expect(await kinds()).toEqual([]);
  });
});
