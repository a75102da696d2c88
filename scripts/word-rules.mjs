/**
 * Rules for the English of comments, test titles and declared names. They bind in every folder of `FINISHED_FOLDERS` and in every file
 * without a row in `scripts/word-faults.tsv`, so in every new one. A listed file may have the faults its row counts, and no more.
 * `npm run words` prints the number of faults per folder; `npm run words -- FILES` prints each fault; `npm run words -- --lower` lowers
 * the rows to the faults that are left.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { titlesOf } from './test-titles.mjs';

const root = join(import.meta.dirname, '..');
const ALLOWANCE_FILE = join(root, 'scripts/word-faults.tsv');

/** Folders without faults. A folder that is added stays. */
export const FINISHED_FOLDERS = [
  'console/src/app/guards',
  'console/src/features/home',
  'console/src/shared/audit-actions',
  'console/src/shared/chat',
  'console/src/shared/human-check',
  'console/src/shared/resource',
  'console/src/shared/snippets',
  'server/base/access',
  'server/base/audit/dto',
  'server/base/auth/dto',
  'server/base/auth/password-reset/dto',
  'server/base/auth/two-factor/dto',
  'server/cli',
  'server/common',
  'server/config',
  'server/console/dashboard/dto',
  'server/console/identities/github',
  'server/console/operations/dto',
  'server/console/operations/jobs',
  'server/console/operations/metrics',
  'server/console/operations/money-check',
  'server/console/passkeys/dto',
  'server/console/pricing/dto',
  'server/console/redemptions/dto',
  'server/console/users/dto',
  'server/console/wallet/dto',
  'server/console/wallet/ledger',
  'server/gateway/http',
  'server/gateway/relay/stored-ids',
  'server/gateway/tasks/dto',
  'server/gateway/tokens/dto',
  'server/http',
  'server/infra/clock',
  'server/infra/crypto',
  'server/infra/ids',
  'server/infra/observability/tracing',
  'server/process',
  'server/relay-core/formats/gemini-embed',
  'server/relay-core/formats/imagen-predict',
  'server/relay-core/formats/openai-embeddings',
  'server/relay-core/formats/openai-moderation',
  'server/relay-core/formats/suno-submit',
  'server/relay-core/providers/aiproxy-library',
  'server/relay-core/providers/jina',
  'server/relay-core/providers/midjourney',
  'server/relay-core/providers/spark',
  'server/relay-core/providers/suno',
  'test/docker',
  'test/e2e/base/logs',
  'test/e2e/clients/compiled',
  'test/fuzz',
  'test/support/random-answers',
];

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
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false);
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

/** Maximum of faults by file; a file without a row may have none. @type {ReadonlyMap<string, number>} */
export const ALLOWANCE = new Map(
  readFileSync(ALLOWANCE_FILE, 'utf8')
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => row.split('\t'))
    .map(([path, count]) => [path, Number(count)]),
);

/**
 * @param {string} path
 * @param {string} text
 * @param {ReadonlyMap<string, number>} allowance
 * @returns {string[]} one line per fault, when the file has more than its row allows
 */
export function wordReport(path, text, allowance) {
  const isFinished = FINISHED_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  const allowed = isFinished ? 0 : (allowance.get(path) ?? 0);
  const faults = wordFaults(path, text);
  if (faults.length <= allowed) return [];
  const lines = faults.map(({ line, rule, advice }) => `${path}:${line}: ${rule}: ${advice}`);
  return allowed === 0 ? lines : [`${path}: ${faults.length} faults, ${allowed} allowed`, ...lines];
}

/**
 * Rows of the allowance that no longer hold: the file is gone, clean, or in a finished folder.
 * @param {ReadonlyMap<string, number>} allowance
 * @param {(path: string) => string | undefined} read text of a file, undefined when there is none
 */
export function staleRows(allowance, read) {
  const isFinished = (path) => FINISHED_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  return [...allowance.keys()].filter((path) => {
    const text = read(path);
    return text === undefined || isFinished(path) || wordFaults(path, text).length === 0;
  });
}

export const SOURCE_FILES = '{server,test,console/src,bench,scripts}/**/*.{ts,tsx,mjs,cjs}';

function main(words) {
  const files = globSync(SOURCE_FILES, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const faultsOf = new Map(
    files.map((path) => [path, wordFaults(path, readFileSync(join(root, path), 'utf8'))]),
  );
  if (words[0] === '--lower') {
    const rows = [...ALLOWANCE]
      .map(([path, count]) => [path, Math.min(count, faultsOf.get(path)?.length ?? 0)])
      .filter(([, count]) => count > 0);
    writeFileSync(ALLOWANCE_FILE, rows.map((row) => `${row.join('\t')}\n`).join(''));
    return;
  }
  const asked = words.filter((word) => word !== '--');
  for (const path of files.filter((file) =>
    asked.some((word) => file === word || file.startsWith(`${word}/`)),
  ))
    for (const { line, rule } of faultsOf.get(path) ?? []) process.stdout.write(`${path}:${line}: ${rule}\n`);
  if (asked.length > 0) return;
  const sums = new Map();
  for (const [path, faults] of faultsOf) {
    const folder = path.split('/').slice(0, -1).slice(0, 3).join('/');
    sums.set(folder, (sums.get(folder) ?? 0) + faults.length);
  }
  for (const [folder, count] of [...sums].toSorted()) process.stdout.write(`${count}\t${folder}\n`);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
