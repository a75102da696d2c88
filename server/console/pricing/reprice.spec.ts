import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import { PriceTable } from '../../base/pricing/price-table.js';
import { pricesAlike, repriceSnapshot } from './preview-run.js';

const tableOf = (changes: Partial<typeof OPTION_FALLBACKS>, revision = 2): PriceTable =>
  new PriceTable({ ...OPTION_FALLBACKS, ...changes }, revision);
const OLD = tableOf({ ModelRatio: { m: 1 }, ModelPrice: {}, GroupRatio: { default: 1 } }, 1);
const snapshotOf = (table: PriceTable, model = 'm') => {
  const snapshot = table.snapshot(model, 'default', false);
  if (snapshot === undefined) throw new Error('no price');
  return snapshot;
};

describe('repriceSnapshot', () => {
  it('gives the prices of the other table for the same model and group', () => {
    const next = repriceSnapshot(snapshotOf(OLD), tableOf({ ModelRatio: { m: 3 }, ModelPrice: {} }));
    expect(next).toMatchObject({ mode: 'ratio', model: 'm', group: 'default', modelRatio: '3', revision: 2 });
  });

  it('gives none where the other table has no price for the model', () => {
    expect(repriceSnapshot(snapshotOf(OLD), tableOf({ ModelRatio: {}, ModelPrice: {} }))).toBeUndefined();
  });

  it('keeps the factor of a price per image', () => {
    const old = {
      ...snapshotOf(tableOf({ ModelRatio: {}, ModelPrice: { m: 0.1 } })),
      factor: '2',
      factorName: 'hd',
    };
    const next = repriceSnapshot(old, tableOf({ ModelRatio: {}, ModelPrice: { m: 0.3 } }));
    expect(next).toMatchObject({ mode: 'call', price: '0.3', factor: '2', factorName: 'hd' });
  });

  it('takes over no factor from prices by tokens', () => {
    const next = repriceSnapshot(snapshotOf(OLD), tableOf({ ModelRatio: {}, ModelPrice: { m: 0.3 } }));
    expect(next).toMatchObject({ mode: 'call', price: '0.3' });
    expect(next).not.toHaveProperty('factor');
  });

  it('reads the factor agreed with the current group of the account', () => {
    const table = tableOf({
      ModelRatio: { m: 1 },
      ModelPrice: {},
      GroupGroupRatio: { vip: { default: 0.5 } },
    });
    expect(repriceSnapshot(snapshotOf(OLD), table)).toMatchObject({ groupRatio: '1' });
    expect(repriceSnapshot(snapshotOf(OLD), table, 'vip')).toMatchObject({
      groupRatio: '0.5',
      userGroup: 'vip',
    });
  });
});

describe('pricesAlike', () => {
  it('passes over what no charge depends on', () => {
    const left = snapshotOf(OLD);
    expect(
      pricesAlike(left, {
        ...left,
        revision: 9,
        userGroup: 'vip',
        modelPattern: 'm*',
        toolTerms: { a: 'b' },
      }),
    ).toBe(true);
  });

  it.each([{ groupRatio: '2' }, { modelRatio: '2' }, { quotaPerUnit: 1 }, { cacheWrite1hRatio: '4' }])(
    'distinguishes %j',
    (change) => {
      const left = snapshotOf(OLD);
      expect(pricesAlike(left, { ...left, ...change } as typeof left)).toBe(false);
    },
  );
});
