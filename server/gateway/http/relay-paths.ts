import { DRAWING_MODES } from '../../relay-core/dialects/midjourney.js';

/**
 * The address of a request as the routes know it: every slash once, since clients join base addresses and paths by hand, and without the
 * path the gateway is published under.
 * @param basePath  empty, or as `/gateway`
 */
export function innerUrl(url: string, basePath: string): string {
  if (!url.startsWith('/')) return url;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (!path.includes('//') && (basePath === '' || !path.startsWith(basePath))) return url;
  const clean = path.replace(/\/{2,}/g, '/');
  return withoutPrefix(clean, basePath) + (query === -1 ? '' : url.slice(query));
}

function withoutPrefix(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}

/** Operations that clients ask for below a base address without a version. */
const BARE =
  /^\/(?:chat\/completions|completions|responses|messages(?:\/count_tokens)?|embeddings|rerank|moderations|images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations))\/?$/;

/**
 * Spellings of our addresses that clients make of a base address meant for another API, another version or another gateway, each with
 * what stands for the part it matches.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  // Below the prefix that gateways and some vendors put before an API of theirs.
  [/^\/openai\/v1\//, '/v1/'],
  [/^\/anthropic\/v1\/(?=(?:messages|models)(?:\/|$))/, '/v1/'],
  // Google's address for clients of OpenAI; its list of models also accepts Google's keys and has a route of its own.
  [/^\/v1beta\/openai\/(?!models(?:\/|$))/, '/v1/'],
  [/^\/v1alpha\/(?=models\/)/, '/v1beta/'],
  // Cohere's second version asks the same.
  [/^\/v2\/(?=rerank\/?$)/, '/v1/'],
  // A base address with the version, before a client that adds it.
  [/^\/v1\/v1\//, '/v1/'],
  // A base address with the prefix, before a client that adds both.
  [/^\/v1\/openai\/v1\//, '/v1/'],
  // A base address that is the whole address of a call.
  [/^\/v1\/(chat\/completions|messages|responses|embeddings)\/(?:v1\/)?(?=\1\/?$)/, '/v1/'],
];

/**
 * The address of a request as the relay's routes know it.
 * @param basePath  where the gateway is published; empty, or as `/gateway`
 */
export function normalisePath(url: string, basePath: string): string {
  const inner = innerUrl(url, basePath);
  const query = inner.indexOf('?');
  const path = query === -1 ? inner : inner.slice(0, query);
  const usual = respelled(path);
  return usual === path ? inner : usual + inner.slice(path.length);
}

function respelled(path: string): string {
  if (BARE.test(path)) return `/v1${path}`;
  return SPELLINGS.reduce((spelt, [pattern, usual]) => spelt.replace(pattern, usual), path);
}

/** Prefixes below which every request is the relay's: unknown paths are answered here and never forwarded. */
export const RELAY_PREFIXES = [
  '/v1',
  '/v1beta',
  '/v1alpha',
  '/v2',
  '/openai',
  '/anthropic',
  '/pg',
  '/mj',
  ...DRAWING_MODES,
  '/suno',
  '/dashboard/billing',
] as const;

/** Known endpoints of the API family that this gateway does not offer. Longest prefix decides. */
const NOT_IMPLEMENTED: readonly RegExp[] = [
  /^\/v1\/(edits|video\/generations)$/,
  /^\/v1\/messages\/batches(\/.*)?$/,
  /^\/v1\/(videos(\/.*)?|responses\/.+)$/,
  /^\/v1\/(files|fine-tunes|fine_tuning|assistants|threads|batches|vector_stores|uploads|evals|containers)(\/.*)?$/,
  /^\/(v1|v1beta)\/models\/.+:(predictLongRunning|batchGenerateContent|asyncBatchEmbedContent|bidiGenerateContent)$/,
  /^\/(v1|v1beta)\/models\/.+:(generateAnswer|generateText|generateMessage|embedText|batchEmbedText|count(Text|Message)Tokens)$/,
  /^\/v1beta\/(cachedContents|files|tunedModels|corpora|operations|batches|fileSearchStores|interactions|generatedFiles)(\/.*)?$/,
];

export function isKnownButNotImplemented(path: string): boolean {
  return NOT_IMPLEMENTED.some((pattern) => pattern.test(path));
}

/** Path without query and trailing slash, as it is matched and logged. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Query string without its question mark; empty = none. */
export function queryOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? '' : url.slice(query + 1);
}

/** A pattern of the router as an expression over whole paths: `:name`, `:name(^.+)`, which may hold slashes, and `::` for a colon. */
export function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('::', '\u0000')
    .replace(/[.+*?$]/g, '\\$&')
    .replace(/:[a-z]+\(\^\\\.\\\+\)/gi, '(.+)')
    .replace(/:[a-z]+/gi, '([^/]+)')
    .replaceAll('\u0000', ':');
  return new RegExp(`^${source}$`);
}

/** Operations that a mistyped address most likely means, without their version. */
const USUAL_OPERATIONS = [
  '/chat/completions',
  '/completions',
  '/responses',
  '/messages',
  '/embeddings',
  '/rerank',
  '/moderations',
  '/images/generations',
  '/images/edits',
  '/audio/speech',
  '/audio/transcriptions',
  '/audio/translations',
] as const;

/** Address of the operation that an unknown path names below another base address, or in singular; undefined = none. */
export function servedPathLike(path: string): string | undefined {
  const asked = inSingular(path);
  const operation = USUAL_OPERATIONS.find((known) => asked.endsWith(inSingular(known)));
  return operation === undefined ? undefined : `/v1${operation}`;
}

const inSingular = (path: string): string => path.toLowerCase().replace(/s(?=\/|$)/g, '');
