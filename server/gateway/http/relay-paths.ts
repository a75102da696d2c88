import { DRAWING_MODES } from '../../relay-core/dialects/midjourney.js';

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
