import { describe, expect, it } from '@jest/globals';
import { withFormulas } from './formulas';
import { splitBlocks } from './split-blocks';

describe('withFormulas', () => {
  it.each([
    ['Energy is $E = mc^2$.', 'Energy is $$E = mc^2$$.'],
    ['\\(a+b\\) and \\[c\\]', '$$a+b$$ and \n$$\nc\n$$\n'],
    ['It costs $5 and $6.', 'It costs $5 and $6.'],
    ['From $1 to $2, or $ 3 $', 'From $1 to $2, or $ 3 $'],
    ['`$x$` stays, $y$ does not', '`$x$` stays, $$y$$ does not'],
    ['```sh\necho $HOME$PATH\n```\n$z$', '```sh\necho $HOME$PATH\n```\n$$z$$'],
    ['$$\nx\n$$', '$$\nx\n$$'],
  ])('writes %j as %j', (text, written) => {
    expect(withFormulas(text)).toBe(written);
  });
});

describe('splitBlocks', () => {
  const sources = (text: string, isOpen: boolean) => splitBlocks(text, isOpen).map(({ raw }) => raw.trim());

  it('keeps every earlier block the same while text is added', () => {
    const text = '# Title\n\nOne *two*\n\n```js\nlet a;\n\nlet b;\n```\n\n- x\n- y\n\nEnd **of';
    const before = sources(text.slice(0, 45), true);
    const after = sources(text, true);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(after.length).toBeGreaterThan(before.length);
  });

  it('closes for now what is open, and leaves a finished text alone', () => {
    expect(sources('an **open', true)).toEqual(['an **open**']);
    expect(sources('an **open', false)).toEqual(['an **open']);
  });

  it('finds formulas, also with empty lines', () => {
    expect(splitBlocks('$$\na\n\nb\n$$', false)).toMatchObject([{ type: 'formula', isBlock: true }]);
    expect(splitBlocks('Sum $$a_1$$ of', false)).toMatchObject([
      { type: 'paragraph', tokens: [{ type: 'text' }, { type: 'formula', text: 'a_1' }, { type: 'text' }] },
    ]);
  });
});
