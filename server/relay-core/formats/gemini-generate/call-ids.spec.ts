import { describe, expect, it } from '@jest/globals';
import { CallIds, historicCallId, vendorCallId } from './call-ids.js';

describe('CallIds', () => {
  it('gives the calls of the same reply the same ids, each its own', () => {
    const [one, other] = [new CallIds(), new CallIds()];
    expect([one.next('r/1'), one.next('r/1')]).toEqual(['call_gm_r_1_1', 'call_gm_r_1_2']);
    expect(other.next('r/1')).toBe('call_gm_r_1_1');
  });

  it('distinguishes replies without an id by chance, and stays with its choice', () => {
    const ids = new CallIds();
    const first = ids.next('');
    expect(new CallIds().next('')).not.toBe(first);
    expect(ids.next('late')).toBe(first.replace(/_1$/, '_2'));
  });

  it('makes ids that other APIs take', () => {
    expect(new CallIds().next('a b:c')).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});

describe('vendorCallId', () => {
  it('sends no id back that was made here', () => {
    expect([new CallIds().next('r'), historicCallId(2, 0), ''].map(vendorCallId)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(vendorCallId('call_abc')).toBe('call_abc');
  });
});
