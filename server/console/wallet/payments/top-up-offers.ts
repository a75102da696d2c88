import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OptionsService } from '../../../base/options/options.service.js';
import type { PaymentProvider } from './payment-provider.js';
import { PaymentProviders } from './payment-providers.js';
import { priceTopUp, type TopUpPrice } from './top-up-price.js';
import { priceRulesOf } from './top-up-rules.js';

export type PricedTopUp = Extract<TopUpPrice, { kind: 'priced' }>;

/** The ways to pay that are open, and what a top-up costs there. */
@Injectable()
export class TopUpOffers {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly options: OptionsService,
  ) {}

  all(): readonly PaymentProvider[] {
    return this.providers.all.filter((one) => this.takesOrders(one));
  }

  /** Fails: topup_off. */
  first(): PaymentProvider {
    const [provider] = this.all();
    if (provider === undefined) throw new DomainError('topup_off');
    return provider;
  }

  /** Finds a payment method and its name at the service. Fails: topup_off, topup_method_unknown. */
  ofMethod(asked: string): { readonly provider: PaymentProvider; readonly method: string } {
    this.first();
    const way = this.providers.ofMethod(asked);
    if (way === undefined || !this.takesOrders(way.provider)) throw new DomainError('topup_method_unknown');
    return way;
  }

  /** Fails: topup_amount_not_whole, topup_amount_too_small, topup_amount_too_large, topup_money_too_small. */
  price(provider: PaymentProvider, group: string, amount: number): PricedTopUp {
    return priced(priceTopUp(amount, priceRulesOf(this.options.values(), provider.terms(), group)));
  }

  /** True when payers can use it. Payments that arrive for orders made before count either way. */
  private takesOrders(provider: PaymentProvider): boolean {
    return this.options.values().PaymentEnabled && provider.isOn() && provider.methods().length > 0;
  }
}

function priced(price: TopUpPrice): PricedTopUp {
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
