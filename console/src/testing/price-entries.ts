import type { PriceEntry } from '../features/pricing/api';

/** A model of the price page. */
export function aPriceEntry(parts: Partial<PriceEntry> = {}): PriceEntry {
  return {
    model_name: 'gpt-4o',
    quota_type: 0,
    model_ratio: 1.25,
    model_price: 0,
    owner_by: '',
    completion_ratio: 4,
    cache_ratio: 0.5,
    create_cache_ratio: 1,
    reasoning_ratio: 4,
    image_ratio: 1,
    image_completion_ratio: 4,
    audio_ratio: 1,
    audio_completion_ratio: 4,
    long_context: [],
    tool_prices: {},
    is_price_unset: false,
    enable_groups: ['default', 'vip'],
    supported_endpoint_types: ['openai'],
    vendor: 'OpenAI',
    ...parts,
  };
}

/** Priced by the call, for one group. */
export const PICTURE_PRICE = aPriceEntry({
  model_name: 'picture-1',
  quota_type: 1,
  model_ratio: 0,
  model_price: 0.04,
  completion_ratio: 0,
  enable_groups: ['vip'],
  vendor: 'Studio',
});

/** Priced by the fallback ratio: 37.5 × $2 = $75 per million tokens. */
export const UNSET_PRICE = aPriceEntry({
  model_name: 'small-model',
  model_ratio: 37.5,
  completion_ratio: 1,
  is_price_unset: true,
  vendor: '',
  enable_groups: ['default'],
});
