import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPEN_CELLS, type Language } from './open-cells.js';
import { TRIED_CLIENTS, UPSTREAMS, type TriedClient } from './tried-clients.js';

/** List of pinned versions of each language, and the form of a version beside its package. */
const LISTS: Readonly<
  Record<Language, readonly [files: readonly string[], beside: (name: string) => RegExp]>
> = {
  Python: [['python/requirements.txt'], (name) => new RegExp(`^${name}==(\\S+)`, 'm')],
  Node: [['node/package.json'], (name) => new RegExp(`"${name}": "(?:npm:)?([^"]+)"`)],
  Go: [['go/go.mod'], (name) => new RegExp(`^\\s${name} v(\\S+)`, 'm')],
  Java: [
    ['java/pom.xml', 'java/google/pom.xml'],
    (name) => new RegExp(`<artifactId>${name}</artifactId>\\s*<version>([^<]+)`),
  ],
  Rust: [['rust/Cargo.toml'], (name) => new RegExp(`^${name} = (?:\\{ version = )?"=([^"]+)"`, 'm')],
};
const TITLES: Readonly<Record<string, string>> = {
  chat: 'OpenAI chat',
  thinker: 'look-alike that thinks',
  responses: 'Responses',
  messages: 'Anthropic',
  gemini: 'Gemini',
};
const BEGIN = '<!-- what is tried, from test/e2e/clients/matrix.ts -->';
const END = '<!-- end of what is tried -->';

/** Fails: throws when a client is tried whose version is not pinned. */
export function versionOf(language: Language, name: string): string {
  const [files, beside] = LISTS[language];
  const lists = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  const version = beside(name).exec(lists)?.[1];
  if (version === undefined) throw new Error(`${files.join(' and ')} pin no version of ${name}`);
  return version;
}

/** Tables of all clients, and what is not right yet. */
export function renderMatrix(): string {
  const notes: string[] = [];
  const marksOf = (language: Language, client: string, upstream: string): string =>
    OPEN_CELLS.filter(
      (open) => open.language === language && open.client === client && open.upstreams.includes(upstream),
    )
      .map(({ reason, fault }) => {
        const note = `${reason} (${fault === 'client' ? "the client's own doing" : 'to be mended here'})`;
        if (!notes.includes(note)) notes.push(note);
        return `[${notes.indexOf(note) + 1}]`;
      })
      .join(' ');
  const row = (language: Language, { name, package: from, scenarios, hasVectors }: TriedClient): string => {
    const cells = UPSTREAMS.map((upstream) => `✓ ${marksOf(language, name, upstream)}`.trim());
    const count = `${scenarios}${hasVectors === true ? ' and vectors' : ''}`;
    return `| \`${name}\` | ${versionOf(language, from)} | ${count} | ${cells.join(' | ')} |`;
  };
  const tables = (Object.keys(TRIED_CLIENTS) as Language[]).flatMap((language) => [
    `### ${language}`,
    '',
    `| Client | Version | Scenarios | ${UPSTREAMS.map((upstream) => TITLES[upstream]).join(' | ')} |`,
    `|---|---|---|${UPSTREAMS.map(() => '---|').join('')}`,
    ...TRIED_CLIENTS[language].map((client) => row(language, client)),
    '',
  ]);
  return [
    ...tables,
    'A number says why a scenario is not right there:',
    '',
    ...notes.map((note, at) => `${at + 1}. ${note}`),
    '',
  ].join('\n');
}

/** The document with its tables made anew. Fails: throws when it has no place for them. */
export function withMatrix(document: string): string {
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  if (from === -1 || to === -1) throw new Error('docs/clients.md has no place for what is tried');
  return `${document.slice(0, from)}${BEGIN}\n\n${renderMatrix()}\n${document.slice(to)}`;
}
