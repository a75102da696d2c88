import { describe, expect, it } from '@jest/globals';
import { refuseOwnCall, viaEntry, viaFor } from './via-header.js';

const OWN = viaEntry('00112233445566aa');
const OTHER = viaEntry('ffeeddccbbaa9988');
const own = { baseUrl: 'http://gateway.example' };

describe('the trail of a call', () => {
  it('names this gateway to addresses an operator typed, and to no vendor', () => {
    expect(viaFor({ headers: {} }, own, OWN)).toBe(OWN);
    expect(viaFor({ headers: {} }, { baseUrl: '' }, OWN)).toBeUndefined();
  });

  it('keeps the gateways before it, and nothing of other proxies', () => {
    const headers = { via: `1.1 inner-cache.example, ${OTHER}, 2 cdn (secret)` };
    expect(viaFor({ headers }, own, OWN)).toBe(`${OTHER}, ${OWN}`);
  });

  it.each([
    ['nothing', undefined, false],
    ['a proxy', '1.1 varnish', false],
    ['another gateway', OTHER, false],
    ['itself', OWN, true],
    ['itself, behind others', `1.1 nginx, ${OTHER}, ${OWN}, ${OTHER}`, true],
    ['a name that only begins like it', `${OWN}0`, false],
    ['seven gateways', Array.from({ length: 7 }, () => OTHER).join(', '), false],
    ['eight gateways', Array.from({ length: 8 }, () => OTHER).join(', '), true],
  ])('a call that came through %s comes back: %s → %s', (_, via, isBack) => {
    expect(refuseOwnCall({ headers: { via } }, OWN)?.kind).toBe(isBack ? 'loop-detected' : undefined);
  });
});
