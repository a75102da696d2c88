/** Payment a service has to collect. All of it was fixed when the order was made. */
export interface PaymentOrder {
  readonly tradeNo: string;
  readonly moneyMinor: number;
  /** Lower-case code; empty = the service's own currency. */
  readonly currency: string;
  readonly method: string;
  readonly merchantId: string;
  /** The service's id of the order; null before it was registered. */
  readonly providerReference: string | null;
  /** Title of the purchase, shown to the payer. */
  readonly title: string;
  /** Seconds. */
  readonly createdAt: number;
}

/** Way of the payer's browser to the payment page. */
export type PaymentStart =
  | { readonly kind: 'form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'redirect'; readonly url: string; readonly providerReference: string };

/** Money the service reports as received. The order decides where the two differ. */
export interface ReportedPayment {
  readonly provider: string;
  readonly tradeNo: string;
  /** The service's number of the payment. */
  readonly providerTradeNo: string;
  /** Null = not a sum in this currency. */
  readonly moneyMinor: number | null;
  readonly currency: string;
  readonly method: string;
  readonly merchantId: string;
  /** When the service names it; undefined = it does not. */
  readonly providerReference?: string;
}

/** Something else about an order that administrators should know. */
export interface PaymentEvent {
  readonly kind: 'expired' | 'failed' | 'refunded' | 'disputed' | 'dispute-closed';
  /** Our number, or null when only the payment's is known. */
  readonly tradeNo: string | null;
  readonly provider: string;
  readonly providerTradeNo: string | null;
  /** One key, one event. */
  readonly eventKey: string;
  readonly detail: string;
}

/** A notification, read and verified. */
export type ReadNotice =
  | { readonly kind: 'paid'; readonly reported: ReportedPayment }
  | { readonly kind: 'event'; readonly event: PaymentEvent }
  /** Genuine, and nothing to us. */
  | { readonly kind: 'ignored' }
  /** Not genuine, or not understood. The reason is for our log; it holds no secret. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Answer of the service to a query for an order. */
export type OrderState =
  | { readonly kind: 'paid'; readonly reported: ReportedPayment }
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'closed' }
  /** Not queried: switched off. */
  | { readonly kind: 'off' }
  /** It did not answer, or not understandably: query again. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A notification as it arrived. */
export interface RawNotice {
  /** Query string, form body or JSON body, byte for byte. */
  readonly text: string;
  /** Signature header, for services that send one. */
  readonly signature: string;
}

/** Price terms of a service, before the payer's group and discounts. */
export interface PaymentTerms {
  /** Money per unit. */
  readonly price: number;
  /** Smallest top-up in units. */
  readonly minUnits: number;
  /** Lower-case code; empty = the service's own currency. */
  readonly currency: string;
}

/** A payment method. Differences between payment services are behind this; orders and their credit know none of them. */
export abstract class PaymentProvider {
  abstract readonly name: string;

  /** Everything is filled in and switched on. */
  abstract isOn(): boolean;

  /** Payment methods it offers, as `payment_method` names them. */
  abstract methods(): readonly { readonly name: string; readonly type: string }[];

  abstract terms(): PaymentTerms;

  /** Our account at the service. */
  abstract merchantId(): string;

  /** Fails: throws when the service cannot be reached or refuses; nothing was paid then. */
  abstract start(order: PaymentOrder): Promise<PaymentStart>;

  /** Never fails: what is not genuine is `refused`. */
  abstract read(notice: RawNotice): ReadNotice | Promise<ReadNotice>;

  /** Queries the service for an order. Never fails. */
  abstract query(order: PaymentOrder): Promise<OrderState>;

  /** True when a reported payment of this sum counts only if `query` confirms it. */
  abstract needsConfirmation(reported: ReportedPayment): boolean;
}
