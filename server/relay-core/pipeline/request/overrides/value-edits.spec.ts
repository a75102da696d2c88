import { describe, expect, it } from '@jest/globals';
import { OPERATION, type OverrideOperation } from './override-rules.js';
import { editText, extend, prune } from './value-edits.js';

const anOperation = (members: object): OverrideOperation => OPERATION.parse({ path: 'a', ...members });

describe('editText', () => {
  it.each([
    [{ mode: 'trim_prefix', value: 'ab' }, 'abab', 'ab'],
    [{ mode: 'trim_prefix', value: '' }, 'abab', 'abab'],
    [{ mode: 'trim_prefix', value: 7 }, '7ab', '7ab'],
    [{ mode: 'trim_suffix', value: 'ab' }, 'abab', 'ab'],
    [{ mode: 'trim_suffix', value: '' }, 'abab', 'abab'],
    [{ mode: 'ensure_prefix', value: 'ab' }, 'abc', 'abc'],
    [{ mode: 'ensure_prefix', value: 'ab' }, '', 'ab'],
    [{ mode: 'ensure_suffix', value: '!' }, 'a', 'a!'],
    [{ mode: 'trim_space' }, ' \u3000a b\n', 'a b'],
    [{ mode: 'to_lower' }, 'ÄB', 'äb'],
    [{ mode: 'to_upper' }, 'äb', 'ÄB'],
    [{ mode: 'replace', from: 'a', to: '$&' }, 'aba', '$&b$&'],
    [{ mode: 'regex_replace', from: '(a)(b)', to: '$2$1' }, 'abab', 'baba'],
    [{ mode: 'regex_replace', from: '.', to: 'x' }, '🔑a', 'xx'],
    [{ mode: 'set', value: 'x' }, 'a', 'a'],
  ])('edits by %j: %j becomes %j', (members, text, expected) => {
    expect(editText(text, anOperation(members))).toBe(expected);
  });

  it('leaves texts alone that are too long for a pattern', () => {
    const operation = anOperation({ mode: 'regex_replace', from: 'a', to: 'b' });
    expect(editText('a'.repeat(4_096), operation)).toBe('b'.repeat(4_096));
    expect(editText('a'.repeat(4_097), operation)).toBe('a'.repeat(4_097));
  });
});

describe('extend', () => {
  it.each([
    [undefined, { a: 1 }, true, false, { a: 1 }],
    ['a', 'b', true, false, 'ab'],
    ['a', 'b', false, false, 'ba'],
    [[1], [2, 3], true, false, [1, 2, 3]],
    [[1], 2, false, false, [2, 1]],
    [{ a: 1, b: 1 }, { b: 2, c: 2 }, true, false, { a: 1, b: 2, c: 2 }],
    [{ a: 1, b: 1 }, { b: 2, c: 2 }, true, true, { a: 1, b: 1, c: 2 }],
    [{ a: 1, b: 1 }, { b: 2, c: 2 }, false, false, { a: 1, b: 1, c: 2 }],
    [null, 'a', true, false, undefined],
    ['a', ['b'], true, false, undefined],
    [{ a: 1 }, [1], true, false, undefined],
    [1, 2, true, false, undefined],
  ])('joins %j and %j (at the end: %p, own wins: %p)', (value, added, atEnd, keepOrigin, expected) => {
    expect(extend(value, added, { atEnd, keepOrigin })).toEqual(expected);
  });

  it('gives a copy, so that no call changes the channel’s override', () => {
    const added = { list: [1] };
    for (const value of [undefined, {}, []]) {
      const joined = JSON.stringify(extend(value, added, { atEnd: true, keepOrigin: false }));
      expect(joined).toContain('"list":[1]');
    }
    expect(extend(undefined, added, { atEnd: true, keepOrigin: false })).not.toBe(added);
    expect((extend([], [added], { atEnd: true, keepOrigin: false }) as unknown[])[0]).not.toBe(added);
  });
});

describe('prune', () => {
  const pruned = (value: unknown, filter: unknown): unknown => {
    prune(value, filter);
    return value;
  };
  const parts = () => ({ m: [{ type: 'a', n: 1 }, { type: 'b', n: [{ type: 'a' }] }, 'a', null] });

  it.each([
    ['a', { m: [{ type: 'b', n: [] }, 'a', null] }],
    [{ type: 'a', n: 1 }, { m: [{ type: 'b', n: [{ type: 'a' }] }, 'a', null] }],
    [{ where: { type: 'b' } }, { m: [{ type: 'a', n: 1 }, 'a', null] }],
    [{ where: {} }, parts()],
    [{ type: { is: 'a' } }, parts()],
    [null, parts()],
    [['a'], parts()],
  ])('takes out by %j and leaves %j', (filter, expected) => {
    expect(pruned(parts(), filter)).toEqual(expected);
  });

  it('reads no deeper than 32 levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? [{ type: 'a' }] : { in: nested(levels - 1) });
    expect(JSON.stringify(pruned(nested(32), 'a'))).not.toContain('type');
    expect(JSON.stringify(pruned(nested(33), 'a'))).toContain('type');
  });
});
