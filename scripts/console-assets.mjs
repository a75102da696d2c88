/**
 * What happens to the built console after Vite: what each page loads is held against a budget, and every text file gets its
 * brotli and gzip form beside it, which the server sends to browsers that ask for them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';

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
};

const SIGN_IN_PAGE = 'src/features/sign-in/login-page.tsx';
/** English is the longer of the two. */
const START_TEXTS = 'src/i18n/en/start.ts';
const ROUTER = join(import.meta.dirname, '../console/src/app/router.tsx');
/** A page and the texts the router loads with it: `['wallet', 'money'], async () => (await import('…/wallet-page'))`. */
const ROUTE = /\[([^[\]]*)\],\s*async \(\) => (?:\{\s*return )?\(await import\('\.\.\/(features\/[^']+)'\)/g;
/** What guests see. */
const START_PAGE = /\/(?:login|register|reset|setup|home|about|legal|oauth-callback)-page\.tsx$/;
/** Named by index.html itself. */
const FIRST_PAINT = ['first-paint.js', 'first-paint.css'];

/** Files that belong to these chunks of the manifest, with all they import. */
function filesOf(manifest, roots) {
  const seen = new Set();
  const files = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`the console's manifest has no ${key}`);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const next of chunk.imports ?? []) visit(next);
  };
  roots.forEach(visit);
  return files;
}

/** Files of texts that the router loads with each page. */
function textsOfPages() {
  const routes = readFileSync(ROUTER, 'utf8').matchAll(ROUTE);
  return new Map(
    Array.from(routes, ([, texts, page]) => [
      `src/${page}.tsx`,
      Array.from(texts.matchAll(/\w+/g), ([part]) => `src/i18n/en/${fileNameOf(part)}.json`),
    ]),
  );
}

/** `oauthCallback` is in `oauth-callback.json`. */
const fileNameOf = (part) => part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What each page of the built console loads before it can be used: `{ page, requests, bytes }`. */
export function pageLoads(folder, texts = textsOfPages()) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file))
      sizes.set(file, brotliCompressSync(readFileSync(join(folder, file)), BROTLI).length);
    return sizes.get(file);
  };
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry === true);
  if (!texts.has(SIGN_IN_PAGE)) throw new Error(`the router has no ${SIGN_IN_PAGE}`);
  return Array.from(texts, ([page, parts]) => {
    const files = filesOf(manifest, [entry, page, START_TEXTS, ...parts]);
    for (const file of FIRST_PAINT) files.add(file);
    const bytes = Array.from(files, sizeOf).reduce((sum, size) => sum + size, 0);
    return { page, requests: files.size, bytes };
  });
}

/** One sentence for each page that loads more than it may. */
export function overBudget(loads, budget = BUDGET) {
  return loads.flatMap(({ page, requests, bytes }) => {
    const others = START_PAGE.test(page) ? budget.guest : budget.page;
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
