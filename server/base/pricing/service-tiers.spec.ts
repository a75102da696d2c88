import { describe, expect, it } from '@jest/globals';
import { PriceDocumentError } from './read-price-document.js';
import { SERVICE_TIER_KEY, ServiceTiers } from './service-tiers.js';

describe('prices of classes of service', () => {
  const tiers = new ServiceTiers({
    flex: 0.5,
    priority: 2,
    'priority:gpt-4*': 1.5,
    'priority:gpt-4.1*': 1.75,
    'priority:gpt-4.1-x': 3,
    'fast:us.anthropic.claude-opus-4-6-v1:0': 6,
  });

  it.each([
    ['gpt-5', { flex: '0.5', priority: '2' }],
    ['gpt-4o', { flex: '0.5', priority: '1.5' }],
    ['gpt-4.1-mini', { flex: '0.5', priority: '1.75' }],
    ['gpt-4.1-x', { flex: '0.5', priority: '3' }],
    ['us.anthropic.claude-opus-4-6-v1:0', { flex: '0.5', priority: '2', fast: '6' }],
  ])('takes the most specific row for %s', (model, factors) => {
    expect(tiers.of(model)).toEqual(factors);
  });

  it('none are no prices at all', () => {
    expect(new ServiceTiers({}).of('m')).toBeUndefined();
    expect(new ServiceTiers({ 'flex:other': 1 }).of('m')).toBeUndefined();
  });

  it('a factor that cannot be one is named', () => {
    expect(() => new ServiceTiers({ flex: -1 })).toThrow(PriceDocumentError);
    expect(() => new ServiceTiers({ flex: -1 })).toThrow('ServiceTierRatio: "flex"');
  });

  it.each([
    ['flex', true],
    ['priority:gpt-5*', true],
    ['fast:claude:0', true],
    ['', false],
    ['Flex', false],
    ['flex:', false],
    ['flex:a b', false],
    ['flex:a*b', false],
  ])('%s is a key: %s', (key, isKey) => {
    expect(SERVICE_TIER_KEY.test(key)).toBe(isKey);
  });
});
