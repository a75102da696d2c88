import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { OrderFulfilment } from '../../../../server/console/wallet/orders/order-fulfilment.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { type Order, WalletFixture } from './wallet.fixture.ts';

const DAY_MINUTES = 24 * 60;

describe.each(DATABASE_KINDS)('a turn of the order watch on %s', (kind) => {
  let fixture: WalletFixture;
  let payer: ApiClient;
  beforeAll(async () => {
    fixture = await WalletFixture.open(kind);
    payer = await fixture.payer();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(async () => {
    expect(await fixture.close()).toEqual({ violations: [] });
  });

  const statusOf = async ({ tradeNo }: Order): Promise<string> => (await fixture.stateOf(tradeNo)).status;
  const paidAtService = ({ tradeNo }: Order): void => {
    const payment = { trade_no: `P${tradeNo}`, out_trade_no: tradeNo, type: 'alipay', pid: 1001 };
    fixture.epay.orders.set(tradeNo, { code: 1, ...payment, money: '73.00', status: 1 });
  };

  it('lets no order that cannot be booked keep the others waiting, and names it', async () => {
    const overdue = await fixture.order(payer);
    fixture.pass(DAY_MINUTES);
    const broken = await fixture.order(payer);
    const asked = await fixture.order(payer);
    for (const order of [broken, asked]) paidAtService(order);
    const fulfilment = fixture.app.app.get(OrderFulfilment, { strict: false });
    const byPayment = fulfilment.byPayment.bind(fulfilment);
    jest
      .spyOn(fulfilment, 'byPayment')
      .mockImplementation((reported) =>
        reported.tradeNo === broken.tradeNo ? Promise.reject(new Error('broken row')) : byPayment(reported),
      );
    fixture.pass(11);
    await expect(fixture.watch()).rejects.toThrow(`order ${broken.tradeNo}: broken row`);
    expect(await Promise.all([broken, asked, overdue].map(statusOf))).toEqual([
      'pending',
      'success',
      'expired',
    ]);
  });

  it('writes the other log lines when one cannot be written', async () => {
    const logs = fixture.app.app.get(LogsRepository, { strict: false });
    const insert = logs.insertMany.bind(logs);
    const writing = jest.spyOn(logs, 'insertMany').mockRejectedValue(new Error('the log is away'));
    const orders = [await fixture.order(payer), await fixture.order(payer)];
    for (const order of orders) expect(await fixture.notify(fixture.paid(order))).toBe('200 success');
    const [first, second] = orders.map(({ tradeNo }) => tradeNo);
    writing.mockImplementation((lines) =>
      JSON.stringify(lines).includes(first ?? '') ? Promise.reject(new Error('broken line')) : insert(lines),
    );
    fixture.pass(1);
    await expect(fixture.watch()).rejects.toThrow(`log line of order ${first}: broken line`);
    expect((await fixture.stateOf(first ?? '')).logPending).toBe(1);
    expect((await fixture.stateOf(second ?? '')).logPending).toBe(0);
    jest.restoreAllMocks();
    await fixture.watch();
    expect((await fixture.stateOf(first ?? '')).logPending).toBe(0);
  });
});
