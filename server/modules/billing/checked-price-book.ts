import type { OptionsService } from '../options/options.service.js';
import { OptionPriceBook } from './option-price-book.js';
import { PRICE_OPTION_KEYS, PriceTable } from './price-table.js';

/** The price book over the stored options. A change of prices it could not compile is refused before it is stored (OPT-1). */
export function checkedPriceBook(options: OptionsService): OptionPriceBook {
  options.registerCheck([...PRICE_OPTION_KEYS], (candidate) => void new PriceTable(candidate, 0));
  return new OptionPriceBook(options);
}
