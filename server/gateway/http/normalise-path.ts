import { innerUrl } from '../../common/api/inner-url.js';

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
