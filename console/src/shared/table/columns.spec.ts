import { describe, expect, it } from '@jest/globals';
import { chosenColumns, type Column, runOf } from './columns';

const column = (id: string, more: Partial<Column<null>> = {}): Column<null> => ({
  id,
  label: id,
  render: () => null,
  ...more,
});
const idsOf = (choice: Readonly<Record<string, boolean>>) =>
  chosenColumns(
    [column('name', { choosable: false }), column('usual'), column('rare', { hiddenAtFirst: true })],
    choice,
  ).map(({ id }) => id);

describe('chosenColumns', () => {
  it('shows what was chosen, else what is usual, and what cannot be chosen always', () => {
    expect(idsOf({})).toEqual(['name', 'usual']);
    expect(idsOf({ usual: false, rare: true, name: false, gone: true })).toEqual(['name', 'rare']);
  });
});

describe('runOf', () => {
  const shown = ['a', 'b', 'x', 'y', 'c', 'x2'].map((id) => ({ id }));

  it.each([
    [['x', 'y'], { from: 2, length: 2 }],
    [['x', 'c'], { from: 2, length: 1 }],
    [['c', 'x2'], { from: 4, length: 2 }],
    [['gone'], { from: 0, length: 0 }],
    [[], { from: 0, length: 0 }],
  ])('finds the first unbroken run of %j', (ids, run) => {
    expect(runOf(shown, ids)).toEqual(run);
  });
});
