import { describe, expect, it } from '@jest/globals';
import { mostItems, type ItemBounds } from './item-bounds.js';

const BOUNDS: ItemBounds = {
  embed: [
    { most: 10, models: /-v4$/, source: 'not read' },
    { most: 25, source: 'not read' },
  ],
};

describe('most items of a call', () => {
  it.each([
    ['text-v4', 10],
    ['text-v2', 25],
  ])('follows the first row that fits the model: %s', (model, most) => {
    expect(mostItems(BOUNDS, 'embed', model)).toBe(most);
  });

  it('has no figure where no row is about the operation', () => {
    expect(mostItems(BOUNDS, 'rerank', 'text-v4')).toBeUndefined();
    expect(mostItems(undefined, 'embed', 'text-v4')).toBeUndefined();
  });
});
