import { Injectable } from '@nestjs/common';
import { EpayProvider } from './epay.provider.js';
import type { PaymentProvider } from './payment-provider.js';
import { StripeProvider } from './stripe.provider.js';

/** Names that older consoles of this API family send. */
const ALIASES: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' };

/** Every way to pay. A further one is a class of its own with its options, the route it calls, and a line here. */
@Injectable()
export class PaymentProviders {
  readonly all: readonly PaymentProvider[];

  constructor(
    readonly epay: EpayProvider,
    readonly stripe: StripeProvider,
  ) {
    this.all = [epay, stripe];
  }

  /** @returns the provider of a payment method and its name there; undefined when no provider offers it */
  ofMethod(asked: string): { readonly provider: PaymentProvider; readonly method: string } | undefined {
    const method = ALIASES[asked] ?? asked;
    const provider = this.all.find((one) => one.methods().some(({ type }) => type === method));
    return provider === undefined ? undefined : { provider, method };
  }

  /** Finds a provider by the name an order is stored with. */
  byName(name: string): PaymentProvider | undefined {
    return this.all.find((one) => one.name === name);
  }
}
