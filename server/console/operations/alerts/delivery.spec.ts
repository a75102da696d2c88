import { describe, expect, it } from '@jest/globals';
import { sumOf } from './delivery.js';

describe('sumOf', () => {
  it('counts reached recipients, and names each fault once', () => {
    const away = { reached: 0, fault: 'mail: away' };
    expect(sumOf({ reached: 1, fault: '' }, away)).toEqual({ reached: 1, fault: 'mail: away' });
    expect(sumOf(away, away)).toEqual(away);
    expect(sumOf(away, { reached: 2, fault: 'webhook: refused' })).toEqual({
      reached: 2,
      fault: 'mail: away; webhook: refused',
    });
  });
});
