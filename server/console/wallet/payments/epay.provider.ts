import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { epayMerchant, epayMethods } from '../../../base/options/epay-merchant.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { readEpayNotice, signedFields } from './epay-protocol.js';
import {
  type OrderState,
  type ReportedPayment,
  type PaymentOrder,
  PaymentProvider,
  type PaymentStart,
  type PaymentTerms,
  type RawNotice,
  type ReadNotice,
} from './payment-provider.js';
import { publicAddress } from './public-address.js';
import { formatMoney, parseMoney } from './top-up-price.js';

const PAID = 'TRADE_SUCCESS';

/** Payment services that speak the epay protocol. */
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
    // Services behind a broken proxy answer pages: the order is asked about again.
    return null;
  }
}
