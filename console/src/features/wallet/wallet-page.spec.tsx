import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { leave } from '../../shared/browser/leave';
import { anOrder, aSelf, aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf, type MadeCall } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { TopUpInfo } from './api';
import { readReason } from './movement.labels';

let api: FakeApi;
const went = jest.spyOn(leave, 'for');
const posted = jest.spyOn(leave, 'with');
beforeEach(() => {
  went.mockReset().mockReturnValue(undefined);
  posted.mockReset().mockReturnValue(undefined);
});
afterEach(() => api.stop());

function anInfo(parts: Partial<TopUpInfo> = {}): TopUpInfo {
  return {
    enable_online_topup: true,
    enable_epay_topup: true,
    enable_stripe_topup: true,
    pay_methods: [
      { type: 'alipay', name: 'Alipay', provider: 'epay', min_topup: 5, price: 7.3, currency: '' },
      { type: 'wxpay', name: 'WeChat Pay', provider: 'epay', min_topup: 5, price: 7.3, currency: '' },
      { type: 'stripe', name: 'Stripe', provider: 'stripe', min_topup: 1, price: 1.5, currency: 'usd' },
    ],
    amount_counts: 'unit',
    min_topup: 5,
    max_topup: 1_000_000,
    amount_options: [1, 10, 50],
    discount: { '50': 0.9 },
    group_ratio: 1,
    top_up_link: '',
    pending_orders: 0,
    max_pending_orders: 10,
    ...parts,
  };
}

/** 7.30 for each unit, 1.50 by Stripe. */
const priceOf = ({ body }: MadeCall) => {
  const { amount, payment_method: method } = body as { amount: number; payment_method: string };
  return { data: (amount * (method === 'stripe' ? 1.5 : 7.3)).toFixed(2), members: { message: 'success' } };
};

const LEDGER = {
  items: [
    { id: 2, kind: 'redeem', amount: 1_000_000, quota_after: 2_900_000, reason: 'code 4', created_at: NOON },
    { id: 1, kind: 'adjust', amount: -100_000, quota_after: 1_900_000, reason: 'too much', created_at: NOON },
  ],
  total: 2,
  page: 1,
  page_size: 10,
  sums: { grant_new: 2_000_000, redeem: 1_000_000, adjust: -100_000 },
  used_quota: 400_000,
  balance: 2_500_000,
};

function walletApi(info = anInfo(), status = aStatus()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: status },
    'GET /api/user/self': { data: aSelf({ quota: 2_500_000, used_quota: 400_000 }) },
    'GET /api/user/topup/info': { data: info },
    'GET /api/user/ledger': { data: LEDGER },
    'GET /api/user/topup/self': pageOf([anOrder()]),
    'POST /api/user/amount': priceOf,
  });
  return api;
}

const topUp = async () => within(await screen.findByRole('region', { name: 'Online top-up' }));

describe('the wallet', () => {
  it('proves the balance: received less used', async () => {
    walletApi();
    renderConsole('/topup', api, { role: 1 });
    expect(await screen.findByText(/^Received/)).toHaveTextContent('Received $5.80');
    expect(screen.getByText(/used by calls/)).toHaveTextContent('− used by calls $0.80');
    expect(screen.getByText(/^= balance/)).toHaveTextContent('= balance $5.00');
    const row = within(screen.getByText('Administrator adjustment').closest('tr') as HTMLElement);
    expect(row.getByText('−$0.20')).toBeVisible();
    expect(row.getByText('too much')).toBeVisible();
  });

  it('counts a refund neither as received nor as used', async () => {
    const ledger = {
      ...LEDGER,
      sums: { grant_new: 500_000, refund: 50_000 },
      used_quota: 200_000,
      balance: 350_000,
    };
    walletApi().answer({
      'GET /api/user/self': { data: aSelf({ quota: 350_000, used_quota: 200_000, refunded_quota: 50_000 }) },
      'GET /api/user/ledger': { data: ledger },
    });
    renderConsole('/topup', api, { role: 1 });
    expect(await screen.findByText(/^Received/)).toHaveTextContent('Received $1.00');
    expect(screen.getByText(/used by calls/)).toHaveTextContent('− used by calls $0.30');
    expect(screen.getByText(/^= balance/)).toHaveTextContent('= balance $0.70');
    expect(screen.getByText('$0.30')).toBeVisible();
  });

  it('redeems a code and shows its value', async () => {
    walletApi().answer({ 'POST /api/user/topup': { data: 1_000_000 } });
    const { user } = renderConsole('/topup', api, { role: 1 });
    await user.type(await screen.findByLabelText('Redemption code'), '  abc  ');
    await user.click(screen.getByRole('button', { name: 'Redeem' }));
    expect(await screen.findByText('Redeemed: $2.00 added')).toBeVisible();
    expect(api.made('POST /api/user/topup')[0]?.body).toEqual({ key: 'abc' });
    await waitFor(() => expect(api.made('GET /api/user/ledger').length).toBeGreaterThan(1));
  });

  it('asks for a code before it asks the server, and shows a refusal beside the field', async () => {
    walletApi().answer({ 'POST /api/user/topup': { refused: 'This code cannot be redeemed' } });
    const { user } = renderConsole('/topup', api, { role: 1 });
    await user.click(await screen.findByRole('button', { name: 'Redeem' }));
    expect(await screen.findByText('Please enter a redemption code!')).toBeVisible();
    expect(api.made('POST /api/user/topup')).toEqual([]);
    await user.type(screen.getByLabelText('Redemption code'), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Redeem' }));
    expect(await screen.findByText('This code cannot be redeemed')).toBeVisible();
  });

  it('explains that codes are not sold and payment is off', async () => {
    walletApi(anInfo({ enable_online_topup: false, pay_methods: [] }));
    renderConsole('/topup', api, { role: 1 });
    expect(await screen.findByText('The administrator has not enabled online top-up!')).toBeVisible();
    expect(screen.getByText('The super administrator has not set a top-up link!')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Set up online top-up' })).toBeNull();
  });

  it('leads root to the settings of payment while it is off', async () => {
    walletApi(anInfo({ enable_online_topup: false, pay_methods: [] }));
    renderConsole('/topup', api, { role: 100 });
    expect(await screen.findByRole('link', { name: 'Set up online top-up' })).toHaveAttribute(
      'href',
      '/setting?tab=system#section-payment',
    );
  });

  it('asks for no shop of codes where one can pay online', async () => {
    walletApi();
    renderConsole('/topup', api, { role: 1 });
    await (await topUp()).findByText('CNY 73.00');
    expect(screen.queryByText('The super administrator has not set a top-up link!')).toBeNull();
  });

  it('links the shop where codes are sold', async () => {
    walletApi(anInfo(), aStatus({ top_up_link: 'https://shop.example/codes' }));
    renderConsole('/topup', api, { role: 1 });
    expect(await screen.findByRole('link', { name: 'Buy a code' })).toHaveAttribute(
      'href',
      'https://shop.example/codes',
    );
  });

  it('shows the price the server counts, and posts the order to the payment service', async () => {
    walletApi().answer({
      'POST /api/user/pay': {
        data: { pid: '1001', sign: 'abc' },
        members: {
          message: 'success',
          url: 'https://pay.example/submit.php',
          method: 'form',
          trade_no: 'USR1',
        },
      },
    });
    const { user } = renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    expect(await form.findByText('CNY 73.00')).toBeVisible();
    await user.click(form.getByRole('button', { name: '$50 −10%' }));
    await user.click(form.getByRole('radio', { name: 'WeChat Pay' }));
    expect(await form.findByText('CNY 365.00')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Pay with WeChat Pay' }));
    await waitFor(() =>
      expect(posted).toHaveBeenCalledWith('https://pay.example/submit.php', { pid: '1001', sign: 'abc' }),
    );
    expect(api.made('POST /api/user/pay')[0]?.body).toEqual({
      amount: 50,
      top_up_code: '',
      payment_method: 'wxpay',
    });
  });

  it('opens the hosted page for Stripe, in its currency and with its own minimum', async () => {
    walletApi().answer({
      'POST /api/user/pay': {
        data: {},
        members: {
          message: 'success',
          url: 'https://checkout.example/1',
          method: 'redirect',
          trade_no: 'USR1',
        },
      },
    });
    const { user } = renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    await user.click(await form.findByRole('radio', { name: 'Stripe (card)' }));
    expect(form.getByText('At least $1.')).toBeVisible();
    expect(await form.findByText('USD 15.00')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Pay with Stripe (card)' }));
    await waitFor(() => expect(went).toHaveBeenCalledWith('https://checkout.example/1'));
  });

  it('never sends the browser to an address that is no web page', async () => {
    walletApi().answer({
      'POST /api/user/pay': {
        data: {},
        members: { message: 'success', url: 'javascript:alert(1)', method: 'redirect', trade_no: 'USR1' },
      },
    });
    const { user } = renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    await form.findByText('CNY 73.00');
    await user.click(form.getByRole('button', { name: 'Pay with Alipay' }));
    expect(await form.findByRole('alert')).toBeVisible();
    expect(went).not.toHaveBeenCalled();
    expect(posted).not.toHaveBeenCalled();
  });

  it('refuses amounts below the minimum itself, and never asks for their price', async () => {
    walletApi();
    const { user } = renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    await form.findByText('CNY 73.00');
    const amount = form.getByLabelText(/^Amount/);
    await user.clear(amount);
    await user.type(amount, '3');
    expect(form.getByText('The amount cannot be less than $5')).toBeVisible();
    expect(form.getByRole('button', { name: 'Pay with Alipay' })).toBeDisabled();
    await user.clear(amount);
    await user.type(amount, '5.5');
    expect(form.getByText('Please enter a whole number')).toBeVisible();
    await user.clear(amount);
    await user.tab();
    expect(amount).toHaveValue(5);
    expect(
      api.made('POST /api/user/amount').map(({ body }) => (body as { amount: number }).amount),
    ).not.toContain(3);
  });

  it('shows the reason of a refused price, which stands in the data', async () => {
    walletApi().answer({
      'POST /api/user/amount': { refused: 'error', members: { data: 'The sum is too small' } },
    });
    renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    expect(await form.findByText('The sum is too small')).toBeVisible();
    expect(form.getByLabelText(/^Amount/)).toHaveAccessibleDescription(/The sum is too small/);
    expect(form.getByLabelText(/^Amount/)).toBeInvalid();
    expect(form.queryByRole('alert')).toBeNull();
  });

  it('reports too many unpaid orders', async () => {
    walletApi(anInfo({ pending_orders: 10 }));
    renderConsole('/topup', api, { role: 1 });
    const form = await topUp();
    expect(await form.findByText(/You have 10 unpaid orders/)).toBeVisible();
    expect(form.getByRole('button', { name: 'Pay with Alipay' })).toBeDisabled();
  });

  it('never shows a refunded or disputed order as paid', async () => {
    const reversed = [
      anOrder({ status: 'refunded' }),
      anOrder({ id: 8, trade_no: 'USR8', status: 'disputed' }),
    ];
    walletApi().answer({ 'GET /api/user/topup/self': pageOf(reversed) });
    const { user } = renderConsole('/topup', api, { role: 1 });
    await user.click(await screen.findByRole('tab', { name: 'Orders' }));
    expect(await screen.findByText('Refund made')).toBeVisible();
    expect(screen.getByText('Disputed')).toBeVisible();
    expect(screen.queryByText('Paid')).toBeNull();
  });

  it('lists own orders and shows one again', async () => {
    walletApi().answer({ [`GET /api/user/topup/self/${anOrder().trade_no}`]: { data: anOrder() } });
    const { user, router } = renderConsole('/topup', api, { role: 1 });
    await user.click(await screen.findByRole('tab', { name: 'Orders' }));
    await user.click(await screen.findByRole('button', { name: anOrder().trade_no }));
    expect(await screen.findByText('Payment received')).toBeVisible();
    const state = within(screen.getByRole('region', { name: 'Your payment' }));
    await user.click(state.getByRole('button', { name: 'Close' }));
    expect(router.state.location.search).toBe('?list=orders');
    expect(screen.queryByText('Payment received')).toBeNull();
  });
});

describe('coming back from the payment page', () => {
  const returning = `/topup?pid=1&out_trade_no=${anOrder().trade_no}&trade_status=TRADE_SUCCESS`;
  const PATH = `GET /api/user/topup/self/${anOrder().trade_no}`;

  it('believes the server, not the address [PAY-10]', async () => {
    walletApi().answer({ [PATH]: { data: anOrder({ status: 'pending', complete_time: 0 }) } });
    renderConsole(returning, api, { role: 1 });
    expect(await screen.findByText('Waiting for the payment service')).toBeVisible();
    expect(screen.queryByText('Payment received')).toBeNull();
  });

  it('asks again until it is paid, then shows the new balance', async () => {
    let asked = 0;
    walletApi().answer({
      [PATH]: () => {
        asked += 1;
        return { data: anOrder(asked === 1 ? { status: 'pending', complete_time: 0 } : {}) };
      },
    });
    const { client } = renderConsole(returning, api, { role: 1 });
    expect(await screen.findByText('Waiting for the payment service')).toBeVisible();
    const before = api.made('GET /api/user/self').length;
    await client.refetchQueries({ queryKey: ['wallet', 'order'] });
    expect(await screen.findByText('Payment received')).toBeVisible();
    await waitFor(() => expect(api.made('GET /api/user/self').length).toBeGreaterThan(before));
  });

  it.each([
    ['expired', 'This order has expired'],
    ['failed', 'The payment failed'],
    ['mismatch', 'The payment needs to be checked'],
  ])('says what %s means', async (status, sentence) => {
    walletApi().answer({ [PATH]: { data: anOrder({ status, complete_time: 0 }) } });
    renderConsole(returning, api, { role: 1 });
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('recognises a payer who left without paying', async () => {
    walletApi().answer({ [PATH]: { data: anOrder({ status: 'pending', complete_time: 0 }) } });
    renderConsole(`${returning}&cancelled=true`, api, { role: 1 });
    expect(await screen.findByText('You left the payment page without paying')).toBeVisible();
  });

  it('reports an unknown order', async () => {
    walletApi().answer({ [PATH]: { refused: 'no such order' } });
    renderConsole(returning, api, { role: 1 });
    expect(await screen.findByText('This order could not be found')).toBeVisible();
  });
});

describe('reasons of movements', () => {
  it('shows the server’s reasons in the reader’s language, and leaves texts of people alone', () => {
    expect(readReason({ kind: 'redeem', reason: 'code 4' })).toEqual({ word: 'code', value: '4', said: '' });
    expect(readReason({ kind: 'topup', reason: 'order USR1' })).toEqual({
      word: 'order',
      value: 'USR1',
      said: '',
    });
    expect(readReason({ kind: 'topup', reason: 'order USR1 completed by hand: seen' })).toEqual({
      word: 'orderByHand',
      value: 'USR1',
      said: 'seen',
    });
    expect(readReason({ kind: 'setup', reason: 'first account' }).said).toBe('');
    expect(readReason({ kind: 'adjust', reason: 'adjusted by root' })).toEqual({
      word: 'adjustedBy',
      value: 'root',
      said: '',
    });
    expect(readReason({ kind: 'correction', reason: 'late settlement of a recovered call' })).toEqual({
      word: 'lateSettlement',
      value: '',
      said: '',
    });
    expect(readReason({ kind: 'adjust', reason: 'code 4' })).toEqual({ value: '', said: 'code 4' });
  });
});
