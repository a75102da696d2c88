import { PRICE_OPTION_KEYS } from '../pricing/price-table.js';
import type { OptionKey } from './option-catalogue.js';

/** Options whose change is a change of prices: kept as a version of the price list. */
export const PRICE_KEYS: ReadonlySet<OptionKey> = new Set<OptionKey>([
  ...PRICE_OPTION_KEYS,
  'UserUsableGroups',
]);
