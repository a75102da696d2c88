import { quotient } from '../../base/pricing/price-ratios.js';
import { documentOf } from '../../relay-core/formats/shared/fields/json-fields.js';
import { priceOf } from './listed-price.js';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Members with prices of service tiers: `input_cost_per_token_flex`, `output_cost_per_token_above_200k_tokens_priority`, and their
 * likes. Parts that few calls have (cache, audio, images) follow the tokens: one factor holds for a tier.
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

/** Request value of a mode of models.dev: `service_tier`, or Anthropic's `speed`. */
const TIER_NAME = /^[a-z0-9_-]{1,32}$/;

/**
 * Factors of the modes of a model of models.dev: `experimental.modes.fast` with its `cost`, and with the members of a request that
 * turn it on under `provider.body`.
 */
export function modesOf(facts: Entry): Record<string, number> | undefined {
  const usual = documentOf(facts['cost']);
  const factors = new Map<string, number>();
  for (const [mode, entry] of Object.entries(documentOf(documentOf(facts['experimental'])['modes']))) {
    const { cost, provider } = documentOf(entry);
    const body = documentOf(documentOf(provider)['body']);
    const asked = body['service_tier'] ?? body['speed'] ?? mode;
    if (typeof asked !== 'string' || !TIER_NAME.test(asked)) continue;
    // OpenAI's two names of one tier: a request for `fast` may be answered as `priority`.
    const names = asked === 'fast' && asked === body['service_tier'] ? ['fast', 'priority'] : [asked];
    for (const member of ['input', 'output']) {
      const price = priceOf(documentOf(cost), member);
      const before = priceOf(usual, member);
      if (price !== undefined && before !== undefined && before > 0)
        for (const name of names) put(factors, name, quotient(price, before));
    }
  }
  return factors.size === 0 ? undefined : Object.fromEntries(factors);
}

function put(factors: Map<string, number>, tier: string, factor: number): void {
  factors.set(tier, Math.max(factors.get(tier) ?? 0, factor));
}
