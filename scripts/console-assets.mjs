/**
 * Checks and compresses the built console after Vite: the size of each page's load against a budget, and the brotli and gzip form
 * of every text file, which the server sends to browsers that accept them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import { entryOf, filesOf, partsOfPages, readManifest } from './console-pages.mjs';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const COMPRESSED = /\.(?:js|css|svg|json|txt)$/;
/** Smaller ones are one packet either way. */
const LEAST_BYTES = 1_024;

/**
 * Most bytes (brotli) and most requests for scripts and styles. The sign-in page is what newcomers wait for; guests see
 * a few more; pages behind it share nearly everything.
 */
export const BUDGET = {
  signIn: { bytes: 200_000, requests: 10 },
  guest: { bytes: 225_000, requests: 17 },
  page: { bytes: 250_000, requests: 25 },
  /** With Markdown and colours of code; a formula fetches KaTeX besides. */
  playground: { bytes: 350_000, requests: 36 },
};

const SIGN_IN_PAGE = 'src/features/sign-in/login-page.tsx';
/** English is the longer of the two. */
const START_TEXTS = 'src/i18n/en/start.ts';
/** Pages guests see. */
const START_PAGE = /\/(?:login|register|reset|setup|home|about|legal|oauth-callback)-page\.tsx$/;
const PLAYGROUND = 'src/features/playground/playground-page.tsx';
/** Fetched with the page or with the first answer that needs them. */
const ANSWER_PARTS = ['playground-body.tsx', 'text/answer-text.tsx', 'text/highlight.ts'].map(
  (name) => `src/features/playground/${name}`,
);
/** Named by index.html itself. */
const FIRST_PAINT = ['first-paint.js'];

/** Resources each page of the built console loads before it can be used: `{ page, requests, bytes }`. */
export function pageLoads(folder, partsOfPage = partsOfPages()) {
  const manifest = readManifest(folder);
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file))
      sizes.set(file, brotliCompressSync(readFileSync(join(folder, file)), BROTLI).length);
    return sizes.get(file);
  };
  const entry = entryOf(manifest);
  if (!partsOfPage.has(SIGN_IN_PAGE)) throw new Error(`the router has no ${SIGN_IN_PAGE}`);
  return Array.from(partsOfPage, ([page, parts]) => {
    const later = page === PLAYGROUND ? ANSWER_PARTS : [];
    const files = filesOf(manifest, [entry, page, START_TEXTS, ...parts, ...later]);
    for (const file of FIRST_PAINT) files.add(file);
    const bytes = Array.from(files, sizeOf).reduce((sum, size) => sum + size, 0);
    return { page, requests: files.size, bytes };
  });
}

/** One sentence for each page that loads more than it may. */
export function overBudget(loads, budget = BUDGET) {
  return loads.flatMap(({ page, requests, bytes }) => {
    const ofPage = page === PLAYGROUND ? (budget.playground ?? budget.page) : budget.page;
    const others = START_PAGE.test(page) ? budget.guest : ofPage;
    const most = page === SIGN_IN_PAGE ? budget.signIn : others;
    const faults = [];
    if (bytes > most.bytes) faults.push(`${page} loads ${bytes} bytes (brotli), ${most.bytes} at most`);
    if (requests > most.requests)
      faults.push(
        `${page} makes ${requests} requests for code, ${most.requests} at most: small modules that many pages share belong to a group of console/chunk-groups.ts`,
      );
    return faults;
  });
}

/** Writes `FILE.br` and `FILE.gz` beside every text file, where that makes it smaller. */
export async function compressAssets(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name) && !entry.parentPath.includes('.vite'))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(name);
      if (content.length < LEAST_BYTES) return;
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, BROTLI),
        promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      if (br.length < content.length) await writeFile(`${name}.br`, br);
      if (gz.length < content.length) await writeFile(`${name}.gz`, gz);
    }),
  );
}
