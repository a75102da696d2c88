import { describe, expect, it } from '@jest/globals';
import { CallPlaces } from './call-track.js';

type Piece = readonly [index: unknown, id: unknown, isNamed: boolean];

const placesOf = (pieces: readonly Piece[]): readonly number[] => {
  const places = new CallPlaces();
  return pieces.map((piece) => places.placeOf(...piece));
};

describe('the call a piece of a stream belongs to', () => {
  it.each<[string, readonly Piece[], readonly number[]]>([
    [
      'that comes by the book',
      [
        [0, 'a', true],
        [0, undefined, false],
        [1, 'b', true],
        [1, undefined, false],
      ],
      [0, 0, 1, 1],
    ],
    [
      'whose pieces come in turns',
      [
        [0, 'a', true],
        [1, 'b', true],
        [0, undefined, false],
        [1, undefined, false],
      ],
      [0, 1, 0, 1],
    ],
    [
      'without indexes',
      [
        ['a', 'a', true],
        [undefined, undefined, false],
        [null, 'b', true],
        [undefined, '', false],
      ],
      [0, 0, 1, 1],
    ],
    [
      'without indexes, by its repeated id',
      [
        [undefined, 'a', true],
        [undefined, 'b', true],
        [undefined, 'a', false],
      ],
      [0, 1, 0],
    ],
    [
      'that shares its index with all others',
      [
        [0, 'a', true],
        [0, null, false],
        [0, 'b', true],
        [0, '', false],
        [0, 'a', false],
      ],
      [0, 0, 1, 1, 0],
    ],
    [
      'whose index counts on with every piece',
      [
        [0, 'a', true],
        [1, undefined, false],
        [2, undefined, false],
        [3, 'b', true],
      ],
      [0, 0, 0, 1],
    ],
    [
      'whose index begins elsewhere',
      [
        [1, 'a', true],
        [1, undefined, false],
        [2, 'b', true],
      ],
      [0, 0, 1],
    ],
    [
      'that has the id of another',
      [
        [0, 'a', true],
        [1, 'a', true],
        [0, undefined, false],
        [1, undefined, false],
      ],
      [0, 1, 0, 1],
    ],
    [
      'that has no id at all',
      [
        [0, undefined, true],
        [0, undefined, false],
        [1, '', true],
        [undefined, undefined, true],
      ],
      [0, 0, 1, 2],
    ],
    [
      'whose id comes late',
      [
        [0, undefined, true],
        [0, 'a', false],
        [0, 'b', true],
        [undefined, 'a', false],
      ],
      [0, 0, 1, 0],
    ],
    [
      'that nobody began',
      [
        [undefined, undefined, false],
        [5, undefined, false],
      ],
      [0, 0],
    ],
  ])('follows from the piece: the one %s', (_how, pieces, expected) => {
    expect(placesOf(pieces)).toEqual(expected);
  });
});
