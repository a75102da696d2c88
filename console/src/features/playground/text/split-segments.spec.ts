import { describe, expect, it } from '@jest/globals';
import { splitBlocks } from './split-blocks';
import { splitSegments } from './split-segments';

const sources = (text: string) => splitSegments(text, false).sources;

const DOCUMENT = [
  '# Title',
  'One *two*\nlazy line',
  '- x\n\n  inside\n- y\n\n1. one\n2. two',
  'Text before code\n',
  '```js\nlet a;\n\nlet b;\n```\n',
  'Text behind code',
  '- item\n  ```sh\n  cd\n\n  ls\n  ```\n- ```py\n  x\n\n  y\n  ```',
  '> quote\n> ```\n> code',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '$$\na\n\n= b\n$$',
  '\\[\nc\n\n= d\n\\]',
  '    indented\n\n    code',
  '~~~\n```\n\ntext\n~~~',
  'See [here] and [there][x].',
  '[here]: https://one.example\n[x]: https://two.example',
  'End **of',
].join('\n\n');

describe('splitSegments', () => {
  it.each([
    ['a paragraph and its neighbour', 'one\nstill\n\ntwo', ['one\nstill\n\n', 'two']],
    ['a list with empty lines', '- a\n\n- b\n\nafter', ['- a\n\n- b\n\n', 'after']],
    ['code with empty lines', '```js\na\n\nb\n```\nc', ['```js\na\n\nb\n```\n', 'c']],
    ['code right behind text', 'a:\n```\nb\n```', ['a:\n', '```\nb\n```']],
    ['code inside a list', '- a\n  ```\n  b\n\n  c\n  ```\nd', ['- a\n  ```\n  b\n\n  c\n  ```\nd']],
    [
      'code behind the mark of an item',
      '- ```\n  b\n\n  c\n  ```\n\nd',
      ['- ```\n  b\n\n  c\n  ```\n\n', 'd'],
    ],
    ['a formula with empty lines', '$$\na\n\nb\n$$\n\nc', ['$$\na\n\nb\n$$\n\n', 'c']],
    ['a fence in another fence', '~~~\n```\n\na\n~~~\n\nb', ['~~~\n```\n\na\n~~~\n\n', 'b']],
    ['indented code', 'a\n\n    b\n\n    c\n\nd', ['a\n\n    b\n\n    c\n\n', 'd']],
  ])('keeps %s whole', (_name, text, expected) => {
    expect(sources(text)).toEqual(expected);
  });

  it('leaves no character out', () => {
    expect(sources(DOCUMENT).join('')).toBe(DOCUMENT);
  });

  it('gives the blocks of the whole text', () => {
    const { sources: parts, definitions } = splitSegments(DOCUMENT, false);
    const apart = parts.flatMap((part) => splitBlocks(part, false, definitions));
    const whole = splitBlocks(DOCUMENT, false);
    const told = (blocks: typeof whole) => blocks.map(({ type, raw }) => [type, raw.trim()]);
    expect(told(apart)).toEqual(told(whole));
    expect(apart.length).toBeGreaterThan(15);
  });

  it('never changes a part before the last while text is added', () => {
    let before: readonly string[] = [];
    for (let length = 1; length <= DOCUMENT.length; length += 1) {
      const { sources: parts } = splitSegments(DOCUMENT.slice(0, length), true);
      // A line that begins another block ends the last part before it.
      const kept = before.slice(0, -1);
      expect(parts.slice(0, kept.length)).toEqual(kept);
      before = parts;
    }
  });

  it('collects link definitions once their lines are whole', () => {
    expect(splitSegments('[a]: https://x.example', true).definitions).toBe('');
    expect(splitSegments('[a]: https://x.example', false).definitions).toBe('[a]: https://x.example');
    expect(splitSegments('```\n[a]: https://x.example\n```\n', false).definitions).toBe('');
  });

  it('splits again behind a formula that is never closed', () => {
    const text = `$$\n${'line\n'.repeat(80)}\none\n\ntwo`;
    expect(sources(text).slice(-2)).toEqual([expect.stringContaining('one'), 'two']);
  });
});
