import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from '../common/parse-json.js';
import type { FirstAnswers } from './first-answers.js';

const MISSING_CONSOLE =
  'The console is not built. Run "npm run build" and start again; the API works without it.\n';

/** Files of one page besides those index.html names itself, as scripts/console-pages.mjs writes them at build time. */
export interface PageFiles {
  /** Pattern of the router, e.g. `user/:id/calls`. */
  readonly path: string;
  readonly isSignedIn: boolean;
  readonly files: readonly string[];
  /** Language code → files. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

export interface ConsolePages {
  /** Files of the sidebar and the account menu. */
  readonly shell: readonly string[];
  readonly pages: readonly PageFiles[];
}

const NO_PAGES: ConsolePages = { shell: [], pages: [] };
const SIGN_IN_PATH = 'login';

/**
 * Sends the console's page: the base path before its own addresses, the answers every visit asks for first, and the files of the
 * requested page, so that the browser fetches them beside the entry and not after it.
 */
export async function sendConsolePage(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  readAnswers: (request: FastifyRequest) => Promise<FirstAnswers>,
): Promise<void> {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) {
    await reply
      .status(200)
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(MISSING_CONSOLE);
    return;
  }
  const [text, pages, answers] = await Promise.all([
    readFile(file, 'utf8'),
    readPages(folder),
    readAnswers(request),
  ]);
  const { basePath } = request;
  const path = request.url.split('?', 1)[0] ?? '/';
  const page = text
    .replace(/(\s(?:src|href)=")\.?\/(?!\/)/g, `$1${basePath}/`)
    .replace('<head>', () => `<head>${headLines(basePath, filesFor(pages, path, answers), answers)}`);
  // It names the account: no cache may keep it.
  await reply.status(200).type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(page);
}

async function readPages(folder: string): Promise<ConsolePages> {
  const text = await readFile(join(folder, '.vite/pages.json'), 'utf8').catch(() => '');
  return (parseJson(text) as ConsolePages | undefined) ?? NO_PAGES;
}

interface Ahead {
  readonly files: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/** Files of the page an address shows: a guest at a page behind the sign-in page sees the latter. */
export function filesFor({ pages, shell }: ConsolePages, path: string, { user }: FirstAnswers): Ahead {
  const asked = pageAt(pages, path);
  const isGuest = user == null;
  const shown =
    asked?.isSignedIn === true && isGuest ? pages.find((page) => page.path === SIGN_IN_PATH) : asked;
  if (shown === undefined) return { files: isGuest ? [] : shell, texts: {} };
  return { files: [...new Set([...(isGuest ? [] : shell), ...shown.files])], texts: shown.texts };
}

/** Fixed segments win over parameters, as in the router. */
function pageAt(pages: readonly PageFiles[], path: string): PageFiles | undefined {
  const asked = path.replace(/^\/+|\/+$/g, '');
  return pages
    .filter((page) => patternOf(page.path).test(asked))
    .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part, index) => {
    const slash = index === 0 ? '' : '/';
    if (!part.startsWith(':')) return `${slash}${part}`;
    return part.endsWith('?') ? `(?:${slash}[^/]+)?` : `${slash}[^/]+`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

function headLines(basePath: string, { files, texts }: Ahead, answers: FirstAnswers): string {
  const addresses = (names: readonly string[]): string[] => names.map((name) => `${basePath}/${name}`);
  const textsAhead = Object.fromEntries(
    Object.entries(texts).map(([language, names]) => [language, addresses(names)]),
  );
  return [
    '',
    `<meta name="base-path" content="${basePath}" />`,
    // A data block, not a script: the content security policy allows no inline script.
    `<script type="application/json" id="first-texts">${jsonBlock(textsAhead)}</script>`,
    `<script type="application/json" id="first-answers">${jsonBlock(answers)}</script>`,
    ...addresses(files).map((address) =>
      address.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="${address}">`
        : `<link rel="modulepreload" crossorigin href="${address}">`,
    ),
  ].join('\n    ');
}

/** JSON that cannot end its element or open a comment. */
export const jsonBlock = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
