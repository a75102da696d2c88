import { OPTION_FALLBACKS, type OptionKey, type OptionValues } from './option-catalogue.js';

/** Root signs in by password or passkey, and a passkey belongs to the address it was made for. */
const KEPT: readonly OptionKey[] = ['ServerAddress', 'SystemName', 'passkey.enabled'];

/** Without the stored prices no call could be charged rightly, and without the stored rules no new account may be made. */
const CLOSED = { RelayEnabled: false, PaymentEnabled: false, RegisterEnabled: false } as const;

/**
 * The options as SAFE_MODE lets them be: those of the program, so that no stored one can keep root from repairing it.
 * @param values  as stored
 */
export function safeModeValues(values: OptionValues): OptionValues {
  const kept = Object.fromEntries(KEPT.map((key) => [key, values[key]]));
  return Object.freeze({ ...OPTION_FALLBACKS, ...kept, ...CLOSED });
}
