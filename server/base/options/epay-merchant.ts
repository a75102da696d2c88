/** A shorter key could be guessed: with one, payment by epay stays off. */
export const MIN_EPAY_KEY_BYTES = 16;

/** Our account at a payment service with the epay protocol; null while address, id or a key long enough is missing. */
export function epayMerchant(options: {
  readonly PayAddress: string;
  readonly EpayId: string;
  readonly EpayKey: string;
}): { readonly address: string; readonly id: string; readonly key: string } | null {
  const { PayAddress: address, EpayId: id, EpayKey: key } = options;
  if (address === '' || id === '' || Buffer.byteLength(key) < MIN_EPAY_KEY_BYTES) return null;
  return { address, id, key };
}

/** One way to pay at that service. */
export interface EpayMethod {
  readonly name: string;
  /** Name of the method in the protocol. */
  readonly type: string;
}

/** The ways to pay at that service that payers are offered; Stripe is a service of its own. */
export const epayMethods = ({
  PayMethods,
}: {
  readonly PayMethods: readonly Readonly<Record<string, string>>[];
}): readonly EpayMethod[] =>
  PayMethods.flatMap(({ name, type }) =>
    type === undefined || type === '' || type === 'stripe' ? [] : [{ name: name ?? type, type }],
  );
