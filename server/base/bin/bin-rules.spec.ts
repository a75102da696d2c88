import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { assertKept, assertMayUndo, isKept, KEPT_MS, UNDO_MS } from './bin-rules.js';

const NOW = 1_700_000_000_000;
const deleted = (agoMs: number, changes: object = {}) => ({
  deletedAtMs: NOW - agoMs,
  deletedBy: 7,
  wipedAtMs: null,
  ...changes,
});
const codeFor = (run: () => void) => codeOf(Promise.resolve().then(run));

describe('isKept', () => {
  it.each([
    [true, 'just deleted', deleted(0)],
    [true, 'a millisecond before 30 days', deleted(KEPT_MS - 1)],
    [false, 'after 30 days', deleted(KEPT_MS)],
    [false, 'wiped', deleted(0, { wipedAtMs: NOW })],
    [false, 'not deleted', deleted(0, { deletedAtMs: null })],
  ])('answers %s for a row that is %s', async (kept, _, row) => {
    expect(isKept(row, NOW)).toBe(kept);
    expect(await codeFor(() => assertKept(row, NOW))).toBe(kept ? 'done' : 'restore_not_kept');
  });
});

describe('assertMayUndo', () => {
  it.each([
    ['done', 'deleted it a moment ago', deleted(UNDO_MS - 1), 7],
    ['undo_over', 'deleted it five minutes ago', deleted(UNDO_MS), 7],
    ['undo_over', 'did not delete it', deleted(0), 8],
    ['undo_over', 'deleted it with a version that kept nothing', deleted(0, { deletedBy: null }), 7],
    ['undo_over', 'finds it not deleted', deleted(0, { deletedAtMs: null }), 7],
  ])('answers %s to an account that %s', async (code, _, row, id) => {
    expect(await codeFor(() => assertMayUndo(row, { id }, NOW))).toBe(code);
  });
});
