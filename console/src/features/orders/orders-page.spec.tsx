import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { anOrder, aStatus, aUser, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { AdminOrderDetail } from './api';

let api: FakeApi;
afterEach(() => api.stop());

function anAdminOrder(parts: Partial<AdminOrderDetail> = {}): AdminOrderDetail {
  return {
    ...anOrder({ status: 'expired', complete_time: 0 }),
    username: 'ada',
    provider_trade_no: '',
    completed_by: 0,
    events: [
      { kind: 'created', detail: '', actor_id: 0, created_at: NOON - 400 },
      { kind: 'expired', detail: 'nothing was heard', actor_id: 0, created_at: NOON - 10 },
    ],
    ...parts,
  };
}

const PATH = `/api/user/topup/order/${anOrder().trade_no}`;

function ordersApi(order = anAdminOrder()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/topup': pageOf([order]),
    [`GET ${PATH}`]: { data: order },
  });
  return api;
}

describe('orders', () => {
  it('refuses ordinary users', async () => {
    ordersApi();
    renderConsole('/order', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('lists who ordered what for how much, and filters', async () => {
    ordersApi();
    const { user } = renderConsole('/order?status=expired&user=2', api, { role: 10 });
    const row = within((await screen.findByText(anOrder().trade_no)).closest('tr') as HTMLElement);
    for (const text of ['ada', '$10.00', 'CNY 73.00', 'Alipay', 'Expired'])
      expect(row.getByText(text)).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Beginning of the order number' }), 'USR2{Enter}');
    await waitFor(() =>
      expect(Object.fromEntries(api.made('GET /api/user/topup').at(-1)?.query ?? [])).toEqual({
        keyword: 'USR2',
        status: 'expired',
        user_id: '2',
        p: '1',
        page_size: '10',
      }),
    );
  });

  it('shows the events of an order, and completes it by hand only with a reason', async () => {
    ordersApi().answer({ 'POST /api/user/topup/complete': { data: anAdminOrder({ status: 'success' }) } });
    const { user } = renderConsole(`/order?open=${anOrder().trade_no}`, api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
    expect(await drawer.findByText('Not paid in time')).toBeVisible();
    expect(drawer.getByText(/nothing was heard/)).toBeVisible();
    await user.click(drawer.getByRole('button', { name: 'Complete manually…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Complete the order manually' }));
    expect(dialog.getByText('+$10.00')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Credit the order' }));
    expect(await dialog.findByText('Please enter a reason')).toBeVisible();
    expect(api.made('POST /api/user/topup/complete')).toEqual([]);
    await user.type(dialog.getByLabelText(/^Reason/), 'seen in the bank statement');
    await user.click(dialog.getByRole('button', { name: 'Credit the order' }));
    expect(await screen.findByText('The order is credited')).toBeVisible();
    expect(api.made('POST /api/user/topup/complete')[0]?.body).toEqual({
      trade_no: anOrder().trade_no,
      reason: 'seen in the bank statement',
    });
  });

  it('shows why the server refused to complete one', async () => {
    ordersApi().answer({ 'POST /api/user/topup/complete': { refused: 'already paid' } });
    const { user } = renderConsole(`/order?open=${anOrder().trade_no}`, api, { role: 10 });
    await user.click(await screen.findByRole('button', { name: 'Complete manually…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Complete the order manually' }));
    await user.type(dialog.getByLabelText(/^Reason/), 'x');
    await user.click(dialog.getByRole('button', { name: 'Credit the order' }));
    expect(await dialog.findByText('already paid')).toBeVisible();
  });

  it('does not offer to complete a paid order', async () => {
    ordersApi(anAdminOrder({ status: 'success', provider_trade_no: 'P1' }));
    renderConsole(`/order?open=${anOrder().trade_no}`, api, { role: 10 });
    const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
    expect(await drawer.findByText('P1')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /Complete manually/ })).toBeNull();
  });

  describe('of a deregistered account', () => {
    const paid = anAdminOrder({
      status: 'mismatch',
      username: '',
      events: [{ kind: 'ownerless', detail: 'payment pi_1', actor_id: 0, created_at: NOON }],
    });
    const open = async (role: number, order = paid) => {
      ordersApi(order).answer({
        'POST /api/user/topup/complete': { data: anAdminOrder({ status: 'success' }) },
        'POST /api/user/topup/refund': { data: anAdminOrder({ status: 'failed' }) },
        'GET /api/user/7': { data: aUser({ id: 7, username: 'ada-again' }) },
        'GET /api/user/8': { refused: 'The user does not exist' },
      });
      const { user } = renderConsole(`/order?open=${anOrder().trade_no}`, api, { role });
      const drawer = within(await screen.findByRole('dialog', { name: 'Order' }));
      await drawer.findByText('History');
      return { user, drawer };
    };

    it('credits one to another account as root, who sees its name first', async () => {
      const { user, drawer } = await open(100);
      expect(drawer.queryByRole('button', { name: 'Complete manually…' })).toBeNull();
      await user.click(drawer.getByRole('button', { name: 'Credit another account…' }));
      const dialog = within(
        await screen.findByRole('dialog', { name: 'Credit the payment to another account' }),
      );
      await user.click(dialog.getByRole('button', { name: 'Credit this account' }));
      expect(await dialog.findByText('Please enter a user id')).toBeVisible();
      expect(dialog.getByText('Please enter a reason')).toBeVisible();
      const number = dialog.getByLabelText(/^User id/);
      await user.type(number, '8');
      expect(await dialog.findByText(/There is no such account/)).toBeVisible();
      await user.clear(number);
      await user.type(number, '7');
      expect(await dialog.findByText(/ada-again \(#7\) receives/)).toBeVisible();
      await user.type(dialog.getByLabelText(/^Reason/), 'the same person');
      expect(api.made('POST /api/user/topup/complete')).toEqual([]);
      await user.click(dialog.getByRole('button', { name: 'Credit this account' }));
      expect(await screen.findByText('The payment is credited to the account')).toBeVisible();
      expect(api.made('POST /api/user/topup/complete').map(({ body }) => body)).toEqual([
        { trade_no: anOrder().trade_no, user_id: 7, reason: 'the same person' },
      ]);
    });

    it('closes one as root when the payment was given back, with a reason', async () => {
      const { user, drawer } = await open(100);
      await user.click(drawer.getByRole('button', { name: 'Mark as refunded…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Mark the order as refunded' }));
      expect(dialog.getByText(/refund CNY 73\.00 there first/)).toBeVisible();
      await user.click(dialog.getByRole('button', { name: 'Close the order' }));
      expect(await dialog.findByText('Please enter a reason')).toBeVisible();
      expect(api.made('POST /api/user/topup/refund')).toEqual([]);
      await user.type(dialog.getByLabelText(/^Reason/), 'refunded at the service');
      await user.click(dialog.getByRole('button', { name: 'Close the order' }));
      expect(await screen.findByText('The order is closed')).toBeVisible();
      expect(api.made('POST /api/user/topup/refund').map(({ body }) => body)).toEqual([
        { trade_no: anOrder().trade_no, reason: 'refunded at the service' },
      ]);
    });

    it.each([
      ['an administrator', 10, paid, []],
      ['root', 100, anAdminOrder({ status: 'expired', username: '' }), ['Credit another account…']],
      ['root', 100, anAdminOrder({ status: 'mismatch' }), ['Complete manually…', 'Mark as refunded…']],
      ['root', 100, anAdminOrder({ status: 'refunded', username: '' }), []],
    ] as const)('offers %s (%i) only what the server would do', async (_who, role, order, names) => {
      const { drawer } = await open(role, order);
      const offered = drawer.getAllByRole('button').map((button) => button.textContent);
      expect(offered.filter((text) => text?.endsWith('…'))).toEqual(names);
    });
  });
});
