import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../base/access/current-actor.js';
import { OptionsService } from '../../../base/options/options.service.js';
import type { AmountInput, TopUpInfoView } from '../dto/top-up.dto.js';
import { TopUpOffers } from '../payments/top-up-offers.js';
import { formatMoney, MAX_TOP_UP_UNITS, minorDigitsOf } from '../payments/top-up-price.js';
import { countsOf, groupFactorOf } from '../payments/top-up-rules.js';
import { MAX_PENDING } from './order-placement.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** Top-up methods a payer is offered, and their prices. */
@Injectable()
export class TopUpService {
  constructor(
    private readonly offers: TopUpOffers,
    private readonly orders: TopUpsRepository,
    private readonly options: OptionsService,
  ) {}

  /** Payment methods, and their prices for the caller. */
  async info(actor: Actor): Promise<TopUpInfoView> {
    const values = this.options.values();
    const offers = this.offers.all();
    const methods = offers.flatMap((provider) => {
      const { minUnits, price, currency } = provider.terms();
      return provider.methods().map(({ name, type }) => ({
        type,
        name,
        provider: provider.name,
        min_topup: minUnits,
        price,
        currency,
      }));
    });
    const isOpen = (name: string): boolean => offers.some((provider) => provider.name === name);
    return {
      enable_online_topup: methods.length > 0,
      enable_epay_topup: isOpen('epay'),
      enable_stripe_topup: isOpen('stripe'),
      pay_methods: methods,
      amount_counts: countsOf(values),
      min_topup: values.MinTopUp,
      max_topup: MAX_TOP_UP_UNITS,
      amount_options: [...values['payment_setting.amount_options']],
      discount: { ...values['payment_setting.amount_discount'] },
      group_ratio: groupFactorOf(values, actor.group),
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
    const provider =
      input.payment_method === '' ? this.offers.first() : this.offers.ofMethod(input.payment_method).provider;
    const { moneyMinor } = this.offers.price(provider, actor.group, input.amount);
    return formatMoney(moneyMinor, minorDigitsOf(provider.terms().currency));
  }
}
