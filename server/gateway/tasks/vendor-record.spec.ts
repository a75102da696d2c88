import { describe, expect, it } from '@jest/globals';
import { recordsById, storedAddress, storedJson, storedMoment, storedText } from './vendor-record.js';

describe('reading records of vendors', () => {
  it('takes a malformed answer for an empty one [TASK-104]', () => {
    for (const answer of [
      null,
      undefined,
      7,
      'x',
      {},
      { data: 7 },
      { data: { id: 'a' } },
      [null, 1, ['a'], {}],
    ])
      expect(recordsById(answer, 'id').size).toBe(0);
    const list = [{ id: 'a' }, { id: 7 }, { id: {} }, { other: 'b' }];
    expect([...recordsById(list, 'id').keys()]).toEqual(['a', '7']);
    expect([...recordsById({ code: 'success', data: list }, 'id').keys()]).toEqual(['a', '7']);
  });

  it('stores texts a database takes, JSON within bounds, web addresses and possible moments only', () => {
    expect(storedText('a\0b\ud800')).toBe('ab\ufffd');
    expect(storedText('x'.repeat(70_000))).toHaveLength(65_536);
    for (const none of ['', 7, null, undefined, {}]) expect(storedText(none)).toBeUndefined();
    expect(storedJson({ a: 1 })).toBe('{"a":1}');
    expect(storedJson(['x'.repeat(1024 * 1024)])).toBeUndefined();
    for (const none of [null, 'x', 7, undefined]) expect(storedJson(none)).toBeUndefined();
    expect(storedAddress('https://a.example/1.png?x=1')).toBe('https://a.example/1.png?x=1');
    for (const none of ['javascript:alert(1)', 'data:,x', 'x', '', 7, `https://a/${'x'.repeat(9_000)}`])
      expect(storedAddress(none)).toBeUndefined();
    expect(storedMoment(7.5)).toBe(7);
    for (const none of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '7', null])
      expect(storedMoment(none)).toBeUndefined();
  });
});
