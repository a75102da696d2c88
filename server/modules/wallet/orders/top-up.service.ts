import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import type { Actor } from '../../access/current-actor.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { OptionsService } from '../../options/options.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { AmountInput, TopUpInfoView } from '../dto/top-up.dto.js';
import type { PaymentProvider, PaymentStart } from '../payments/payment-provider.js';
import { PaymentProviders } from '../payments/payment-providers.js';
import { TopUpEvents } from './top-up-events.js';
import type { TopUpEntity } from './top-up.entity.js';
import {
  formatMoney,
  MAX_TOP_UP_UNITS,
  minorDigitsOf,
  type PriceRules,
  priceTopUp,
  type TopUpPrice,
} from '../payments/top-up-price.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** Unpaid orders an account may have, and orders it may make in an hour: payment services lock out who asks more. */
const MAX_PENDING = 10;
const CREATIONS = { limit: 10, windowMs: 3_600_000 };
/** When the provider is first asked about an order nobody was notified of. */
export const FIRST_QUERY_SECONDS = 600;

const TRADE_NO_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const TRADE_NO_RANDOM = 6;

export interface StartedPayment {
  readonly tradeNo: string;
  readonly start: PaymentStart;
}

/** Fails: topup_too_many_pending. */
function assertRoom(pending: number): void {
  if (pending >= MAX_PENDING) throw new DomainError('topup_too_many_pending', { max: MAX_PENDING });
}

/** Online top-up on the payer's side: what it costs, and making an order. */
@Injectable()
export class TopUpService {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly providers: PaymentProviders,
    private readonly options: OptionsService,
    private readonly throttle: RateLimiter,
    private readonly events: TopUpEvents,
    private readonly clock: Clock,
    private readonly accounts: AccountsService,
  ) {}

  /** Which ways to pay there are, and what they cost the caller. */
  async info(actor: Actor): Promise<TopUpInfoView> {
    const values = this.options.values();
    const { epay, stripe } = this.providers;
    const methods = [epay, stripe].flatMap((provider: PaymentProvider) => {
      if (!this.takesOrders(provider)) return [];
      const { minUnits, price } = this.rulesOf(provider, actor);
      return provider.methods().map(({ name, type }) => ({
        type,
        name,
        provider: provider.name,
        min_topup: minUnits,
        price,
        currency: this.currencyOf(provider),
      }));
    });
    return {
      enable_online_topup: methods.length > 0,
      enable_epay_topup: this.takesOrders(epay),
      enable_stripe_topup: this.takesOrders(stripe),
      pay_methods: methods,
      amount_counts: values.DisplayInCurrencyEnabled ? 'unit' : 'quota',
      min_topup: values.MinTopUp,
      max_topup: MAX_TOP_UP_UNITS,
      amount_options: [...values['payment_setting.amount_options']],
      discount: { ...values['payment_setting.amount_discount'] },
      group_ratio: this.groupFactorOf(actor),
      top_up_link: values.TopUpLink,
      pending_orders: await this.orders.countPending(actor.id),
      max_pending_orders: MAX_PENDING,
    };
  }

  /**
   * @returns the money a top-up costs, exact decimal text
   * Fails: topup_off, topup_method_unknown, topup_amount_not_whole, topup_amount_too_small, topup_amount_too_large, topup_money_too_small.
   */
  amount(actor: Actor, input: AmountInput): string {
    // The form asks for the sum before it asks how to pay; then it is the first way's.
    const { provider } = input.payment_method === '' ? this.firstWay() : this.wayOf(input.payment_method);
    const { moneyMinor } = priced(priceTopUp(input.amount, this.rulesOf(provider, actor)));
    return formatMoney(moneyMinor, minorDigitsOf(this.currencyOf(provider)));
  }

  /**
   * Makes an order and tells where it is paid. What it costs and is worth is fixed here.
   * Fails: as `amount`, and topup_too_many_pending, topup_start_failed, too_many_requests.
   */
  async pay(actor: Actor, input: AmountInput): Promise<StartedPayment> {
    const { provider, method } = this.wayOf(input.payment_method);
    const price = priced(priceTopUp(input.amount, this.rulesOf(provider, actor)));
    // Asked before it is counted as a try; decided when the order is written.
    assertRoom(await this.orders.countPending(actor.id));
    await this.throttle.admit(`topup:orders:${actor.id}`, CREATIONS);
    const nowMs = this.clock.nowMs();
    const createTime = Math.floor(nowMs / 1000);
    const order = await this.orders.insert(
      {
        userId: actor.id,
        amount: price.units,
        moneyMinor: price.moneyMinor,
        currency: this.currencyOf(provider),
        quotaToCredit: price.quota,
        tradeNo: makeTradeNo(actor.id, createTime),
        provider: provider.name,
        paymentMethod: method,
        merchantId: provider.merchantId(),
        createTime,
        nextQueryTime: createTime + FIRST_QUERY_SECONDS,
      },
      {
        nowMs,
        before: async (manager) => {
          // Of many at once each counts those before it.
          await this.accounts.lock(manager, actor.id);
          assertRoom(await this.orders.countPending(actor.id, manager));
        },
      },
    );
    return { tradeNo: order.tradeNo, start: await this.begin(provider, order, `TUC${input.amount}`) };
  }

  /** Nothing was paid when the service could not be told: the order has failed. */
  private async begin(provider: PaymentProvider, order: TopUpEntity, title: string): Promise<PaymentStart> {
    try {
      const start = await provider.start(toPaymentOrder(order, title));
      if (start.kind === 'redirect') await this.orders.setReference(order.id, start.providerReference);
      return start;
    } catch (error) {
      this.logger.error(`order ${order.tradeNo} could not be started: ${describe(error)}`);
      await this.events.fail(order, describe(error));
      throw new DomainError('topup_start_failed');
    }
  }

  /** Somebody can pay there. Payments that arrive for orders made before count either way. */
  private takesOrders(provider: PaymentProvider): boolean {
    return this.options.values().PaymentEnabled && provider.isOn() && provider.methods().length > 0;
  }

  private wayOf(asked: string): { readonly provider: PaymentProvider; readonly method: string } {
    this.firstWay();
    const way = this.providers.ofMethod(asked);
    if (way === undefined || !this.takesOrders(way.provider)) throw new DomainError('topup_method_unknown');
    return way;
  }

  private firstWay(): { readonly provider: PaymentProvider } {
    const provider = [this.providers.epay, this.providers.stripe].find((one) => this.takesOrders(one));
    if (provider === undefined) throw new DomainError('topup_off');
    return { provider };
  }

  private rulesOf(provider: PaymentProvider, actor: Actor): PriceRules {
    const values = this.options.values();
    const isStripe = provider.name === 'stripe';
    return {
      counts: values.DisplayInCurrencyEnabled ? 'unit' : 'quota',
      quotaPerUnit: values.QuotaPerUnit,
      price: isStripe ? values.StripeUnitPrice : values.Price,
      groupFactor: this.groupFactorOf(actor),
      discounts: values['payment_setting.amount_discount'],
      minorDigits: minorDigitsOf(this.currencyOf(provider)),
      minUnits: isStripe ? values.StripeMinTopUp : values.MinTopUp,
    };
  }

  private groupFactorOf({ group }: Actor): number {
    return this.options.values().TopupGroupRatio[group] || 1;
  }

  private currencyOf(provider: PaymentProvider): string {
    return provider.name === 'stripe' ? this.options.values().StripeCurrency : '';
  }
}

function priced(price: TopUpPrice): Extract<TopUpPrice, { kind: 'priced' }> {
  switch (price.kind) {
    case 'priced':
      return price;
    case 'not-whole':
      throw new DomainError('topup_amount_not_whole');
    case 'too-small':
      throw new DomainError('topup_amount_too_small', { min: price.min });
    case 'too-large':
      throw new DomainError('topup_amount_too_large', { max: price.max });
    case 'money-too-small':
      throw new DomainError('topup_money_too_small');
  }
}

/** USR, the user, NO, six random characters, seconds: at most 31 characters, which every payment service takes. */
function makeTradeNo(userId: number, nowSeconds: number): string {
  let random = '';
  for (let index = 0; index < TRADE_NO_RANDOM; index += 1)
    random += TRADE_NO_ALPHABET[randomInt(TRADE_NO_ALPHABET.length)];
  return `USR${userId}NO${random}${nowSeconds}`;
}

/** An order as payment services are told about it. */
export const toPaymentOrder = (order: TopUpEntity, title = '') => ({
  tradeNo: order.tradeNo,
  moneyMinor: order.moneyMinor,
  currency: order.currency,
  method: order.paymentMethod,
  merchantId: order.merchantId,
  providerReference: order.providerReference,
  title,
  createdAt: order.createTime,
});

/** Errors of payment services may quote what they were sent: only their kind is kept. */
const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'unknown';
