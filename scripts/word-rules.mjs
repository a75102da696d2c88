/**
 * Rules for the English of comments, test titles and declared names. `npm run words` prints every fault, `npm run words -- FILES` those
 * of files or folders.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseSource } from './parse-source.mjs';
import { titlesOf } from './test-titles.mjs';

const root = join(import.meta.dirname, '..');

/** Start of a comment line. */
const START = String.raw`^\s*\{?(?:\/\*\*?|\*|\/\/)\s+`;
/** A comment line, or a comment behind code; not a string, not an address. */
const IN = String.raw`(?:^\s*\{?(?:\/\*\*?|\*|\/\/)\s|\s\/\/\s).*`;

/** @type {readonly { name: string, pattern: RegExp, advice: string }[]} */
export const COMMENT_RULES = [
  {
    name: 'comment-begins-plainly',
    pattern: new RegExp(`${START}(?:Who|Whom|Whose|Whoever|Whatever|What|Where|Whether|How)\\b(?!.*\\?)`),
    advice: 'begin with a noun phrase or a verb in the third person',
  },
  {
    name: 'comment-names-its-subject',
    pattern: new RegExp(
      `${START}(?:Of|As|By|Beside|But for|For whom)\\s(?!default|design|(?:long|soon|far) as|of \\d|[^.]*\\.\\s+[A-Z])`,
    ),
    advice: 'name the thing first',
  },
  {
    name: 'comment-names-the-actor',
    pattern: new RegExp(
      `${IN}\\b(?:somebody|nobody|anybody|everybody|whoever|strangers?|he|his|him|she|her)\\b`,
      'i',
    ),
    advice: 'name the actor: client, caller, operator, account owner',
  },
  {
    name: 'code-does-not-speak',
    pattern: new RegExp(
      `${IN}(?:\\b(?:tells?|told|hears?|heard|speaks?|spoken|owes?|owed)\\b|\\b(?:is|are|was|were|be|been) (?:asked|said)\\b)`,
      'i',
    ),
    advice: 'code returns, notifies, rejects, records',
  },
  {
    name: 'standard-term',
    pattern: new RegExp(
      `${IN}\\b(?:pictures?|look-?alikes?|fallen|carved? out|mended|foreign parts?|under way|taken off|lately|letters? (?:to|that|of|with|is|are|goes|went))\\b`,
      'i',
    ),
    advice: 'use the standard term: image, OpenAI-compatible, auto-disabled, repaired, in progress, e-mail',
  },
];

const TITLE_WORDS = /\b(?:somebody|nobody|anybody|everybody|whoever|strangers?|he|his|him)\b/;
const TITLE_START = /^(?:tells?|hears?|speaks?|goes|owes?|knows)\b/;
const TITLE_ADVICE = 'a title has a standard verb first and names the actor: returns, rejects, finds';

/** Names that no declaration of the server and the console may have. */
const PRIVATE_NAME =
  /^(?:tell|told|hear|say|said|saying|owed|stranger|nobody|somebody|whoever)[A-Z]\w*$|^\w+(?:Stranger|Nobody|Told|Owed|Heard)$/;

/** Texts without these need not be parsed. */
const PRIVATE_HINT =
  /\b(?:tell|told|hear|say|said|saying|owed|stranger|nobody|somebody|whoever)[A-Z]|(?:Stranger|Nobody|Told|Owed|Heard)\b/;
const DECLARATIONS = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertySignature,
]);

const isSource = (path) => /\.(?:tsx?|mjs|cjs)$/.test(path);
/** This file and its test quote what they forbid. */
const isExempt = (path) =>
  /^(?:scripts\/word-rules\.mjs|test\/drift\/word-rules\.e2e-spec\.ts)$|schema\.d\.ts$/.test(path);

/**
 * @param {string} path from the repository's root
 * @param {string} text
 * @returns {{ line: number, rule: string, advice: string }[]} in order of lines
 */
export function wordFaults(path, text) {
  if (!isSource(path) || isExempt(path)) return [];
  const comments = text.split('\n').flatMap((line, index) =>
    COMMENT_RULES.filter(({ pattern }) => pattern.test(line)).map(({ name, advice }) => ({
      line: index + 1,
      rule: name,
      advice,
    })),
  );
  const titles = titlesOf(path, text)
    .filter(({ title }) => TITLE_START.test(title) || TITLE_WORDS.test(title))
    .map(({ line }) => ({ line, rule: 'title-in-plain-words', advice: TITLE_ADVICE }));
  return [...comments, ...titles].toSorted((one, other) => one.line - other.line);
}

/**
 * @param {string} path from the repository's root
 * @param {string} text
 * @returns {{ line: number, name: string }[]} declarations of the server and the console whose name is not a term of the field
 */
export function privateNames(path, text) {
  if (!/^(?:server|console\/src)\//.test(path) || !/\.tsx?$/.test(path) || isExempt(path)) return [];
  if (!PRIVATE_HINT.test(text)) return [];
  const source = parseSource(path, text);
  const names = [];
  const visit = (node) => {
    const name = DECLARATIONS.has(node.kind) ? node.name : undefined;
    if (name !== undefined && ts.isIdentifier(name) && PRIVATE_NAME.test(name.text))
      names.push({
        line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1,
        name: name.text,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} one line per fault: place, rule, advice
 */
export const wordReport = (path, text) =>
  wordFaults(path, text).map(({ line, rule, advice }) => `${path}:${line}: ${rule}: ${advice}`);

export const SOURCE_FILES = '{server,test,console/src,bench,scripts}/**/*.{ts,tsx,mjs,cjs}';

function main(words) {
  const wanted = words.filter((word) => word !== '--');
  const isWanted = (path) =>
    wanted.length === 0 || wanted.some((word) => path === word || path.startsWith(`${word}/`));
  const files = globSync(SOURCE_FILES, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  for (const path of files.filter(isWanted))
    for (const line of wordReport(path, readFileSync(join(root, path), 'utf8')))
      process.stdout.write(`${line}\n`);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
