import { ACCOUNT_OPTIONS } from './catalogue/account-options.js';
import { ALERT_OPTIONS } from './catalogue/alert-options.js';
import { CALL_OPTIONS } from './catalogue/call-options.js';
import { CHANNEL_OPTIONS } from './catalogue/channel-options.js';
import { CONSOLE_OPTIONS } from './catalogue/console-options.js';
import { IDENTITY_OPTIONS } from './catalogue/identity-options.js';
import { MODEL_OPTIONS } from './catalogue/model-options.js';
import { PAYMENT_OPTIONS } from './catalogue/payment-options.js';
import { PRICE_OPTIONS } from './catalogue/price-options.js';
import { SERVER_OPTIONS } from './catalogue/server-options.js';
import type { OptionRow } from './option-kinds.js';

/**
 * Every option there is, one file per area. A key that is not here is refused.
 * A new one is a row in the file of its area.
 */
export const OPTION_CATALOGUE = {
  ...CONSOLE_OPTIONS,
  ...PRICE_OPTIONS,
  ...CALL_OPTIONS,
  ...CHANNEL_OPTIONS,
  ...MODEL_OPTIONS,
  ...SERVER_OPTIONS,
  ...ACCOUNT_OPTIONS,
  ...IDENTITY_OPTIONS,
  ...PAYMENT_OPTIONS,
  ...ALERT_OPTIONS,
} as const;

export type OptionKey = keyof typeof OPTION_CATALOGUE;

type ValueOf<Row> = Row extends OptionRow<infer T> ? T : never;

/** All options as values: key → parsed value. Frozen. */
export type OptionValues = { readonly [Key in OptionKey]: ValueOf<(typeof OPTION_CATALOGUE)[Key]> };

export const OPTION_KEYS = Object.keys(OPTION_CATALOGUE) as OptionKey[];

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTION_CATALOGUE, key);

/** A row with its value type forgotten, for code that treats all options alike. */
export const optionRow = (key: OptionKey): OptionRow<unknown> => OPTION_CATALOGUE[key] as OptionRow<unknown>;

export const isSecret = (key: OptionKey): boolean => OPTION_CATALOGUE[key].class === 'secret';

/** What every option is while nothing is stored. */
export const OPTION_FALLBACKS = Object.freeze(
  Object.fromEntries(OPTION_KEYS.map((key) => [key, optionRow(key).fallback])),
) as OptionValues;
