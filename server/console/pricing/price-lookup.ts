import type { ListPrice } from '../../base/pricing/defaults/list-prices.js';
import { dollarPriceOf } from '../../base/pricing/dollar-price.js';
import type { PriceTable } from '../../base/pricing/price-table.js';
import { endpointsOf } from '../../relay-core/model/model-kind.js';
import type { ModelPriceView } from './dto/price-lookup.dto.js';

/** Endpoint type of chats in price lists. */
const CHAT = 'openai';

/**
 * Price of a model, also of one that no channel serves yet.
 * @param listPrices  built-in list prices by model; one is given for a model without a price of its own
 * @returns dollars per million tokens, or per call
 */
export function lookUpPrice(
  table: PriceTable,
  model: string,
  listPrices: Readonly<Record<string, ListPrice>>,
): ModelPriceView {
  const isPriced = table.isPriced(model);
  const list = isPriced || !Object.hasOwn(listPrices, model) ? undefined : listPrices[model];
  const price = dollarPriceOf(table, model);
  return {
    model,
    is_priced: isPriced,
    input: price.input,
    output: price.output,
    per_call: price.perCall,
    list_input: list?.input ?? null,
    list_output: list?.output ?? null,
    is_chat: endpointsOf(model).includes(CHAT),
  };
}
