import { describe, expect, it } from '@jest/globals';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { calculateQuota } from './calculate-quota.js';
import { explainCharge } from './explain-charge.js';

type RatioPrices = PriceSnapshot & { mode: 'ratio' };

const ratio = (part: Partial<RatioPrices> = {}): RatioPrices => ({
  mode: 'ratio',
  model: 'm',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
  modelRatio: '1',
  completionRatio: '4',
  cacheRatio: '0.5',
  cacheWriteRatio: '1.25',
  imageRatio: '2',
  audioRatio: '8',
  audioCompletionRatio: '2',
  ...part,
});
const call = (part: Partial<PriceSnapshot & { mode: 'call' }> = {}): PriceSnapshot => ({
  mode: 'call',
  model: 'm',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
  price: '0.04',
  ...part,
});
const usage = (input: number, output: number, part: Partial<Usage> = {}): Usage => ({
  input: { total: input },
  output: { total: output },
  ...part,
});
const explained = (used: Usage, snapshot: PriceSnapshot) =>
  explainCharge({
    usage: used,
    snapshot,
    evidence: 'reported',
    writeoff: 0,
    charged: calculateQuota(used, snapshot),
  });

describe('classes of service', () => {
  const prices = ratio({
    serviceTiers: { flex: '0.5', priority: '1.75', gift: '0' },
    tools: { 'web-search': '10' },
  });

  it('multiplies what tokens cost, and nothing else, before the one rounding', () => {
    const used = usage(101, 10, { tools: { 'web-search': 1 }, serviceTier: 'priority' });
    // (101 + 10 × 4) × 1 × 1.75 + 1 × 10 ÷ 1000 × 500000 = 246.75 + 5000
    expect(calculateQuota(used, prices)).toBe(5_247);
    expect(explained(used, prices)).toMatchObject({
      exact: '5246.75',
      formula: '(101 + 10 × 4) × 1 × 1 × 1.75 + 1 × 10 ÷ 1000 × 500000 × 1 = 5246.75 → 5247',
      serviceTier: { name: 'priority', ratio: '1.75' },
      isConsistent: true,
    });
  });

  it('charges half, nothing, or the usual price without a setting', () => {
    const of = (serviceTier?: string) =>
      calculateQuota(usage(100, 10, serviceTier === undefined ? {} : { serviceTier }), prices);
    expect([of('flex'), of('gift'), of(), of('scale'), of('toString')]).toEqual([70, 0, 140, 140, 140]);
    expect(explained(usage(100, 10, { serviceTier: 'gift' }), prices).rounding).toBe('free');
    expect(explained(usage(100, 10, { serviceTier: 'scale' }), prices).serviceTier).toBeUndefined();
  });

  it('fast costs what priority does, unless it has a price of its own', () => {
    const used = usage(100, 10, { serviceTier: 'fast' });
    expect(calculateQuota(used, prices)).toBe(245); // 140 × 1.75
    expect(explained(used, prices)).toMatchObject({
      serviceTier: { name: 'fast', ratio: '1.75' },
      isConsistent: true,
    });
    expect(calculateQuota(used, ratio({ serviceTiers: { priority: '2', fast: '6' } }))).toBe(840);
    expect(
      calculateQuota(usage(100, 10, { serviceTier: 'priority' }), ratio({ serviceTiers: { fast: '6' } })),
    ).toBe(140);
  });

  it('does not touch a price per call', () => {
    expect(calculateQuota(usage(1, 1, { serviceTier: 'priority' }), call())).toBe(20_000);
  });
});

describe('tools the vendor runs', () => {
  const tools = { 'web-search': '10', 'file-search': '2.5' };

  it('adds them to the tokens before the one rounding', () => {
    const used = usage(100, 10, { tools: { 'web-search': 3, 'file-search': 1 } });
    // (100 + 10 × 4) × 1 + 3 × 10 ÷ 1000 × 500000 + 1 × 2.5 ÷ 1000 × 500000 = 140 + 15000 + 1250
    expect(calculateQuota(used, ratio({ tools }))).toBe(16_390);
    expect(explained(used, ratio({ tools }))).toMatchObject({
      exact: '16390',
      formula:
        '(100 + 10 × 4) × 1 × 1 + 3 × 10 ÷ 1000 × 500000 × 1 + 1 × 2.5 ÷ 1000 × 500000 × 1 = 16390 → 16390',
      isConsistent: true,
    });
  });

  it('rounds once with the tokens: two halves make a whole', () => {
    // 1 × 0.25 + 1 × 0.0005 ÷ 1000 × 500000 = 0.25 + 0.25
    const prices = ratio({ modelRatio: '0.25', tools: { 'web-search': '0.0005' } });
    const used = usage(1, 0, { tools: { 'web-search': 1 } });
    expect(explained(used, prices).exact).toBe('0.5');
    expect(calculateQuota(used, prices)).toBe(1);
  });

  it('follows the group, adds to a price per call, and charges beside free tokens', () => {
    const used = usage(9, 9, { tools: { 'web-search': 2 } });
    expect(calculateQuota(used, call({ tools, groupRatio: '0.5' }))).toBe(15_000); // 0.04 × 500000 × 0.5 + 2 × 5000 × 0.5
    expect(calculateQuota(used, ratio({ tools, modelRatio: '0' }))).toBe(10_000);
    expect(calculateQuota(used, ratio({ tools, groupRatio: '0' }))).toBe(0);
  });

  it('charges nothing without a price, and shows it in the explanation', () => {
    const used = usage(10, 0, { tools: { 'code-execution': 7 } });
    expect(calculateQuota(used, ratio({ tools }))).toBe(10);
    expect(explained(used, ratio({ tools })).steps).toContainEqual({
      part: 'tool',
      tool: 'code_interpreter',
      count: 7,
      ratio: '0',
      subtotal: '0',
    });
  });

  it('counts those that every answer uses once, unless more are reported or nothing was used', () => {
    const prices = ratio({ tools, toolsEachCall: ['web-search'] });
    expect(calculateQuota(usage(10, 0), prices)).toBe(5_010);
    expect(calculateQuota(usage(10, 0, { tools: { 'web-search': 4 } }), prices)).toBe(20_010);
    expect(calculateQuota(usage(0, 0), prices)).toBe(0);
  });

  it('an absurd number of uses counts as 128, senseless ones as none [UP-01]', () => {
    expect(calculateQuota(usage(1, 0, { tools: { 'web-search': 20_000_000 } }), ratio({ tools }))).toBe(
      640_001,
    );
    for (const count of [-5, Number.NaN, 0.4])
      expect(calculateQuota(usage(1, 0, { tools: { 'web-search': count } }), ratio({ tools }))).toBe(1);
  });
});

describe('prices of long calls', () => {
  const tiers = [
    { above: 1_000, input: '2', output: '1.5' },
    { above: 5_000, input: '4', output: '3', cacheRead: '3', cacheWrite: '5' },
  ];

  it('applies to the whole call, from the first token above the bound', () => {
    expect(calculateQuota(usage(1_000, 10), ratio({ tiers }))).toBe(1_040); // 1000 + 10 × 4
    expect(calculateQuota(usage(1_001, 10), ratio({ tiers }))).toBe(2_062); // 1001 × 2 + 10 × 4 × 1.5
    expect(calculateQuota(usage(5_001, 10), ratio({ tiers }))).toBe(20_124); // 5001 × 4 + 10 × 4 × 3
  });

  it('counts cached tokens as length, and prices them by factors of their own', () => {
    const used: Usage = {
      input: { total: 6_000, cacheRead: 2_000, cacheWrite: 1_000 },
      output: { total: 0 },
    };
    // 3000 × 4 + 2000 × 0.5 × 3 + 1000 × 1.25 × 5 = 12000 + 3000 + 6250
    expect(calculateQuota(used, ratio({ tiers }))).toBe(21_250);
    expect(explained(used, ratio({ tiers }))).toMatchObject({
      tier: tiers[1],
      exact: '21250',
      isConsistent: true,
      formula: '(3000 × 4 + 2000 × 1.5 + 1000 × 6.25) × 1 × 1 = 21250 → 21250',
    });
  });

  it('leaves short calls and older snapshots as they were', () => {
    expect(explained(usage(10, 0), ratio({ tiers })).tier).toBeUndefined();
    expect(calculateQuota(usage(10_000, 10), ratio())).toBe(10_040);
  });
});

describe('pictures among the output', () => {
  it('charges images by their own ratio, text by its own', () => {
    const used: Usage = { input: { total: 100 }, output: { total: 1_300, image: 1_290 } };
    // 100 + 10 × 4 + 1290 × 100
    expect(calculateQuota(used, ratio({ imageOutputRatio: '100' }))).toBe(129_140);
  });

  it('charges the price of text without an image ratio, as in older snapshots', () => {
    const used: Usage = { input: { total: 0 }, output: { total: 10, image: 4 } };
    expect(calculateQuota(used, ratio())).toBe(40);
  });
});

describe('writes kept for an hour', () => {
  it('charges their own ratio, or 1.6 times the shorter ones', () => {
    const used: Usage = { input: { total: 100, cacheWrite: 100, cacheWrite1h: 40 }, output: { total: 0 } };
    expect(calculateQuota(used, ratio())).toBe(155); // 60 × 1.25 + 40 × 2
    expect(calculateQuota(used, ratio({ cacheWrite1hRatio: '3' }))).toBe(195); // 60 × 1.25 + 40 × 3
  });
});
