import { describe, expect, it } from '@jest/globals';
import { modesOf, serviceTiersOf } from './read-service-tiers.js';

describe('serviceTiersOf', () => {
  it('makes factors of the prices of classes', () => {
    expect(
      serviceTiersOf({
        input_cost_per_token: 2e-6,
        input_cost_per_token_flex: 1e-6,
        input_cost_per_token_priority: 3.5e-6,
        output_cost_per_token: 8e-6,
        output_cost_per_token_batches: 4e-6,
      }),
    ).toEqual({ flex: 0.5, priority: 1.75, batch: 0.5 });
  });

  it('takes the largest factor where input, output and long calls differ', () => {
    expect(
      serviceTiersOf({
        input_cost_per_token: 1e-6,
        input_cost_per_token_flex: 0.5e-6,
        output_cost_per_token: 4e-6,
        output_cost_per_token_flex: 3e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
        input_cost_per_token_above_200k_tokens_flex: 1.2e-6,
      }),
    ).toEqual({ flex: 0.75 });
  });

  it('reads the fast mode of Anthropic', () => {
    expect(serviceTiersOf({ provider_specific_entry: { fast: 6 } })).toEqual({ fast: 6 });
  });

  it('returns nothing when a price or the usual one is missing or free', () => {
    expect(serviceTiersOf({ input_cost_per_token_flex: 1e-6 })).toBeUndefined();
    expect(serviceTiersOf({ input_cost_per_token: 0, input_cost_per_token_flex: 1e-6 })).toBeUndefined();
    expect(serviceTiersOf({ input_cost_per_token: 1e-6, input_cost_per_token_flex: -1 })).toBeUndefined();
  });
});

describe('modesOf', () => {
  const facts = (body: object, mode = 'fast') => ({
    cost: { input: 5, output: 25 },
    experimental: { modes: { [mode]: { cost: { input: 30, output: 150 }, provider: { body } } } },
  });

  it('names a mode by its request value', () => {
    expect(modesOf(facts({ speed: 'fast' }))).toEqual({ fast: 6 });
    expect(modesOf(facts({ service_tier: 'priority' }))).toEqual({ priority: 6 });
    expect(modesOf(facts({}, 'turbo'))).toEqual({ turbo: 6 });
  });

  it('gives the class that OpenAI calls fast both of its names', () => {
    expect(modesOf(facts({ service_tier: 'fast' }))).toEqual({ fast: 6, priority: 6 });
  });

  it('leaves out names that no request could hold', () => {
    expect(modesOf(facts({ speed: 'Very fast' }))).toBeUndefined();
    expect(modesOf(facts({ speed: 7 }))).toBeUndefined();
  });
});
