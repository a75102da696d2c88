/**
 * docs/specification.md: what the three descriptions of the product ask, what proves each sentence, and where the product differs.
 * Written from test/specification/*.tsv and the titles of the tests. Built-in modules only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTitles } from './read-titles.mjs';

const DECISION = 'decisions/2026-11-25-where-we-differ-from-the-specification.md';
const FOLDER = 'test/specification';
const CODE = /^(?:ACC|OPR|SHL)-\d{3}$/;

/** @returns {{path: string, text: string}[]} the lists of statements, in the order of their names */
export function readLists(root) {
  return readdirSync(join(root, FOLDER))
    .filter((name) => name.endsWith('.tsv'))
    .toSorted()
    .map((name) => ({ path: `${FOLDER}/${name}`, text: readFileSync(join(root, FOLDER, name), 'utf8') }));
}

/** @returns {string} the page of decisions that statements name */
export const readDecisions = (root) => readFileSync(join(root, 'docs', DECISION), 'utf8');

/**
 * A list: `# Title` and `## Section` lines, rows of `code <tab> statement <tab> differs <tab> proof…`. `differs` is the first cell of a
 * row of the page of decisions, or empty. A proof is a title of a test; `under › title` where several tests have it; ` « case` behind it
 * names a string of the test's file, or of one beside it that it imports.
 */
export function parseList({ path, text }) {
  let [title, section] = ['', ''];
  const statements = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (line.startsWith('## ')) section = line.slice(3);
    else if (line.startsWith('# ')) title = line.slice(2);
    else {
      const [code, statement = '', differs = '', ...proofs] = line.split('\t');
      statements.push({ code, statement, differs, proofs: proofs.filter((proof) => proof !== '') });
      statements.at(-1).section = section;
    }
  }
  return { path, title, statements };
}

/** Finds the tests a proof names. */
export class Proofs {
  #files;
  #byTitle;

  constructor(tests) {
    this.#files = new Map(tests.map(({ path, text }) => [path, text]));
    this.#byTitle = Map.groupBy(readTitles(tests), ({ title }) => title);
  }

  /** @returns {{path: string, title: string, named: string} | {fault: string}} */
  find(proof) {
    const [name, named = ''] = proof.split(' « ');
    const [title, under] = name.split(' › ').toReversed();
    const all = this.#byTitle.get(title) ?? [];
    const found = under === undefined ? all : all.filter((one) => one.under === under);
    if (found.length === 0) return { fault: `there is no test "${name}"` };
    if (found.length > 1)
      return { fault: `several tests are "${name}": ${found.map(({ path }) => path).join(', ')}` };
    const [{ path }] = found;
    if (named !== '' && !this.#textsOf(path).some((text) => text.includes(named)))
      return { fault: `"${name}" has no case "${named}"` };
    return { path, title, named };
  }

  /** Texts of a test and of its imports from its own folder. */
  #textsOf(path, seen = new Set([path])) {
    const text = this.#files.get(path);
    if (text === undefined) return [];
    const beside = [...text.matchAll(/from '(\.\/[^']+)'/g)]
      .map(([, name]) => posix.join(posix.dirname(path), name))
      .filter((name) => !seen.has(name) && seen.add(name));
    return [text, ...beside.flatMap((name) => this.#textsOf(name, seen))];
  }
}

/**
 * @param {readonly {path: string, text: string}[]} lists
 * @param {readonly {path: string, text: string}[]} tests
 * @param {string} decisions text of the page of decisions
 * @returns {string[]} a line per fault
 */
export function specificationFaults(lists, tests, decisions) {
  const proofs = new Proofs(tests);
  const rows = new Set([...decisions.matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell));
  const seen = new Set();
  return lists.map(parseList).flatMap(({ path, statements }) =>
    statements.flatMap(({ code, statement, differs, proofs: named }) => {
      const faults = [];
      if (!CODE.test(code)) faults.push(`is no code`);
      if (seen.has(code)) faults.push('is there twice');
      seen.add(code);
      if (statement === '') faults.push('says nothing');
      if (differs !== '' && !rows.has(differs)) faults.push(`no decision says "${differs}"`);
      if (named.length === 0) faults.push('has no test');
      for (const proof of named) {
        const { fault } = proofs.find(proof);
        if (fault !== undefined) faults.push(fault);
      }
      return faults.map((fault) => `${path}: ${code}: ${fault}`);
    }),
  );
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const fileName = (path) => path.replace(/^.*\//, '');

function proofCell(proofs, named) {
  const byPath = Map.groupBy(
    named.map((proof) => proofs.find(proof)),
    ({ path }) => path,
  );
  return [...byPath]
    .map(([path, found]) => {
      const titles = found.map(
        ({ title, named: part }) => `${cell(title)}${part === '' ? '' : ` (${cell(part)})`}`,
      );
      return `[${fileName(path)}](../${path}): ${titles.join('; ')}`;
    })
    .join('<br>');
}

/** @returns {string} docs/specification.md. Fails: throws on any fault of `specificationFaults`. */
export function renderSpecification(lists, tests, decisions) {
  const faults = specificationFaults(lists, tests, decisions);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const proofs = new Proofs(tests);
  const parsed = lists.map(parseList);
  const all = parsed.flatMap(({ statements }) => statements);
  const apart = all.filter(({ differs }) => differs !== '');
  const sections = parsed.flatMap(({ title, statements }) => [
    `## ${title}`,
    ...[...Map.groupBy(statements, ({ section }) => section)].flatMap(([section, rows]) => [
      '',
      `### ${section}`,
      '',
      '| Code | Statement | State | Test |',
      '|---|---|---|---|',
      ...rows.map(({ code, statement, differs, proofs: named }) => {
        const state = differs === '' ? 'works' : `[works differently](${DECISION})`;
        return `| ${code} | ${cell(statement)} | ${state} | ${proofCell(proofs, named)} |`;
      }),
    ]),
    '',
  ]);
  return [
    '# Specification',
    '',
    'The console API and its screens implement three descriptions: accounts, operator and shell. Each requirement is listed with the test that',
    'proves it. Where the product differs on purpose, the state links the decision, and the test proves the actual behaviour.',
    '',
    `${all.length} statements: ${all.length - apart.length} work as described, ${apart.length} differently.`,
    '',
    ...sections,
    'Generated from `test/specification` and the titles of the tests by `npm run docs`; `test/drift/specification.e2e-spec.ts` fails for a',
    'statement without a test and for a test that is gone.',
    '',
  ].join('\n');
}
