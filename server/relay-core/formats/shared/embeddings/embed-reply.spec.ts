import { describe, expect, it } from '@jest/globals';
import { orderedVectors } from './embed-reply.js';

describe('orderedVectors', () => {
  it.each([
    [
      'by the places the rows name',
      [
        { index: 1, embedding: 'b' },
        { index: 0, embedding: 'a' },
      ],
      ['a', 'b'],
    ],
    ['as they stand where they name none', [{ embedding: 'a' }, { embedding: 'b' }], ['a', 'b']],
    ['with a gap for a row that has none', [{ index: 0 }, 'broken'], [undefined, undefined]],
    ['none where there is no list', { embedding: 'a' }, []],
  ])('gives them %s', (_name, rows, vectors) => {
    expect(orderedVectors(rows)).toEqual(vectors);
  });
});
