import { quotient } from '../price-rules/price-ratios.js';
import { documentOf } from './json-documents.js';
import { priceOf } from './listed-price.js';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Members that say what a class of service costs: `input_cost_per_token_flex`, `output_cost_per_token_above_200k_tokens_priority`, and
 * their likes. Parts that few calls have (cache, sound, pictures) follow the tokens: one factor holds for a class.
 */
const MEMBER =
  /^(?<usual>(?:input|output)_cost_per_token(?:_above_\d{1,5}k_tokens)?)_(?<tier>flex|priority|ultrafast|batch|batches)$/;

/**
 * Factors of the classes of service a model has prices for. Where its input and its output, or long and short calls, have other factors,
 * the largest counts: no call costs less here than at its vendor's.
 */
export function serviceTiersOf(entry: Entry): Record<string, number> | undefined {
  const factors = new Map<string, number>();
  for (const member of Object.keys(entry)) {
    const groups = MEMBER.exec(member)?.groups;
    const price = groups === undefined ? undefined : priceOf(entry, member);
    const usual = priceOf(entry, groups?.['usual'] ?? '');
    if (price === undefined || usual === undefined || usual === 0) continue;
    put(factors, groups?.['tier'] === 'batches' ? 'batch' : (groups?.['tier'] ?? ''), quotient(price, usual));
  }
  // Anthropic's fast mode has one factor for everything.
  const fast = priceOf(documentOf(entry['provider_specific_entry']), 'fast');
  if (fast !== undefined && fast > 0) put(factors, 'fast', fast);
  return factors.size === 0 ? undefined : Object.fromEntries(factors);
}

function put(factors: Map<string, number>, tier: string, factor: number): void {
  factors.set(tier, Math.max(factors.get(tier) ?? 0, factor));
}
