import { describe, expect, it } from '@jest/globals';
import { numberedNames } from './many-names';

describe('numberedNames', () => {
  it.each([
    [['OpenAI', 'xAI'], [], ['OpenAI', 'xAI']],
    [['OpenAI', 'OpenAI', 'OpenAI'], [], ['OpenAI 1', 'OpenAI 2', 'OpenAI 3']],
    [['OpenAI'], ['OpenAI'], ['OpenAI 2']],
    [
      ['OpenAI', 'OpenAI'],
      ['OpenAI', 'OpenAI 1'],
      ['OpenAI 2', 'OpenAI 3'],
    ],
    [['OpenAI', 'OpenAI 1', 'OpenAI'], [], ['OpenAI 2', 'OpenAI 1', 'OpenAI 3']],
  ])('numbers %j beside %j as %j', (wanted, taken, names) => {
    expect(numberedNames(wanted, new Set(taken))).toEqual(names);
  });

  it('keeps names as short as the server takes', () => {
    const [first = ''] = numberedNames(['n'.repeat(191), 'n'.repeat(191)], new Set());
    expect(first).toBe(`${'n'.repeat(189)} 1`);
  });
});
