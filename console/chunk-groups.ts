import type { Rolldown } from 'vite';

/**
 * Which files the built console is made of. Left alone, the bundler makes one file for every set of pages that share a module:
 * a hundred requests, most of them one icon. Here a module lies
 *
 * - in `react` or `start`, when the entry needs it, or the sign-in page and a page without a form;
 * - in `sign-in-parts`, when the sign-in page needs it and besides only pages with a form: what all forms share;
 * - in `guest-parts`, when many pages need it and among them some that a guest sees; in `validation`, when all of those have forms;
 * - in `icons`, when another page has the same icon;
 * - in `console-parts`, when many of the signed-in pages need it, or when it is a small rule of ours that several do; in `list-parts`, when all
 *   of those are lists; in `menu-parts`, when all of them have fields one chooses in;
 * - in `form-parts`, when it is a field of a form that few pages show at once;
 * - in `dialog-parts`, when it is ours, no page needs it before something is opened, and many of what is opened then do;
 * - with the page that needs it, otherwise. Editors, charts and texts are fetched by themselves.
 */

/** So many pages make a module common. */
const MANY_PAGES = 5;
const REACT = /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** Not worth a request of its own: an icon or a field of a form. */
const ICON = /@mui[\\/]icons-material[\\/]/;
const FIELD = /src[\\/]shared[\\/]form[\\/]/;
const OWN_PART = /src[\\/]shared[\\/]/;
/** Without JSX: when it imports nothing either, a few hundred bytes. */
const OWN_RULE = /src[\\/]shared[\\/].*\.ts$/;
const VALIDATION = /node_modules[\\/](?:zod|@hookform)[\\/]/;
const GUEST_PAGE = /(?:register|reset|setup|home|about|legal|oauth-callback)-page\.tsx$/;
/** What makes a page a list. */
const LIST = /src[\\/]shared[\\/]table[\\/]data-table\.tsx$/;
const SELECT = /@mui[\\/]material[\\/]Select[\\/]Select\.mjs$/;
const FORM = /node_modules[\\/]react-hook-form[\\/]/;
const ROUTER = /src[\\/]app[\\/]router\.tsx$/;
const TEXTS = /src[\\/]i18n[\\/]/;
const SIGN_IN_PAGE = /login-page\.tsx$/;

/** Most general first. */
const PLACES = [
  'react',
  'start',
  'sign-in-parts',
  'validation',
  'guest-parts',
  'icons',
  'console-parts',
  'menu-parts',
  'list-parts',
  'form-parts',
  'dialog-parts',
];

type Graph = Rolldown.ChunkingContext;

/** Everything these modules import, and what that imports; what is fetched later is not among it. */
function importedBy(graph: Graph, roots: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** How many of these import a module. */
function countUses(graph: Graph, roots: readonly string[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const root of new Set(roots))
    for (const module of importedBy(graph, [root])) uses.set(module, (uses.get(module) ?? 0) + 1);
  return uses;
}

function entryOf(graph: Graph, id: string): string | undefined {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const info = graph.getModuleInfo(next);
    if (info?.isEntry === true) return next;
    open.push(...(info?.importers ?? []), ...(info?.dynamicImporters ?? []));
  }
  return undefined;
}

interface Common {
  readonly isCommon: boolean;
  readonly isSeenByGuests: boolean;
  readonly isOfMenus: boolean;
  readonly isOfLists: boolean;
  readonly isOfForms: boolean;
}

function commonPlaceOf(
  module: string,
  { isCommon, isSeenByGuests, isOfMenus, isOfLists, isOfForms }: Common,
): string {
  if (VALIDATION.test(module)) return 'validation';
  if (isSeenByGuests) return isOfForms ? 'validation' : 'guest-parts';
  if (ICON.test(module)) return 'icons';
  if (!isCommon) return OWN_RULE.test(module) && !FIELD.test(module) ? 'console-parts' : 'form-parts';
  if (isOfLists) return 'list-parts';
  return isOfMenus ? 'menu-parts' : 'console-parts';
}

function placesOf(graph: Graph, id: string): Map<string, string> {
  const entry = entryOf(graph, id);
  if (entry === undefined) throw new Error(`no entry imports ${id}`);
  const fromEntry = importedBy(graph, [entry]);
  const pages = [...fromEntry]
    .filter((module) => ROUTER.test(module))
    .flatMap((module) => [...(graph.getModuleInfo(module)?.dynamicallyImportedIds ?? [])]);
  const signIn = importedBy(
    graph,
    pages.filter((page) => SIGN_IN_PAGE.test(page)),
  );
  const seenByGuests = importedBy(
    graph,
    pages.filter((page) => GUEST_PAGE.test(page)),
  );
  const uses = countUses(graph, pages);
  /** What pages need that do without this. */
  const without = (part: RegExp): Set<string> =>
    importedBy(
      graph,
      pages.filter((page) => ![...importedBy(graph, [page])].some((module) => part.test(module))),
    );
  const [outsideLists, outsideMenus, outsideForms] = [without(LIST), without(SELECT), without(FORM)];
  const places = new Map<string, string>();
  for (const [module, count] of uses) {
    const isCommon = count >= MANY_PAGES;
    const isLeaf = OWN_RULE.test(module) && graph.getModuleInfo(module)?.importedIds.length === 0;
    const isShared = ((ICON.test(module) || isLeaf) && count > 1) || FIELD.test(module);
    if (!isCommon && !isShared) continue;
    places.set(
      module,
      commonPlaceOf(module, {
        isCommon,
        isSeenByGuests: seenByGuests.has(module),
        isOfMenus: !outsideMenus.has(module),
        isOfLists: !outsideLists.has(module),
        isOfForms: !outsideForms.has(module),
      }),
    );
  }
  const opened = [...fromEntry, ...uses.keys()]
    .flatMap((module) => [...(graph.getModuleInfo(module)?.dynamicallyImportedIds ?? [])])
    .filter((part) => !pages.includes(part) && !TEXTS.test(part));
  for (const [module, count] of countUses(graph, opened))
    if (count >= MANY_PAGES && !uses.has(module) && OWN_PART.test(module)) places.set(module, 'dialog-parts');
  for (const module of signIn)
    if (outsideForms.has(module)) places.set(module, 'start');
    else if (uses.get(module) !== 1) places.set(module, 'sign-in-parts');
  for (const module of fromEntry) places.set(module, REACT.test(module) ? 'react' : 'start');
  // Pages and the entry stay files of their own: they are what is asked for by name.
  for (const module of [entry, ...(graph.getModuleInfo(entry)?.importedIds ?? []), ...pages])
    places.delete(module);
  return places;
}

/** The groups of one build. Files are named by place; the bundler sees that no file needs one that needs it. */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let places: Map<string, string> | undefined;
  return PLACES.map((place, index) => ({
    debugName: place,
    priority: PLACES.length - index,
    // What is opened may need a module that few pages have: that stays with those.
    includeDependenciesRecursively: place !== 'dialog-parts',
    name: (id, graph) => {
      places ??= placesOf(graph, id);
      return places.get(id) === place ? place : null;
    },
  }));
}
