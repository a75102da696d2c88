import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { signEpay } from '../../../../server/console/wallet/payments/epay.provider.js';
import { OrderIncidents } from '../../../../server/console/wallet/orders/order-incidents.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { EPAY_KEY, messageOf, WalletFixture } from './wallet.fixture.ts';

const QUOTA_OF_10 = 5_000_000;

describe.each(DATABASE_KINDS)('top-up by epay on %s', (kind) => {
  let fixture: WalletFixture;
  let payer: ApiClient;
  beforeAll(async () => {
    fixture = await WalletFixture.open(kind);
    payer = await fixture.payer();
  });
  afterAll(async () => {
    expect(await fixture.close()).toEqual({ violations: [] });
  });

  const linesOf = (client: ApiClient) =>
    fixture.app.dataSource.getRepository(LogEntity).findBy({ userId: client.userId, type: 1 });

  it('gives the price of an amount, and why it cannot be bought', async () => {
    expect((await payer.post('/api/user/amount', { amount: 10, top_up_code: '' })).body).toEqual({
      success: true,
      message: 'success',
      data: '73.00',
    });
    const ask = async (amount: unknown) => messageOf(await payer.post('/api/user/amount', { amount }));
    expect(await ask(0)).toEqual(['error', 'The top-up amount must not be below 1']);
    expect(await ask(1.5)).toEqual(['error', 'The top-up amount must be a whole number']);
    expect(await ask(2_000_000)).toEqual(['error', 'The top-up amount must not be above 1000000']);
    payer.headers['accept-language'] = 'zh';
    expect(await ask(-1)).toEqual(['error', '充值数量不能小于 1']);
    delete payer.headers['accept-language'];
    const unknown = await payer.post('/api/user/pay', { amount: 10, payment_method: 'bitcoin' });
    expect(messageOf(unknown)).toEqual(['error', 'Unknown payment method']);
  });

  it('returns a signed form, and fixes price and value in the order [PAY-08]', async () => {
    const order = await fixture.order(payer, 'wx');
    expect(order.url).toBe(`${fixture.epay.url}/pay/submit.php`);
    const { sign, ...fields } = order.fields;
    expect(fields).toEqual({
      pid: '1001',
      type: 'wxpay',
      out_trade_no: order.tradeNo,
      name: 'TUC10',
      money: '73.00',
      notify_url: 'https://gate.example/api/user/epay/notify',
      return_url: 'https://gate.example/topup',
      device: 'pc',
      sign_type: 'MD5',
    });
    expect(sign).toBe(signEpay(fields, EPAY_KEY));
    await fixture.set({ Price: 1, QuotaPerUnit: 1_000_000 });
    const before = await fixture.balanceOf(payer);
    try {
      expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    } finally {
      await fixture.set({ Price: 7.3, QuotaPerUnit: 500_000 });
    }
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('a hundred notifications at once are one credit, one ledger row and one log line [F-32, PAY-05]', async () => {
    const own = await fixture.payer();
    const order = await fixture.order(own);
    const notice = fixture.paid(order);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? fixture.notify(notice) : fixture.notifyByForm(notice),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['200 success']));
    expect(await fixture.balanceOf(own)).toBe(QUOTA_OF_10);
    expect(await linesOf(own)).toMatchObject([
      { quota: QUOTA_OF_10, requestId: expect.stringMatching(/^top-up:/) },
    ]);
    const ledger = await own.expectSuccess<{ items: unknown[] }>('GET', '/api/user/ledger');
    expect(ledger.items).toMatchObject([{ kind: 'topup', amount: QUOTA_OF_10 }]);
  });

  it('credits nothing and answers "fail" to forged, altered or misdirected notifications [PAY-01, PAY-02, PAY-03, PAY-04]', async () => {
    const order = await fixture.order(payer);
    const other = await fixture.order(payer, 'wx');
    const before = await fixture.balanceOf(payer);
    const notices = [
      fixture.paid(order, {}, 'another key of a test'),
      fixture.paid(order).replace('73.00', '0.01'),
      `${fixture.paid(order)}&money=73.00`,
      fixture.paid(order, { pid: '1002' }),
      fixture.paid(order, { type: 'wxpay' }),
      fixture.paid(order, { out_trade_no: 'USR1NOAAAAAA1' }),
      fixture.paid(order, { name: 'x&money=73.00' }),
      new URLSearchParams({ ...order.fields }).toString(),
      '',
    ];
    for (const notice of notices) {
      expect(await fixture.notify(notice)).toBe('200 fail');
      expect(await fixture.notifyByForm(notice)).toBe('200 fail');
    }
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect((await fixture.stateOf(order.tradeNo)).status).toBe('pending');
    // A payment number pays one order.
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect(await fixture.notify(fixture.paid(other, { trade_no: `P${order.tradeNo}` }))).toBe('200 fail');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('another sum, lower or higher, is a mismatch; the right one afterwards still counts, once [PAY-03]', async () => {
    const before = await fixture.balanceOf(payer);
    const order = await fixture.order(payer);
    expect(await fixture.notify(fixture.paid(order, { money: '0.01' }))).toBe('200 fail');
    expect(await fixture.notify(fixture.paid(order, { money: '7300.00' }))).toBe('200 fail');
    expect(await fixture.notify(fixture.paid(order, { money: '73.001' }))).toBe('200 fail');
    expect((await fixture.stateOf(order.tradeNo)).status).toBe('mismatch');
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect(await fixture.notify(fixture.paid(order, { money: '0.01' }))).toBe('200 fail');
    expect((await fixture.stateOf(order.tradeNo)).status).toBe('success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
    const detail = await fixture.root.expectSuccess<{ events: { kind: string }[] }>(
      ...(['GET', `/api/user/topup/order/${order.tradeNo}`] as const),
    );
    expect(detail.events.map((event) => event.kind)).toEqual([
      'created',
      'mismatch',
      'mismatch',
      'mismatch',
      'paid',
    ]);
  });

  it('other states of a payment change nothing, before and after it was paid', async () => {
    const before = await fixture.balanceOf(payer);
    const order = await fixture.order(payer);
    for (const status of ['WAIT_BUYER_PAY', 'TRADE_CLOSED'])
      expect(await fixture.notify(fixture.paid(order, { trade_status: status }))).toBe('200 success');
    expect((await fixture.stateOf(order.tradeNo)).status).toBe('pending');
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect(await fixture.notify(fixture.paid(order, { trade_status: 'TRADE_CLOSED' }))).toBe('200 success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('answers "fail" while the database is away, and credits when the service repeats [PAY-06]', async () => {
    const before = await fixture.balanceOf(payer);
    const order = await fixture.order(payer);
    const { dataSource } = fixture.app;
    const transaction = dataSource.transaction.bind(dataSource);
    dataSource.transaction = () => Promise.reject(new Error('the database is away'));
    try {
      expect(await fixture.notify(fixture.paid(order))).toBe('200 fail');
    } finally {
      dataSource.transaction = transaction;
    }
    expect(await fixture.balanceOf(payer)).toBe(before);
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('queries orders without a notification, after ten minutes, and accepts only the right sum [PAY-11]', async () => {
    const before = await fixture.balanceOf(payer);
    const lost = await fixture.order(payer);
    const unpaid = await fixture.order(payer);
    const odd = await fixture.order(payer);
    const answer = (tradeNo: string, changes: object = {}) => ({
      code: 1,
      msg: 'ok',
      trade_no: `P${tradeNo}`,
      out_trade_no: tradeNo,
      type: 'alipay',
      pid: 1001,
      money: '73.00',
      status: 1,
      ...changes,
    });
    fixture.epay.orders.set(lost.tradeNo, answer(lost.tradeNo));
    fixture.epay.orders.set(unpaid.tradeNo, answer(unpaid.tradeNo, { status: 0 }));
    fixture.epay.orders.set(odd.tradeNo, answer(odd.tradeNo, { money: '1.00' }));
    fixture.epay.seen.length = 0;
    fixture.pass(11);
    await fixture.watch();
    expect(
      fixture.epay.seen.find(({ query }) => query.get('out_trade_no') === lost.tradeNo)?.query.get('pid'),
    ).toBe('1001');
    expect((await fixture.stateOf(lost.tradeNo)).status).toBe('success');
    expect((await fixture.stateOf(unpaid.tradeNo)).status).toBe('pending');
    expect((await fixture.stateOf(odd.tradeNo)).status).toBe('mismatch');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
    fixture.epay.seen.length = 0;
    await fixture.watch();
    expect(fixture.epay.seen).toEqual([]);
    expect(await fixture.notify(fixture.paid(lost))).toBe('200 success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('above a sum of choice a notification counts only when the service confirms it [PAY-12]', async () => {
    const before = await fixture.balanceOf(payer);
    const order = await fixture.order(payer);
    await fixture.set({ EpayConfirmAboveMoney: 50 });
    try {
      expect(await fixture.notify(fixture.paid(order))).toBe('200 fail');
      expect(await fixture.balanceOf(payer)).toBe(before);
      fixture.epay.orders.set(order.tradeNo, {
        code: '1',
        trade_no: `P${order.tradeNo}`,
        out_trade_no: order.tradeNo,
        type: 'alipay',
        pid: '1001',
        money: '73.00',
        status: '1',
      });
      expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    } finally {
      await fixture.set({ EpayConfirmAboveMoney: 0 });
    }
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('refuses a confirmation that is never requested; if it was stored before, reports each order once and credits nothing', async () => {
    const refused = await fixture.root.put('/api/option/', [
      { key: 'EpayConfirmAboveMoney', value: 50 },
      { key: 'EpayOrderQueryEnabled', value: false },
    ]);
    expect(refused.body).toMatchObject({ success: false, code: 'option_confirmation_unasked' });
    const options = fixture.app.app.get(OptionsService);
    const rows = fixture.app.dataSource.getRepository(OptionEntity);
    await rows.save([
      { key: 'EpayConfirmAboveMoney', value: '50' },
      { key: 'EpayOrderQueryEnabled', value: 'false' },
    ]);
    await fixture.set({ SystemName: 'Renamed' });
    await options.refresh();
    const before = await fixture.balanceOf(payer);
    const order = await fixture.order(payer);
    try {
      const shown = await fixture.root.expectSuccess<{ key: string; needs_look?: string }[]>(
        ...(['GET', '/api/option/'] as const),
      );
      expect(shown.find(({ key }) => key === 'EpayConfirmAboveMoney')?.needs_look).toContain(
        'EpayOrderQueryEnabled',
      );
      for (let turn = 0; turn < 2; turn += 1)
        expect(await fixture.notify(fixture.paid(order))).toBe('200 fail');
      expect(await fixture.balanceOf(payer)).toBe(before);
      const { events } = await fixture.root.expectSuccess<{ events: { kind: string }[] }>(
        ...(['GET', `/api/user/topup/order/${order.tradeNo}`] as const),
      );
      expect(events.map((event) => event.kind)).toEqual(['created', 'unconfirmed']);
      const incidents = await fixture.app.app.get(OrderIncidents, { strict: false }).read();
      expect(incidents).toContainEqual(expect.objectContaining({ kind: 'unconfirmed', count: 1 }));
    } finally {
      await fixture.set({ EpayConfirmAboveMoney: 0, EpayOrderQueryEnabled: true });
    }
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect((await fixture.balanceOf(payer)) - before).toBe(QUOTA_OF_10);
  });

  it('ten unpaid orders and ten orders an hour, then no more [PAY-09]', async () => {
    const own = await fixture.payer();
    for (let index = 0; index < 10; index += 1) await fixture.order(own, 'zfb', 1);
    fixture.pass(60);
    const many = await own.post('/api/user/pay', { amount: 1, payment_method: 'zfb' });
    expect(many.body).toMatchObject({ success: false, message: 'error', code: 'topup_too_many_pending' });
    const quick = await fixture.payer();
    const replies = [];
    for (let index = 0; index < 11; index += 1) {
      replies.push(await quick.post('/api/user/pay', { amount: 1, payment_method: 'zfb' }));
      await fixture.app.dataSource.query(
        `UPDATE top_ups SET status = 'failed' WHERE user_id = ${quick.userId}`,
      );
    }
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it('writes as many of orders made at once as may be unpaid, and no more', async () => {
    const own = await fixture.payer();
    for (let index = 0; index < 8; index += 1) await fixture.order(own, 'zfb', 1);
    fixture.pass(60);
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => own.post('/api/user/pay', { amount: 1, payment_method: 'zfb' })),
    );
    expect(replies.filter(({ body }) => body.message === 'success')).toHaveLength(2);
    expect(new Set(replies.map(({ body }) => body['code']))).toEqual(
      new Set([undefined, 'topup_too_many_pending']),
    );
    const rows = fixture.app.dataSource.getRepository('top_ups');
    expect(await rows.countBy({ userId: own.userId })).toBe(10);
  });

  it('a key of 15 bytes is not taken, and the one before stays [PAY-01]', async () => {
    const reply = await fixture.root.put('/api/option/', { key: 'EpayKey', value: '123456789012345' });
    expect([reply.body.code, String(reply.body.message)]).toEqual([
      'option_invalid',
      expect.stringContaining('16 to 4096 bytes'),
    ]);
    const options = await fixture.root.expectSuccess<{ key: string; is_set?: boolean }[]>(
      'GET',
      '/api/option/',
    );
    expect(options.find(({ key }) => key === 'EpayKey')).toMatchObject({ is_set: true });
  });

  it('offers no top-up by epay without a merchant key, and takes a signature with an empty key for none [PAY-01]', async () => {
    await fixture.set({ EpayKey: null });
    try {
      const open = await payer.expectSuccess<Record<string, unknown>>('GET', '/api/status');
      // Stripe alone is a way to pay.
      expect(open['enable_online_topup']).toBe(true);
      await fixture.set({ StripeEnabled: false });
      const { enable_online_topup: isOn } = await payer.expectSuccess<Record<string, unknown>>(
        'GET',
        '/api/status',
      );
      expect(isOn).toBe(false);
      const reply = await payer.post('/api/user/pay', { amount: 10, payment_method: 'zfb' });
      expect(messageOf(reply)).toEqual(['error', 'The administrator has not enabled online top-up']);
      const fields = {
        pid: '1001',
        trade_no: '1',
        out_trade_no: '1',
        type: 'alipay',
        money: '1',
        trade_status: 'x',
      };
      const sign = signEpay(fields, '');
      expect(await fixture.notify(new URLSearchParams({ ...fields, sign }).toString())).toBe('200 fail');
    } finally {
      await fixture.set({ EpayKey: EPAY_KEY, StripeEnabled: true });
    }
  });

  it('an account at the service that offers no way to pay is no online top-up', async () => {
    const shown = async () => ({
      info: await payer.expectSuccess<Record<string, unknown>>('GET', '/api/user/topup/info'),
      status: await payer.expectSuccess<Record<string, unknown>>('GET', '/api/status'),
    });
    const methods = '[{"name":"Alipay","type":"alipay"},{"name":"WeChat Pay","type":"wxpay"}]';
    await fixture.set({ StripeEnabled: false });
    try {
      expect(await shown()).toMatchObject({
        info: { enable_online_topup: true, enable_epay_topup: true },
        status: { enable_online_topup: true },
      });
      // The second names Stripe, which is a service of its own and off.
      for (const none of ['[]', '[{"name":"Card","type":"stripe"}]']) {
        await fixture.set({ PayMethods: none });
        expect(await shown()).toMatchObject({
          info: { enable_online_topup: false, enable_epay_topup: false, pay_methods: [] },
          status: { enable_online_topup: false },
        });
        const reply = await payer.post('/api/user/amount', { amount: 10 });
        expect(messageOf(reply)).toEqual(['error', 'The administrator has not enabled online top-up']);
      }
    } finally {
      await fixture.set({ PayMethods: methods, StripeEnabled: true });
    }
  });

  it('orders expire after a day; a late genuine payment still counts, once [PAY-110]', async () => {
    const own = await fixture.payer();
    const order = await fixture.order(own);
    fixture.pass(24 * 60 + 1);
    await fixture.watch();
    expect((await fixture.stateOf(order.tradeNo)).status).toBe('expired');
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    const state = await fixture.stateOf(order.tradeNo);
    expect(state).toMatchObject({ status: 'success', providerTradeNo: `P${order.tradeNo}`, logPending: 0 });
    expect(await linesOf(own)).toHaveLength(1);
  });
});
