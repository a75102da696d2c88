import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { epayMerchant, epayMethods, MIN_EPAY_KEY_BYTES } from '../../../base/options/epay-merchant.js';
import { OptionsService } from '../../../base/options/options.service.js';
import {
  type OrderState,
  type PaymentOrder,
  PaymentProvider,
  type PaymentStart,
  type PaymentTerms,
  type RawNotice,
  type ReadNotice,
  type ReportedPayment,
} from './payment-provider.js';
import { publicAddress } from './public-address.js';
import { formatMoney, parseMoney } from './top-up-price.js';

const MAX_FIELDS = 50;
const UNSIGNED = new Set(['sign', 'sign_type']);
/** A separator inside a value would let two different sets of fields have one signature. */
const AMBIGUOUS = /[&=\p{Cc}]/u;
const REQUIRED = ['pid', 'trade_no', 'out_trade_no', 'type', 'money', 'trade_status'] as const;

const refused = (reason: string): EpayNotice => ({ kind: 'refused', reason });

const PAID = 'TRADE_SUCCESS';

/** Payment services with the epay protocol. */
@Injectable()
export class EpayProvider extends PaymentProvider {
  readonly name = 'epay';

  constructor(
    private readonly options: OptionsService,
    private readonly client: OutboundClient,
    private readonly env: Env,
  ) {
    super();
  }

  override isOn(): boolean {
    return epayMerchant(this.options.values()) !== null;
  }

  override methods(): readonly { readonly name: string; readonly type: string }[] {
    return epayMethods(this.options.values());
  }

  override terms(): PaymentTerms {
    const { Price: price, MinTopUp: minUnits } = this.options.values();
    return { price, minUnits, currency: '' };
  }

  override merchantId(): string {
    return this.options.values().EpayId;
  }

  /** A form that the payer's browser posts. Fails: when payment is off or an address holds a separator of the protocol. */
  override async start(order: PaymentOrder): Promise<PaymentStart> {
    const values = this.options.values();
    const settings = epayMerchant(values);
    if (settings === null) throw new Error('epay is not configured');
    const own = publicAddress(values, this.env);
    const fields = signedFields(
      {
        pid: settings.id,
        type: order.method,
        out_trade_no: order.tradeNo,
        notify_url: `${values.CustomCallbackAddress || own}/api/user/epay/notify`,
        return_url: `${own}/topup`,
        name: order.title,
        money: formatMoney(order.moneyMinor, 2),
        device: 'pc',
      },
      settings.key,
    );
    if (fields === null) throw new Error('an address or name holds a character the protocol cannot sign');
    return { kind: 'form', url: `${settings.address}/submit.php`, fields };
  }

  override read(notice: RawNotice): ReadNotice {
    const { EpayId: id, EpayKey: key, PayAddress } = this.options.values();
    if (PayAddress === '') return { kind: 'refused', reason: 'payment is not configured' };
    const read = readEpayNotice(notice.text, { id, key });
    if (read.kind === 'refused') return read;
    const { pid, trade_no, out_trade_no, type, money, trade_status } = read.fields;
    if (trade_status !== PAID) return { kind: 'ignored' };
    return {
      kind: 'paid',
      reported: {
        provider: this.name,
        tradeNo: out_trade_no,
        providerTradeNo: trade_no,
        moneyMinor: parseMoney(money, 2),
        currency: '',
        method: type,
        merchantId: pid,
      },
    };
  }

  override async query(order: PaymentOrder): Promise<OrderState> {
    const values = this.options.values();
    const settings = epayMerchant(values);
    if (settings === null || !values.EpayOrderQueryEnabled) return { kind: 'off' };
    // The protocol has the key in the address; nothing here logs addresses.
    const query = new URLSearchParams({
      act: 'order',
      pid: settings.id,
      key: settings.key,
      out_trade_no: order.tradeNo,
    });
    const reply = await this.client.fetch('service', {
      method: 'GET',
      url: `${settings.address}/api.php?${query.toString()}`,
      headers: { accept: 'application/json' },
      body: undefined,
    });
    if (!reply.ok) return { kind: 'unknown', reason: reply.error.kind };
    if (reply.value.status !== 200) return { kind: 'unknown', reason: `status ${reply.value.status}` };
    return this.readState(order, reply.value.body.toString('utf8'));
  }

  override needsConfirmation({ moneyMinor }: ReportedPayment): boolean {
    const { EpayConfirmAboveMoney: above } = this.options.values();
    return above > 0 && moneyMinor !== null && moneyMinor > above * 100;
  }

  private readState(order: PaymentOrder, text: string): OrderState {
    const answer = readAnswer(text);
    if (answer === null) return { kind: 'unknown', reason: 'not understood' };
    if (answer['code'] !== '1') return { kind: 'unpaid' };
    if (answer['out_trade_no'] !== order.tradeNo) return { kind: 'unknown', reason: 'another order' };
    if (answer['status'] !== '1') return { kind: 'unpaid' };
    const { trade_no: providerTradeNo = '', money = '', type = '', pid = '' } = answer;
    if (providerTradeNo === '') return { kind: 'unknown', reason: 'no payment number' };
    return {
      kind: 'paid',
      reported: {
        provider: this.name,
        tradeNo: order.tradeNo,
        providerTradeNo,
        moneyMinor: parseMoney(money, 2),
        currency: '',
        method: type,
        merchantId: pid,
      },
    };
  }
}

/** Services answer numbers as numbers or as text: all are text here. Null = not a JSON object. */
function readAnswer(text: string): Record<string, string> | null {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return null;
    const members = Object.entries(document).filter(([, value]) =>
      ['string', 'number'].includes(typeof value),
    );
    return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
  } catch {
    // Services behind a broken proxy answer with pages: the order is queried again.
    return null;
  }
}

/** Parameters of the epay protocol, as text. */
export type EpayFields = Readonly<Record<string, string>>;

/**
 * Signature of the epay protocol: fields with a value, without sign and sign_type, sorted by name in byte
 * order, joined raw, the key appended, MD5, lower-case hexadecimal. The protocol has nothing better than MD5.
 */
export function signEpay(fields: EpayFields, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => value !== '' && !UNSIGNED.has(name))
    .sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5')
    .update(text + key)
    .digest('hex');
}

/** @returns the fields with their signature; null when a value could be read as something else */
export function signedFields(fields: EpayFields, key: string): EpayFields | null {
  if (Object.values(fields).some((value) => AMBIGUOUS.test(value))) return null;
  return { ...fields, sign_type: 'MD5', sign: signEpay(fields, key) };
}

export type EpayNotice =
  | { readonly kind: 'genuine'; readonly fields: Readonly<Record<(typeof REQUIRED)[number], string>> }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads a notification and proves that it is the merchant's payment service that wrote it.
 * @param text  query string or form body, undecoded
 */
export function readEpayNotice(
  text: string,
  merchant: { readonly id: string; readonly key: string },
): EpayNotice {
  if (merchant.id === '' || Buffer.byteLength(merchant.key) < MIN_EPAY_KEY_BYTES)
    return refused('payment is not configured');
  const fields = readFields(text);
  if (typeof fields === 'string') return refused(fields);
  const sign = fields['sign'] ?? '';
  if (!isEqual(signEpay(fields, merchant.key), sign.toLowerCase())) return refused('wrong signature');
  if (!['MD5', undefined].includes(fields['sign_type'])) return refused('unknown kind of signature');
  const missing = REQUIRED.find((name) => (fields[name] ?? '') === '');
  if (missing !== undefined) return refused(`no ${missing}`);
  if (fields['pid'] !== merchant.id) return refused('another merchant');
  const { pid = '', trade_no = '', out_trade_no = '', type = '', money = '', trade_status = '' } = fields;
  return { kind: 'genuine', fields: { pid, trade_no, out_trade_no, type, money, trade_status } };
}

/** @returns the fields, or why they cannot be read */
function readFields(text: string): EpayFields | string {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return 'a field given twice';
    if (!/^\w{1,64}$/.test(name)) return 'a field with an unusual name';
    if (AMBIGUOUS.test(value)) return 'a value with a separator';
    if (fields.size >= MAX_FIELDS) return 'too many fields';
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
