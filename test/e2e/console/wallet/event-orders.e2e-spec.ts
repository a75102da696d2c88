import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountsService } from '../../../../server/base/users/accounts.service.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { AccountMoney } from '../../../../server/base/billing/ledger/account-money.service.js';
import { OrderIncidents } from '../../../../server/console/wallet/orders/order-incidents.js';
import { OrderWatch } from '../../../../server/console/wallet/orders/order-watch.js';
import { PaymentEventEntity } from '../../../../server/console/wallet/payments/payment-event.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import { type Order, WalletFixture } from './wallet.fixture.ts';

const ROOT_MAIL = 'root@example.test';

/** Every order of some things. */
const permutations = <T>(things: readonly T[]): T[][] =>
  things.length < 2
    ? [[...things]]
    : things.flatMap((first, index) =>
        permutations(things.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
      );

describe.each(DATABASE_KINDS)('events of a payment service, in any order, on %s', (kind) => {
  let fixture: WalletFixture;
  let payer: ApiClient;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    fixture = await WalletFixture.open(kind);
    await fixture.root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
    await fixture.app.dataSource.getRepository(UserEntity).update({ role: 100 }, { email: ROOT_MAIL });
    payer = await fixture.payer();
  });
  afterAll(async () => {
    expect(await fixture.close()).toEqual({ violations: [] });
    await mail.close();
  });

  const historyOf = async (tradeNo: string): Promise<string[]> => {
    const { events } = await fixture.root.expectSuccess<{ events: { kind: string }[] }>(
      'GET',
      `/api/user/topup/order/${tradeNo}`,
    );
    return events.map(({ kind: name }) => name).sort();
  };
  const detailsOf = async (tradeNo: string): Promise<string[]> => {
    const rows = await fixture.app.dataSource.getRepository(PaymentEventEntity).find();
    const { id } = await fixture.stateOf(tradeNo);
    return rows.filter(({ orderId }) => orderId === id).map(({ detail }) => detail);
  };
  const lettersOf = (tradeNo: string) => mail.letters.filter(({ text }) => text.includes(tradeNo));
  const whenTold = async (tradeNo: string, count: number): Promise<void> => {
    const deadline = Date.now() + 10_000;
    while (lettersOf(tradeNo).length < count && Date.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
    expect(lettersOf(tradeNo)).toHaveLength(count);
  };
  const eventsAbout = (order: Order, payment = `pi_${order.tradeNo}`) => ({
    paid: fixture.sessionEvent(order, 'checkout.session.completed', { payment_intent: payment }),
    refunded: fixture.event('charge.refunded', {
      id: 'ch_1',
      payment_intent: payment,
      amount: 1_500,
      amount_refunded: 1_500,
      currency: 'usd',
    }),
    disputed: fixture.event('charge.dispute.created', {
      id: 'dp_1',
      payment_intent: payment,
      amount: 1_500,
      currency: 'usd',
      reason: 'fraudulent',
    }),
    closed: fixture.event('charge.dispute.closed', {
      id: 'dp_1',
      payment_intent: payment,
      amount: 1_500,
      currency: 'usd',
      reason: 'fraudulent',
      status: 'won',
    }),
  });

  it.each(
    permutations(['paid', 'refunded', 'disputed'] as const).map(
      (order) => [order.join(', '), order] as const,
    ),
  )('stores and reports all of it when it comes as %s', async (_name, sequence) => {
    const order = await fixture.order(payer, 'stripe');
    const before = await fixture.balanceOf(payer);
    const events = eventsAbout(order);
    // Each is repeated, as services do.
    for (const name of sequence)
      for (let turn = 0; turn < 2; turn += 1) expect(await fixture.webhook(events[name])).toBe(200);
    expect(await historyOf(order.tradeNo)).toEqual(['created', 'disputed', 'paid', 'refunded']);
    expect(await fixture.balanceOf(payer)).toBeGreaterThan(before);
    // An account gets a limited number of mails in an hour: the first and the last are checked.
    if (sequence[1] === 'paid') await whenTold(order.tradeNo, 2);
    expect(await fixture.webhook(events.refunded)).toBe(200);
    expect(await historyOf(order.tradeNo)).toHaveLength(4);
  });

  it('stores and reports all of it when it comes at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await fixture.order(payer, 'stripe');
      const { paid, refunded, disputed } = eventsAbout(order);
      const codes = await Promise.all(
        [refunded, paid, disputed, refunded].map((event) => fixture.webhook(event)),
      );
      expect(codes).toEqual([200, 200, 200, 200]);
      expect(await historyOf(order.tradeNo)).toEqual(['created', 'disputed', 'paid', 'refunded']);
    }
  });

  it.each(
    permutations(['paid', 'disputed', 'closed'] as const).map((order) => [order.join(', '), order] as const),
  )(
    'adds the end of a dispute to the events of the order when it comes as %s, without a notification',
    async (_name, sequence) => {
      const order = await fixture.order(payer, 'stripe');
      const events = eventsAbout(order);
      for (const name of sequence)
        for (let turn = 0; turn < 2; turn += 1) expect(await fixture.webhook(events[name])).toBe(200);
      expect(await historyOf(order.tradeNo)).toEqual(['created', 'dispute-closed', 'disputed', 'paid']);
      expect(await detailsOf(order.tradeNo)).toContain('dispute dp_1: 1500 usd, won');
      expect(lettersOf(order.tradeNo).length).toBeLessThanOrEqual(1);
    },
  );

  it('reports the refund of a payment of another sum, before and after the payment is reported', async () => {
    for (const sequence of [
      ['refunded', 'paid'],
      ['paid', 'refunded'],
    ] as const) {
      const order = await fixture.order(payer, 'stripe');
      const events = eventsAbout(order);
      events.paid.data.object['amount_total'] = 1;
      for (const name of sequence) await fixture.webhook(events[name]);
      expect(await historyOf(order.tradeNo)).toEqual(['created', 'mismatch', 'refunded']);
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
    }
  });

  it('gives an event to its order although the process that booked the payment died before it could', async () => {
    const order = await fixture.order(payer, 'stripe');
    const { paid, refunded } = eventsAbout(order);
    await fixture.webhook(paid);
    await fixture.webhook(refunded);
    const events = fixture.app.dataSource.getRepository(PaymentEventEntity);
    const { id } = await fixture.stateOf(order.tradeNo);
    await events.update({ orderId: id, kind: 'refunded' }, { orderId: 0 });
    await fixture.app.app.get(OrderWatch, { strict: false }).turn();
    expect(await historyOf(order.tradeNo)).toEqual(['created', 'paid', 'refunded']);
  });

  describe('for an account that was deregistered meanwhile', () => {
    const leave = async (
      service: 'stripe' | 'zfb',
    ): Promise<{ order: Order; pay: () => Promise<unknown> }> => {
      const leaver = await fixture.payer();
      const order = await fixture.order(leaver, service);
      await leaver.expectSuccess('DELETE', '/api/user/self');
      const pay = (): Promise<unknown> =>
        service === 'stripe' ? fixture.webhook(eventsAbout(order).paid) : fixture.notify(fixture.paid(order));
      return { order, pay };
    };

    it.each(['stripe', 'zfb'] as const)('credits nothing and notifies root once (%s)', async (service) => {
      const { order, pay } = await leave(service);
      for (let turn = 0; turn < 3; turn += 1) expect([200, '200 success']).toContain(await pay());
      expect(await historyOf(order.tradeNo)).toEqual(['created', 'ownerless']);
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
      if (service === 'zfb') return;
      await whenTold(order.tradeNo, 1);
      expect(lettersOf(order.tradeNo)[0]?.text).toContain('deregistered');
    });

    it('gives it to another account, once', async () => {
      const { order, pay } = await leave('stripe');
      await pay();
      const heir = await fixture.payer();
      const body = { trade_no: order.tradeNo, reason: 'the same person', user_id: heir.userId };
      expect((await fixture.root.post('/api/user/topup/complete', { ...body, user_id: 0 })).body.code).toBe(
        'user_not_found',
      );
      const before = await fixture.balanceOf(heir);
      const replies = await Promise.all(
        [1, 2, 3].map(() => fixture.root.post('/api/user/topup/complete', body)),
      );
      expect(replies.filter((reply) => reply.body.success === true)).toHaveLength(1);
      const { quotaToCredit, userId } = await fixture.stateOf(order.tradeNo);
      expect(await fixture.balanceOf(heir)).toBe(before + quotaToCredit);
      expect(userId).toBe(heir.userId);
      await pay();
      expect(await fixture.balanceOf(heir)).toBe(before + quotaToCredit);
    });

    it('gives it to another account by root alone, and the audit log names both accounts', async () => {
      const { order, pay } = await leave('stripe');
      await pay();
      const { userId: leaver } = await fixture.stateOf(order.tradeNo);
      const heir = await fixture.payer();
      const administrator = await signUp(fixture.root, { username: 'cashier', role: 'admin' });
      const body = { trade_no: order.tradeNo, reason: 'the same person', user_id: heir.userId };
      expect((await administrator.post('/api/user/topup/complete', body)).body.code).toBe('not_permitted');
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
      await fixture.root.expectSuccess('POST', '/api/user/topup/complete', body);
      const { items } = await fixture.root.expectSuccess<{ items: { target_id: string; detail: string }[] }>(
        'GET',
        '/api/audit?action=order.complete',
      );
      const row = items.find(({ target_id }) => target_id === order.tradeNo);
      expect(JSON.parse(row?.detail ?? '')).toMatchObject({ user_id: heir.userId, ordered_by: leaver });
    });

    it('does not give it to an account that leaves at the same moment', async () => {
      const { order, pay } = await leave('stripe');
      await pay();
      const heir = await fixture.payer();
      const accounts = fixture.app.app.get(AccountsService, { strict: false });
      const find = accounts.findIdentity.bind(accounts);
      const found = jest.spyOn(accounts, 'findIdentity').mockImplementation(async (id) => {
        const account = await find(id);
        if (id === heir.userId) {
          found.mockRestore();
          await heir.expectSuccess('DELETE', '/api/user/self');
        }
        return account;
      });
      const body = { trade_no: order.tradeNo, reason: 'the same person', user_id: heir.userId };
      expect((await fixture.root.post('/api/user/topup/complete', body)).body.code).toBe('user_not_found');
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
    });

    it('closes it as given back, and keeps it closed however often the service repeats itself', async () => {
      const { order, pay } = await leave('stripe');
      await pay();
      const body = { trade_no: order.tradeNo, reason: 'refunded at the service' };
      expect((await payer.post('/api/user/topup/refund', body)).body.code).toBe('not_permitted');
      await fixture.root.expectSuccess('POST', '/api/user/topup/refund', body);
      expect((await fixture.root.post('/api/user/topup/refund', body)).body.code).toBe(
        'order_not_refundable',
      );
      await pay();
      await fixture.webhook(eventsAbout(order).refunded);
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('failed');
      expect(await historyOf(order.tradeNo)).toEqual([
        'created',
        'ownerless',
        'refunded',
        'refunded-by-hand',
      ]);
    });

    it('does not credit another account while the account that ordered exists', async () => {
      const order = await fixture.order(payer, 'stripe');
      const heir = await fixture.payer();
      const body = { trade_no: order.tradeNo, reason: 'a favour', user_id: heir.userId };
      expect((await fixture.root.post('/api/user/topup/complete', body)).body.code).toBe('order_has_owner');
    });
  });

  describe('for an account that cannot hold more', () => {
    const MOST = 4_000_000_000_000_000;
    /** Fills an account up to what is left of the most it may hold, or empties it again, with its books. */
    const leaveRoom = async (client: ApiClient, room: number): Promise<void> => {
      const money = fixture.app.app.get(AccountMoney, { strict: false });
      const amount = MOST - room - (await fixture.balanceOf(client));
      const movement = {
        userId: client.userId,
        amount,
        ref: `room:${client.userId}:${room}:${amount}`,
        actorId: 0,
        reason: 'room',
      };
      await fixture.app.dataSource.transaction((manager) => money.adjust(manager, movement));
    };
    let owner: ApiClient;
    // The books add up what all accounts hold: one of them is full at a time.
    afterEach(() => leaveRoom(owner, MOST));
    const fill = async (service: 'stripe' | 'zfb') => {
      owner = await fixture.payer();
      const order = await fixture.order(owner, service);
      await leaveRoom(owner, 1);
      const pay = (): Promise<unknown> =>
        service === 'stripe' ? fixture.webhook(eventsAbout(order).paid) : fixture.notify(fixture.paid(order));
      return { order, pay };
    };

    it.each(['stripe', 'zfb'] as const)(
      'credits nothing, answers with success and notifies root once (%s)',
      async (service) => {
        const { order, pay } = await fill(service);
        for (let turn = 0; turn < 3; turn += 1) expect([200, '200 success']).toContain(await pay());
        expect(await historyOf(order.tradeNo)).toEqual(['account-full', 'created']);
        expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
        expect(await fixture.balanceOf(owner)).toBe(MOST - 1);
        const incidents = await fixture.app.app.get(OrderIncidents, { strict: false }).read();
        expect(incidents.map(({ kind: name }) => name)).toEqual(
          expect.arrayContaining(['account-full', 'mismatch']),
        );
      },
    );

    it('credits it by hand once there is room, and once whatever the service repeats', async () => {
      const { order, pay } = await fill('stripe');
      await pay();
      const body = { trade_no: order.tradeNo, reason: 'there is room' };
      expect((await fixture.root.post('/api/user/topup/complete', body)).body.code).toBe('balance_too_high');
      const { quotaToCredit } = await fixture.stateOf(order.tradeNo);
      await leaveRoom(owner, quotaToCredit);
      await fixture.root.expectSuccess('POST', '/api/user/topup/complete', body);
      await pay();
      expect(await fixture.balanceOf(owner)).toBe(MOST);
      expect(await historyOf(order.tradeNo)).toEqual([
        'account-full',
        'completed-by-hand',
        'created',
        'paid',
      ]);
    });

    it('stays closed when it was given back, although the account has room by the time the service repeats', async () => {
      const { order, pay } = await fill('stripe');
      await pay();
      await fixture.root.expectSuccess('POST', '/api/user/topup/refund', {
        trade_no: order.tradeNo,
        reason: 'refunded at the service',
      });
      const { quotaToCredit } = await fixture.stateOf(order.tradeNo);
      await leaveRoom(owner, quotaToCredit);
      for (let turn = 0; turn < 2; turn += 1) expect(await pay()).toBe(200);
      expect(await fixture.balanceOf(owner)).toBe(MOST - quotaToCredit);
      expect((await fixture.stateOf(order.tradeNo)).status).toBe('failed');
    });
  });

  it('distinguishes payments that begin with the same 191 characters, and finds rows that were cut before', async () => {
    const beginning = `pi_${'x'.repeat(220)}`;
    const first = await fixture.order(payer, 'stripe');
    const second = await fixture.order(payer, 'stripe');
    const ofFirst = eventsAbout(first, `${beginning}1`);
    const ofSecond = eventsAbout(second, `${beginning}2`);
    for (const event of [ofSecond.refunded, ofFirst.paid, ofFirst.paid, ofSecond.paid, ofFirst.disputed])
      expect(await fixture.webhook(event)).toBe(200);
    expect(await historyOf(first.tradeNo)).toEqual(['created', 'disputed', 'paid']);
    expect(await historyOf(second.tradeNo)).toEqual(['created', 'paid', 'refunded']);
    const again = eventsAbout(first, `${beginning}3`);
    for (const event of [again.paid, eventsAbout(first, `${beginning}4`).paid, again.paid])
      expect(await fixture.webhook(event)).toBe(200);
    expect(await historyOf(first.tradeNo)).toEqual([
      'created',
      'disputed',
      'paid',
      'paid-again',
      'paid-again',
    ]);
    const third = await fixture.order(payer, 'stripe');
    const { id: orderId } = await fixture.stateOf(third.tradeNo);
    const payment = `pi_${'y'.repeat(220)}`;
    await fixture.app.dataSource.getRepository(PaymentEventEntity).insert({
      orderId,
      kind: 'paid',
      eventKey: `stripe:paid:${orderId}:${payment}`.slice(0, 191),
      payment: `stripe:${payment}`.slice(0, 191),
      detail: 'written by the version before',
      createdAtMs: 1,
    });
    expect(await fixture.webhook(eventsAbout(third, payment).refunded)).toBe(200);
    expect(await historyOf(third.tradeNo)).toEqual(['created', 'paid', 'refunded']);
  });

  it('keeps events of other payments without an order, and drops them after 60 days', async () => {
    const events = fixture.app.dataSource.getRepository(PaymentEventEntity);
    const stray = fixture.event('charge.refunded', {
      id: 'ch_9',
      payment_intent: 'pi_of_a_shop',
      amount: 5,
      amount_refunded: 5,
      currency: 'usd',
    });
    expect(await fixture.webhook(stray)).toBe(200);
    expect(await events.countBy({ orderId: 0 })).toBe(1);
    const watch = fixture.app.app.get(OrderWatch, { strict: false });
    await watch.turn();
    expect(await events.countBy({ orderId: 0 })).toBe(1);
    fixture.pass(61 * 24 * 60);
    await watch.turn();
    expect(await events.countBy({ orderId: 0 })).toBe(0);
  });
});
