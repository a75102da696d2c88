import type { Rolldown } from 'vite';

/**
 * Which files the built console is made of. Left alone, the bundler makes one file for every set of pages that share a module:
 * a hundred requests, most of them one icon. Here a module lies
 *
 * - in `react` or `start`, when the entry needs it, or the sign-in page and a page without a form;
 * - in `sign-in-parts`, when the sign-in page needs it and besides only pages with a form: what all forms share;
 * - in `guest-parts`, when many pages need it and among them some that a guest sees; in `validation`, when all of those have forms;
 * - in `console-parts`, when many of the signed-in pages need it, when it is a small rule of ours that several do, or an icon that another
 *   page or something that is opened later has, too; in `list-parts`, when all of those are lists; in
 *   `menu-parts`, when all of them have fields one chooses in;
 * - in `form-parts`, when it is a field of a form that few pages show at once;
 * - in `few-parts`, when it is small, imports nothing rare, and few pages need it or one page and something that is opened;
 * - in `shell-parts`, when the sidebar or the account menu needs it and no page does;
 * - in `dialog-parts`, when it is a part of every dialog, and not of many pages;
 * - in `later-parts`, when it is ours, no page needs it before something is opened, and many of what is opened then do;
 * - in `limit-parts`, `playground-parts`, `call-parts`, when it is named for them: small parts of a few pages, one request each;
 * - in a file of its page, when it is ours, and besides that page only what is opened needs it;
 * - with the page that needs it, otherwise. Editors, charts and texts are fetched by themselves.
 */

/** So many pages make a module common. */
const MANY_PAGES = 5;
/** The bundler's own helpers, which every file needs. */
const RUNTIME = /rolldown[\\/]runtime/;
const REACT = /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** What makes a page a list. */
const LIST = /src[\\/]shared[\\/]table[\\/]data-table\.tsx$/;
const SELECT = /@mui[\\/]material[\\/]Select[\\/]Select\.mjs$/;
/** What every dialog and drawer is made of. */
const DIALOG = /@mui[\\/]material[\\/](?:Dialog\w*|Drawer|Modal|Backdrop|Slide)[\\/]/;
/** Characters of source: less is not worth a request of its own. */
const SMALL = 400;
/** Sidebar and account menu. */
const SHELL = /src[\\/]app[\\/]shell[\\/]signed-in-parts\.ts$/;
/** Too large to be loaded beside other things that are opened. */
const HEAVY =
  /@mui[\\/]x-charts|node_modules[\\/](?:@codemirror|@lezer|@uiw|d3-|marked|dompurify|qrcode|date-fns|react-day-picker)/;
/** Not worth a request of its own: an icon or a field of a form. */
const ICON = /@mui[\\/]icons-material[\\/]/;
const FIELD = /src[\\/]shared[\\/]form[\\/]/;
const OWN_PART = /src[\\/]shared[\\/]/;
/** Without JSX: when it imports nothing but what the entry has, a few hundred bytes. */
const OWN_RULE = /src[\\/]shared[\\/].*\.ts$/;
const OWN_FEATURE = /src[\\/]features[\\/]/;
const VALIDATION = /node_modules[\\/](?:zod|@hookform)[\\/]/;
const GUEST_PAGE = /(?:register|reset|setup|home|about|legal|oauth-callback)-page\.tsx$/;
const FORM = /node_modules[\\/]react-hook-form[\\/]/;
/** Bar and texts of limits, which tokens, accounts and channels show: one request. */
const LIMIT_PART = /src[\\/]shared[\\/]limits[\\/](?:limit-bar|limit-texts|limits\.api)\.tsx?$/;
/** Parts of the playground that its drawers and modes need as well: one request. */
const PLAYGROUND_PART =
  /src[\\/]features[\\/]playground[\\/](?:chat[\\/](?:failure-of|failure-kind|receipt-book|use-receipts)|store[\\/](?:use-store|conversation-store)|view[\\/]model-select)\.tsx?$|node_modules[\\/]idb[\\/]/;
/** Calls outside the typed client, and their events: each of them has a few hundred bytes. */
const CALL_PART = /src[\\/]api[\\/](?:open-call|fetch-raw|events)\.ts$/;
const ROUTER = /src[\\/]app[\\/]router\.tsx$/;
/** The router loads it for an address that is none of a guest's pages. */
const SIGNED_IN_ROUTES = /src[\\/]app[\\/]signed-in-routes\.tsx$/;
const TEXTS = /src[\\/]i18n[\\/]/;
const SIGN_IN_PAGE = /login-page\.tsx$/;

/** Ends the names of files that a page shares with what it opens. */
const OF_PAGE = '-own-parts';
const pageName = (id: string): string => /([\w-]+)\.tsx$/.exec(id)?.[1] ?? 'page';

/** Most general first. */
const PLACES = [
  'react',
  'start',
  'sign-in-parts',
  'validation',
  'guest-parts',
  'console-parts',
  'menu-parts',
  'list-parts',
  'form-parts',
  'few-parts',
  'shell-parts',
  'dialog-parts',
  'later-parts',
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

const isSmall = (graph: Graph, id: string): boolean => {
  const { code } = graph.getModuleInfo(id) ?? {};
  return code != null && code.length < SMALL && !HEAVY.test(id);
};

/** Files that every page behind the sign-in page loads: what imports them costs no further request. */
const OF_EVERY_PAGE: ReadonlySet<string> = new Set(['guest-parts', 'console-parts']);
const importsOf = (graph: Graph, id: string): readonly string[] => graph.getModuleInfo(id)?.importedIds ?? [];

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
  readonly isValidating: boolean;
  readonly isOfMenus: boolean;
  readonly isOfLists: boolean;
  readonly isOfForms: boolean;
}

function commonPlaceOf(
  module: string,
  { isCommon, isSeenByGuests, isValidating, isOfMenus, isOfLists, isOfForms }: Common,
): string {
  if (VALIDATION.test(module)) return 'validation';
  // A page without a form may read a limit: its neighbours must not load the checks for that.
  if (isSeenByGuests) return isOfForms || isValidating ? 'validation' : 'guest-parts';
  const isSmall = ICON.test(module) || (OWN_RULE.test(module) && !FIELD.test(module));
  if (isOfLists && !isSmall) return isCommon ? 'list-parts' : 'form-parts';
  if (isOfMenus && isCommon && !isSmall) return 'menu-parts';
  return isCommon || isSmall ? 'console-parts' : 'form-parts';
}

function placesOf(graph: Graph, id: string): Map<string, string> {
  const entry = entryOf(graph, id);
  if (entry === undefined) throw new Error(`no entry imports ${id}`);
  const fromEntry = importedBy(graph, [entry]);
  const loadedBy = (module: string) => [...(graph.getModuleInfo(module)?.dynamicallyImportedIds ?? [])];
  const routed = [...fromEntry].filter((module) => ROUTER.test(module)).flatMap(loadedBy);
  const signedInRoutes = routed.filter((module) => SIGNED_IN_ROUTES.test(module));
  const pages = routed
    .filter((module) => !SIGNED_IN_ROUTES.test(module))
    .concat(signedInRoutes.flatMap(loadedBy));
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
  const [outsideMenus, outsideLists, outsideForms] = [without(SELECT), without(LIST), without(FORM)];
  const opened = [...fromEntry, ...uses.keys()]
    .flatMap((module) => [...(graph.getModuleInfo(module)?.dynamicallyImportedIds ?? [])])
    .filter((part) => !pages.includes(part) && !signedInRoutes.includes(part) && !TEXTS.test(part));
  const laterUses = countUses(graph, opened);
  const places = new Map<string, string>();
  for (const [module, count] of uses) {
    const isCommon = count >= MANY_PAGES;
    const isLeaf =
      OWN_RULE.test(module) &&
      graph.getModuleInfo(module)?.importedIds.every((imported) => fromEntry.has(imported)) === true;
    const isShared =
      ((ICON.test(module) || isLeaf) && count > 1) || (isLeaf && laterUses.has(module)) || FIELD.test(module);
    if (!isCommon && !isShared) continue;
    places.set(
      module,
      commonPlaceOf(module, {
        isCommon,
        isSeenByGuests: seenByGuests.has(module),
        isValidating: importsOf(graph, module).some((id) => VALIDATION.test(id)),
        isOfMenus: !outsideMenus.has(module),
        isOfLists: !outsideLists.has(module),
        isOfForms: !outsideForms.has(module),
      }),
    );
  }
  const shell = opened.filter((module) => SHELL.test(module));
  for (const module of importedBy(graph, shell))
    if (!uses.has(module) && !shell.includes(module)) places.set(module, 'shell-parts');
  for (const module of [...uses.keys(), ...laterUses.keys()])
    if (DIALOG.test(module) && !places.has(module)) places.set(module, 'dialog-parts');
  for (const [module, count] of uses)
    if (
      count + (laterUses.get(module) ?? 0) > 1 &&
      isSmall(graph, module) &&
      !places.has(module) &&
      !seenByGuests.has(module) &&
      importsOf(graph, module).every((id) => fromEntry.has(id) || OF_EVERY_PAGE.has(places.get(id) ?? ''))
    )
      places.set(module, 'few-parts');
  for (const [module, count] of laterUses)
    if (count >= MANY_PAGES && !uses.has(module) && !places.has(module) && OWN_PART.test(module))
      places.set(module, 'later-parts');
  for (const [module, count] of countUses(graph, [...pages, ...signedInRoutes, ...opened]))
    if (count > 1 && ICON.test(module) && uses.has(module) && !places.has(module))
      places.set(module, 'console-parts');
  for (const page of pages)
    for (const module of importedBy(graph, [page]))
      if (OWN_FEATURE.test(module) && uses.get(module) === 1 && laterUses.has(module) && !places.has(module))
        places.set(module, `${pageName(page)}${OF_PAGE}`);
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
  const placeOf = (id: string, graph: Graph): string | undefined => {
    if (RUNTIME.test(id)) return 'react';
    places ??= placesOf(graph, id);
    return places.get(id);
  };
  const common = PLACES.map((place, index): Rolldown.CodeSplittingGroup => ({
    debugName: place,
    priority: PLACES.length - index + 1,
    // What is opened may need a module that few pages have: that stays with those.
    includeDependenciesRecursively: !['few-parts', 'shell-parts', 'dialog-parts', 'later-parts'].includes(
      place,
    ),
    name: (id, graph) => (placeOf(id, graph) === place ? place : null),
  }));
  const ofPages: Rolldown.CodeSplittingGroup = {
    debugName: OF_PAGE,
    priority: 1,
    includeDependenciesRecursively: false,
    name: (id, graph) => {
      const place = placeOf(id, graph);
      return place?.endsWith(OF_PAGE) === true ? place : null;
    },
  };
  /** Places that a pattern names, for modules that few pages or only what is opened need. */
  const named = (place: string, pattern: RegExp): Rolldown.CodeSplittingGroup => ({
    debugName: place,
    priority: 1,
    includeDependenciesRecursively: false,
    name: (id) => (pattern.test(id) ? place : null),
  });
  return [
    ...common,
    ofPages,
    named('limit-parts', LIMIT_PART),
    named('playground-parts', PLAYGROUND_PART),
    named('call-parts', CALL_PART),
  ];
}
