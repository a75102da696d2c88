import { describe, expect, it } from '@jest/globals';
import { snapshotId } from './price-snapshots.js';

describe('snapshotId', () => {
  it('takes the beginning of the hash of the document, whatever came between', () => {
    const first = snapshotId('{"mode":"ratio"}');
    expect(first).toBe('7OQ90qCBRnDSgP0nulr68UaL1eFlvKGo');
    for (let number = 0; number < 1_100; number += 1) snapshotId(`{"number":${number}}`);
    expect(snapshotId('{"mode":"ratio"}')).toBe(first);
  });

  it('differs for a document that differs in one character', () => {
    const ids = ['{"price":"1"}', '{"price":"2"}', '{"price":"1" }', ''].map(snapshotId);
    expect(new Set(ids).size).toBe(4);
    expect(ids.map((id) => id.length)).toEqual([32, 32, 32, 32]);
  });
});
