import { Logger } from '@nestjs/common';
import type { OptionsService } from '../../options/options.service.js';
import { OptionPriceBook, type PriceDocumentSource } from '../../pricing/option-price-book.js';
import { PRICE_OPTION_KEYS, PriceTable } from '../../pricing/price-table.js';

/** The price book over the stored options. A change of prices it could not compile is refused before it is stored. */
export function checkedPriceBook(options: OptionsService): OptionPriceBook {
  options.registerCheck([...PRICE_OPTION_KEYS], (candidate) => void new PriceTable(candidate, 0));
  options.registerCompiler([...PRICE_OPTION_KEYS], (candidate) => void new PriceTable(candidate, 0));
  const logger = new Logger('Prices');
  const source: PriceDocumentSource = {
    get revision() {
      return options.priceRevision;
    },
    values: () => options.values(),
  };
  return new OptionPriceBook(source, (error) =>
    logger.error(`stored prices cannot be used, the last good ones stay in force: ${String(error)}`),
  );
}
