import { describe, expect, it } from '@jest/globals';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { aFixedPrice, aPrice, used } from '../../../test/support/price-snapshots.js';
import { explainCharge } from './explain-charge.js';

describe('explainCharge', () => {
  it('shows the parts, the factors and the rounding, and finds a stored charge that does not follow from them', () => {
    const explanation = explainCharge({
      usage: { input: { total: 1_000, cacheRead: 800 }, output: { total: 33 } },
      snapshot: aPrice({ modelRatio: '1.25', completionRatio: '4', cacheRatio: '0.1', groupRatio: '0.9' }),
      evidence: 'reported',
      charged: 463,
      writeoff: 0,
    });
    // (200 + 800 × 0.1 + 33 × 4) × 1.25 × 0.9 = 463.5 → 464
    expect(explanation).toMatchObject({
      exact: '463.5',
      priced: 464,
      rounding: 'half-up',
      isConsistent: false,
    });
    expect(explanation.formula).toBe('(200 + 800 × 0.1 + 33 × 4) × 1.25 × 0.9 = 463.5 → 464');
    expect(explanation.steps).toEqual([
      { part: 'textInput', count: 200, ratio: '1', subtotal: '225' },
      { part: 'cacheRead', count: 800, ratio: '0.1', subtotal: '90' },
      { part: 'textOutput', count: 33, ratio: '4', subtotal: '148.5' },
    ]);
  });

  it('marks charges decided by the minimum of 1, a free price or an empty call', () => {
    const explain = (usage: Usage, snapshot: PriceSnapshot, charged: number) =>
      explainCharge({ usage, snapshot, evidence: 'counted', charged, writeoff: 0 }).rounding;
    expect(explain(used(1, 0), aPrice({ modelRatio: '0.001' }), 1)).toBe('minimum');
    expect(explain(used(1, 0), aPrice({ modelRatio: '0' }), 0)).toBe('free');
    expect(explain(used(0, 0), aPrice(), 0)).toBe('nothing-used');
    expect(explain(used(1, 0), aFixedPrice('0.01'), 5_000)).toBe('half-up');
  });

  it('multiplies a price per call by images and by size, and adds the cost of tools', () => {
    const snapshot: PriceSnapshot = {
      ...aFixedPrice('0.04', '0.5'),
      mode: 'call',
      price: '0.04',
      factor: '2',
      factorName: 'hd 1024x1792',
      tools: { web_search: '10' },
    };
    const explanation = explainCharge({
      usage: { ...used(0, 0), units: 3, tools: { web_search: 2 } },
      snapshot,
      evidence: 'reported',
      charged: 60_000,
      writeoff: 5_000,
    });
    // 3 × 0.04 × 2 × 500,000 × 0.5 = 60,000; 2 × 10 ÷ 1000 × 500,000 × 0.5 = 5,000
    expect(explanation).toMatchObject({
      mode: 'call',
      baseRatio: '500000',
      factor: { name: 'hd 1024x1792', ratio: '2' },
      exact: '65000',
      priced: 65_000,
      isConsistent: true,
      formula: '0.04 × 2 × 3 × 500000 × 0.5 + 2 × 10 ÷ 1000 × 500000 × 0.5 = 65000 → 65000',
      steps: [
        { part: 'call', count: 3, ratio: '0.08', subtotal: '60000' },
        { part: 'tool', tool: 'web_search', count: 2, ratio: '10', subtotal: '5000' },
      ],
    });
  });

  it('shows tools without a price as free, names like members of objects among them', () => {
    const usage = { ...used(0, 0), tools: { constructor: 4 } } as unknown as Usage;
    const { steps, rounding } = explainCharge({
      usage,
      snapshot: aPrice({ tools: { web_search: '10' } }),
      evidence: 'reported',
      charged: 0,
      writeoff: 0,
    });
    expect(steps).toEqual([{ part: 'tool', tool: 'constructor', count: 4, ratio: '0', subtotal: '0' }]);
    expect(rounding).toBe('free');
  });

  it('refuses a damaged snapshot instead of explaining something else', () => {
    const damaged = aPrice({ modelRatio: 'much' });
    expect(() =>
      explainCharge({ usage: used(1, 1), snapshot: damaged, evidence: 'reported', charged: 0, writeoff: 0 }),
    ).toThrow(RangeError);
  });
});
