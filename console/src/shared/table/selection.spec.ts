import { describe, expect, it } from '@jest/globals';
import { isInteractive, selectAll, selectionState, selectOne } from './selection';

describe('selected rows', () => {
  it.each([
    [undefined, [1, 2], 'none'],
    [[], [1, 2], 'none'],
    [[3], [1, 2], 'none'],
    [[1, 3], [1, 2], 'some'],
    [[1, 2, 3], [1, 2], 'all'],
    [[1], [], 'none'],
  ] as const)('counts %j among the rows %j as %s', (selected, ids, state) => {
    expect(selectionState(selected && new Set<number>(selected), ids)).toBe(state);
  });

  it('changes without changing the set that was there, those of other pages stay', () => {
    const before: ReadonlySet<number> = new Set([9]);
    expect([...selectAll(before, [1, 2], true)]).toEqual([9, 1, 2]);
    expect([...selectAll(new Set([9, 1, 2]), [1, 2], false)]).toEqual([9]);
    expect([...selectOne(before, 9, true)]).toEqual([9]);
    expect([...selectOne(before, 1, false)]).toEqual([9]);
    expect([...before]).toEqual([9]);
  });
});

describe('isInteractive', () => {
  it('leaves alone clicks on what acts by itself, and on what lies elsewhere', () => {
    document.body.innerHTML =
      '<a href="/outside"><div id="row"><button><i id="icon"></i></button><p id="text">x</p></div></a><p id="menu"></p>';
    const row = document.querySelector('#row');
    if (row === null) throw new Error('no row');
    const acts = (id: string) => isInteractive(document.querySelector(id) ?? row, row);
    expect(['#icon', '#menu', '#text', '#row'].map(acts)).toEqual([true, true, false, false]);
    expect(isInteractive(new EventTarget(), row)).toBe(true);
  });
});
