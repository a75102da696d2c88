/**
 * Pages of the built console and the files each loads: for the budget of console-assets.mjs, and for the server, which names them in
 * the first HTML of an address so that the browser fetches them at once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const APP = join(import.meta.dirname, '../console/src/app');
const ROUTER = 'router.tsx';
/** Routes of the pages behind the sign-in page, loaded with the first of them. */
const SIGNED_IN_ROUTES = 'signed-in-routes.tsx';
/** Parts of the shell around pages behind the sign-in page. */
const SHELL_PARTS = 'shell/signed-in-parts.ts';
const SIGNED_IN_PARTS = [`src/app/${SIGNED_IN_ROUTES}`];
/** A page and the texts the router loads with it: `['wallet', 'money'], async () => (await import('…/wallet-page'))`. */
const LOADED = /\[([^[\]]*)\],\s*async \(\) => (?:\{\s*return )?\(await import\('\.\.\/(features\/[^']+)'\)/g;
const LANGUAGES = ['en', 'zh'];
/** Parts a page loads at once, by itself: named with it, so that they do not wait for its code. */
const FIRST_PARTS = {
  'src/features/playground/playground-page.tsx': ['src/features/playground/playground-body.tsx'],
};

export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));

export const entryOf = (manifest) => Object.keys(manifest).find((key) => manifest[key].isEntry === true);

/** Files that belong to these chunks of the manifest, with all they import. */
export function filesOf(manifest, roots) {
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

/** Files that the router loads with each page: routes and texts. */
export function partsOfPages() {
  return new Map([...partsOf(ROUTER, []), ...partsOf(SIGNED_IN_ROUTES, SIGNED_IN_PARTS)]);
}

function partsOf(name, others) {
  const routes = readFileSync(join(APP, name), 'utf8').matchAll(LOADED);
  return Array.from(routes, ([, texts, page]) => [
    `src/${page}.tsx`,
    [...others, ...textParts(texts).map((part) => textsFile('en', part))],
  ]);
}

const textParts = (list) => Array.from(list.matchAll(/\w+/g), ([part]) => part);

/** `oauthCallback` is in `oauth-callback.json`. */
const textsFile = (language, part) =>
  `src/i18n/${language}/${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;

/** Each route with a page of its own: `{ path, page, texts, isSignedIn }`; a nested path holds that of its parent. */
export function pageRoutes(source, isSignedIn) {
  const routes = [];
  const open = [];
  for (const { index, 0: token, 1: path } of source.matchAll(/\b(?:lazily|page)\(\s*(?:'([^']+)')?|[()]/g)) {
    if (token === ')') open.pop();
    else if (token === '(') open.push(undefined);
    else {
      const parents = open.filter((each) => each !== undefined);
      const parts = [...parents, ...(path === undefined ? [] : [path])];
      const [, texts, page] = new RegExp(LOADED.source).exec(source.slice(index)) ?? [];
      if (page !== undefined)
        routes.push({ path: parts.join('/'), page: `src/${page}.tsx`, texts: textParts(texts), isSignedIn });
      open.push(path);
    }
  }
  return routes;
}

/** Writes what the server names in the first HTML: for each path the files besides those of index.html. */
export function writePages(folder) {
  const manifest = readManifest(folder);
  const first = filesOf(manifest, [entryOf(manifest)]);
  const besides = (roots) => [...filesOf(manifest, roots)].filter((file) => !first.has(file));
  const textsOf = (texts) =>
    Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        besides([`src/i18n/${language}/start.ts`, ...texts.map((part) => textsFile(language, part))]),
      ]),
    );
  const routes = [
    ...pageRoutes(readFileSync(join(APP, ROUTER), 'utf8'), false),
    ...pageRoutes(readFileSync(join(APP, SIGNED_IN_ROUTES), 'utf8'), true),
  ];
  const pages = routes.map(({ path, page, texts, isSignedIn }) => ({
    path,
    isSignedIn,
    files: besides([page, ...(FIRST_PARTS[page] ?? []), ...(isSignedIn ? SIGNED_IN_PARTS : [])]),
    texts: textsOf(texts),
  }));
  const shell = besides([`src/app/${SHELL_PARTS}`]);
  writeFileSync(join(folder, '.vite/pages.json'), JSON.stringify({ shell, pages }));
}
