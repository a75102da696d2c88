import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  readDecisions,
  readLists,
  renderSpecification,
  specificationFaults,
} from '../../scripts/render-specification.mjs';
import { readTests } from '../../scripts/read-tests.mjs';
import { readTitles } from '../../scripts/read-titles.mjs';

const ROOT = join(import.meta.dirname, '../..');
const tests = readTests(ROOT);
const lists = readLists(ROOT);
const decisions = readDecisions(ROOT);

describe('docs/specification.md', () => {
  it('has a test for every statement, and each of the tests is there', () => {
    expect(lists.length).toBeGreaterThan(0);
    expect(specificationFaults(lists, tests, decisions)).toEqual([]);
  });

  it('equals the lists and the titles of the tests (npm run docs)', async () => {
    expect(await readFile(join(ROOT, 'docs/specification.md'), 'utf8')).toBe(
      renderSpecification(lists, tests, decisions),
    );
  });
});

describe('the check of the specification', () => {
  const planted = [
    {
      path: 'planted.spec.ts',
      text: [
        "describe('tokens', () => {",
        "  it('refuses a name', () => {});",
        "  it.each([['one', 1]])('takes %s', (name) => {});",
        '});',
        "describe('users', () => {",
        "  it('refuses a name', async () => {});",
        '});',
      ].join('\n'),
    },
  ];
  const page = '| A key is shown | It is not | It is a secret |';
  const faultsOf = (...cells: string[]): string[] =>
    specificationFaults([{ path: 'list.tsv', text: cells.join('\t') }], planted, page).map((line) =>
      line.replace('list.tsv: ', ''),
    );

  it('reads titles with what they stand under, tables among them', () => {
    expect(readTitles(planted).map(({ under, title }) => `${under}: ${title}`)).toEqual([
      'tokens: refuses a name',
      'tokens: takes %s',
      'users: refuses a name',
    ]);
  });

  it('finds nothing where a test, its case and the decision are there', () => {
    expect(faultsOf('ACC-101', 'A name is needed.', '', 'tokens › refuses a name')).toEqual([]);
    expect(faultsOf('ACC-101', 'One is taken.', 'A key is shown', "takes %s « 'one'")).toEqual([]);
  });

  it.each([
    ['without a test', ['A name is needed.', ''], 'has no test'],
    [
      'with a test that is gone',
      ['A name is needed.', '', 'refuses names'],
      'there is no test "refuses names"',
    ],
    [
      'with a title of several tests',
      ['A name is needed.', '', 'refuses a name'],
      'several tests are "refuses a name": planted.spec.ts, planted.spec.ts',
    ],
    ['with a case that is gone', ['Two is taken.', '', "takes %s « 'two'"], `"takes %s" has no case "'two'"`],
    [
      'with a decision that is gone',
      ['A secret is shown.', 'A secret is shown', 'takes %s'],
      'no decision says "A secret is shown"',
    ],
    ['without words', ['', '', 'takes %s'], 'says nothing'],
  ])('names a statement %s', (_, cells, fault) => {
    expect(faultsOf('ACC-101', ...cells)).toEqual([`ACC-101: ${fault}`]);
  });

  it('names a code that is there twice, and one that is none', () => {
    const text = ['ACC-101', 'ACC-101', 'XYZ-1'].map((code) => [code, 'It is.', '', 'takes %s'].join('\t'));
    expect(specificationFaults([{ path: 'list.tsv', text: text.join('\n') }], planted, page)).toEqual([
      'list.tsv: ACC-101: is there twice',
      'list.tsv: XYZ-1: is no code',
    ]);
  });

  it('sees that the page is stale', () => {
    const list = (words: string) => [{ path: 'list.tsv', text: `ACC-101\t${words}\t\ttakes %s` }];
    const [before, after] = ['One.', 'Two.'].map((words) => renderSpecification(list(words), planted, page));
    expect(before).not.toBe(after);
    expect(before).toContain('| ACC-101 | One. | works | [planted.spec.ts](../planted.spec.ts): takes %s |');
  });
});
