import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../../config/env.js';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import { signedFields, signEpay } from './epay.provider.js';
import { EpayProvider } from './epay.provider.js';
import type { PaymentOrder } from './payment-provider.js';

const KEY = 'k'.repeat(32);
const ORDER: PaymentOrder = {
  tradeNo: 'USR7NOABC1',
  moneyMinor: 7_305,
  currency: '',
  method: 'alipay',
  merchantId: 'shop',
  providerReference: null,
  title: 'TUC10',
  createdAt: 0,
};

function epay(changes: Partial<OptionValues> = {}, answer: unknown = '', status = 200) {
  const asked: string[] = [];
  const values = {
    ...OPTION_FALLBACKS,
    PayAddress: 'https://pay.test',
    EpayId: 'shop',
    EpayKey: KEY,
    ServerAddress: 'https://gate.test',
    EpayOrderQueryEnabled: true,
    ...changes,
  };
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const client = {
    fetch: async (caller: string, { url }: { url: string }) => {
      asked.push(`${caller} ${url}`);
      return status === 0 ? { ok: false, error: { kind: 'timeout' } } : { ok: true, value: { status, body } };
    },
  };
  const provider = new EpayProvider(
    { values: () => values } as unknown as OptionsService,
    client as unknown as OutboundClient,
    { port: 3000, basePath: '' } as Env,
  );
  return { provider, asked };
}

const notice = {
  pid: 'shop',
  trade_no: 'P1',
  out_trade_no: 'USR7NOABC1',
  type: 'alipay',
  money: '73.05',
  trade_status: 'TRADE_SUCCESS',
};
const noticeText = (fields: Record<string, string>) =>
  new URLSearchParams({ ...signedFields({ ...notice, ...fields }, KEY) }).toString();

describe('EpayProvider', () => {
  it('sends the payer on with a signed form that names the sum of the order', async () => {
    const start = await epay().provider.start(ORDER);
    expect(start).toMatchObject({
      kind: 'form',
      url: 'https://pay.test/submit.php',
      fields: {
        pid: 'shop',
        out_trade_no: 'USR7NOABC1',
        money: '73.05',
        notify_url: 'https://gate.test/api/user/epay/notify',
        return_url: 'https://gate.test/topup',
      },
    });
    const { fields } = start as { fields: Record<string, string> };
    expect(fields['sign']).toBe(signEpay(fields, KEY));
  });

  it('starts nothing without a key, or with what the protocol cannot sign', async () => {
    await expect(epay({ EpayKey: 'short' }).provider.start(ORDER)).rejects.toThrow('not configured');
    await expect(epay().provider.start({ ...ORDER, title: 'a&b' })).rejects.toThrow('cannot sign');
  });

  it('reads the payment from a genuine notification', () => {
    expect(epay().provider.read({ text: noticeText({}), signature: '' })).toEqual({
      kind: 'paid',
      reported: {
        provider: 'epay',
        tradeNo: 'USR7NOABC1',
        providerTradeNo: 'P1',
        moneyMinor: 7_305,
        currency: '',
        method: 'alipay',
        merchantId: 'shop',
      },
    });
  });

  it('ignores a genuine notice of anything but a payment, and refuses one it cannot prove', () => {
    const { provider } = epay();
    const text = noticeText({ trade_status: 'TRADE_CLOSED' });
    expect(provider.read({ text, signature: '' })).toEqual({ kind: 'ignored' });
    const forged = noticeText({}).replace('73.05', '99.99');
    expect(provider.read({ text: forged, signature: '' }).kind).toBe('refused');
    expect(epay({ PayAddress: '' }).provider.read({ text: noticeText({}), signature: '' }).kind).toBe(
      'refused',
    );
  });

  const answer = {
    code: 1,
    status: 1,
    out_trade_no: 'USR7NOABC1',
    trade_no: 'P1',
    money: '73.05',
    type: 'alipay',
    pid: 'shop',
  };
  it.each([
    [
      'paid',
      answer,
      { kind: 'paid', reported: expect.objectContaining({ moneyMinor: 7_305, providerTradeNo: 'P1' }) },
    ],
    ['not paid', { ...answer, status: 0 }, { kind: 'unpaid' }],
    ['unknown to the service', { code: -1 }, { kind: 'unpaid' }],
    ['another one', { ...answer, out_trade_no: 'OTHER' }, { kind: 'unknown', reason: 'another order' }],
    ['paid without a number', { ...answer, trade_no: '' }, { kind: 'unknown', reason: 'no payment number' }],
    ['a page', '<html>', { kind: 'unknown', reason: 'not understood' }],
    ['a list', [answer], { kind: 'unknown', reason: 'not understood' }],
  ])('understands an answer that the order is %s', async (_, text, state) => {
    const { provider, asked } = epay({}, text);
    expect(await provider.query(ORDER)).toEqual(state);
    expect(asked[0]).toMatch(
      /^service https:\/\/pay\.test\/api\.php\?act=order&pid=shop&key=k+&out_trade_no=USR7NOABC1$/,
    );
  });

  it('queries again after no answer or one with another status', async () => {
    expect(await epay({}, answer, 502).provider.query(ORDER)).toEqual({
      kind: 'unknown',
      reason: 'status 502',
    });
    expect(await epay({}, answer, 0).provider.query(ORDER)).toEqual({ kind: 'unknown', reason: 'timeout' });
  });

  it('sends no query when queries are switched off', async () => {
    const { provider, asked } = epay({ EpayOrderQueryEnabled: false }, answer);
    expect(await provider.query(ORDER)).toEqual({ kind: 'off' });
    expect(asked).toEqual([]);
  });

  it.each([
    [0, 999_999, false],
    [100, 10_000, false],
    [100, 10_001, true],
    [100, null, false],
  ])('requires above %s a confirmation: of %s hundredths %s', (EpayConfirmAboveMoney, moneyMinor, needed) => {
    const reported = { moneyMinor } as Parameters<EpayProvider['needsConfirmation']>[0];
    expect(epay({ EpayConfirmAboveMoney }).provider.needsConfirmation(reported)).toBe(needed);
  });
});
