import { describe, expect, it } from '@jest/globals';
import { type EpayFields, readEpayNotice, signedFields, signEpay } from './epay.provider.js';

const MERCHANT = { id: '1001', key: '0123456789abcdef' };

const GENUINE: EpayFields = {
  pid: '1001',
  trade_no: '2026112112000012345',
  out_trade_no: 'USR7NOABCDEF1795262400',
  type: 'alipay',
  name: 'TUC10',
  money: '73.00',
  trade_status: 'TRADE_SUCCESS',
};

const encode = (fields: EpayFields): string => new URLSearchParams(fields).toString();
const notice = (changes: EpayFields = {}, key = MERCHANT.key): string => {
  const fields = { ...GENUINE, ...changes };
  return encode({ ...fields, sign_type: 'MD5', sign: signEpay(fields, key) });
};

describe('the signature of the epay protocol', () => {
  // Expected figures were computed with md5sum over the texts in the comments.
  it.each([
    // device=devicev&money=moneyv1234567
    [{ device: 'devicev', money: 'moneyv' }, '1234567', '3854cc9f022e0fb821bd2e002260245d'],
    // The same: order, empty fields, sign and sign_type do not count.
    [
      { sign_type: 'MD5', money: 'moneyv', empty: '', sign: 'x', device: 'devicev' },
      '1234567',
      '3854cc9f022e0fb821bd2e002260245d',
    ],
    // B=1&a=2&a_b=3&aa=4k: byte order, capitals first, an underscore before letters
    [{ aa: '4', a: '2', B: '1', a_b: '3' }, 'k', 'f088dc9bc073cc3156bd8ec81fa6a4df'],
    // name=TUC 10 充值/+%key: values are raw, in UTF-8
    [{ name: 'TUC 10 充值/+%' }, 'key', 'cbce4375904877384846e45c5791d51b'],
  ])('%j with %s is %s', (fields, key, expected) => {
    expect(signEpay(fields as EpayFields, key)).toBe(expected);
  });

  it('signs nothing that could be read in two ways [PAY-02]', () => {
    expect(signedFields({ pid: '1001', return_url: 'https://x.example/?a=1' }, 'k')).toBeNull();
    expect(signedFields({ pid: '1001', name: 'a&b' }, 'k')).toBeNull();
    expect(signedFields({ pid: '1001', name: 'a\nb' }, 'k')).toBeNull();
    expect(signedFields({ pid: '1001' }, 'k')).toMatchObject({
      sign_type: 'MD5',
      sign: signEpay({ pid: '1001' }, 'k'),
    });
  });
});

describe('a notification', () => {
  it('passes with the signature of the merchant, whatever the service adds and signs', () => {
    expect(readEpayNotice(notice(), MERCHANT)).toMatchObject({ kind: 'genuine', fields: { money: '73.00' } });
    expect(readEpayNotice(notice({ api_trade_no: '4200', param: '' }), MERCHANT).kind).toBe('genuine');
    const capitals = notice().replace(/sign=([0-9a-f]+)/, (_, sign: string) => `sign=${sign.toUpperCase()}`);
    expect(readEpayNotice(capitals, MERCHANT).kind).toBe('genuine');
  });

  it('counts nothing while the key is missing or short, were it signed with it [PAY-01]', () => {
    for (const key of ['', '1234567', '123456789012345'])
      expect(readEpayNotice(notice({}, key), { id: '1001', key })).toEqual({
        kind: 'refused',
        reason: 'payment is not configured',
      });
    expect(readEpayNotice(notice(), { ...MERCHANT, id: '' }).kind).toBe('refused');
  });

  const signed = new URLSearchParams(notice());
  const without = (name: string): string => {
    const fields = new URLSearchParams(notice());
    fields.delete(name);
    return fields.toString();
  };
  it.each([
    ['another sum', notice().replace('73.00', '7300.00')],
    ['another order', notice().replace('ABCDEF', 'ABCDEG')],
    ['another key', notice({}, 'another key of 16')],
    ['no signature', without('sign')],
    ['an empty signature', `${without('sign')}&sign=`],
    ['a signature of half the length', `${without('sign')}&sign=${signed.get('sign')?.slice(0, 16)}`],
    ['a field added afterwards', `${notice()}&attach=1`],
    ['a field given twice', `${notice()}&money=0.01`],
    ['the signature given twice', `${notice()}&sign=${signed.get('sign')}`],
    ['another kind of signature', notice().replace('sign_type=MD5', 'sign_type=RSA')],
    ['another merchant, well signed', notice({ pid: '1002' })],
    ['a separator inside a value, well signed', notice({ name: 'TUC10&money=0.01' })],
    ['a control character, well signed', notice({ name: 'TUC\u000010' })],
    ['an unusual field name, well signed', notice({ 'a b': '1' })],
    ['an empty sum, which nobody signed', notice({ money: '' })],
    ['an empty state', notice({ trade_status: '' })],
    ['an empty payment number', notice({ trade_no: '' })],
    [
      'fifty-one fields',
      notice(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, '1']))),
    ],
    ['nothing', ''],
    ['noise', '%%%=&&&=%00'],
  ])('fails with %s [PAY-02]', (_, text) => {
    expect(readEpayNotice(text, MERCHANT).kind).toBe('refused');
  });

  it('differs from the text we sent to the payment page [PAY-02]', () => {
    const own = signedFields(
      {
        pid: '1001',
        type: 'alipay',
        out_trade_no: 'USR7NOABCDEF1795262400',
        name: 'TUC10',
        money: '73.00',
        notify_url: 'https://x.example/api/user/epay/notify',
        return_url: 'https://x.example/topup',
        device: 'pc',
      },
      MERCHANT.key,
    );
    expect(readEpayNotice(encode(own ?? {}), MERCHANT)).toEqual({ kind: 'refused', reason: 'no trade_no' });
  });
});
