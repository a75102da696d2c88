import { MAX_PLAUSIBLE_TOKENS, type Usage } from '../../model/usage.js';
import { documentOf, firstDefined, type Document } from '../shared/fields/json-fields.js';

/**
 * Tokens of a rerank reply: `usage` (Jina, Ali), `meta.tokens` (SiliconFlow), `meta.billed_units` (older Cohere).
 * Only what was read costs: what is called output there is nothing a caller gets.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readRerankUsage(document: Document): Usage | 'invalid' | undefined {
  const usage = documentOf(document['usage']);
  const meta = documentOf(document['meta']);
  const tokens = documentOf(meta['tokens']);
  const billed = documentOf(meta['billed_units']);
  const used = firstDefined(
    firstDefined(usage['prompt_tokens'], usage['input_tokens']),
    usage['total_tokens'],
  );
  const input = firstDefined(used, firstDefined(tokens['input_tokens'], billed['input_tokens']));
  if (input === null || input === undefined) return undefined;
  const isCount =
    typeof input === 'number' && Number.isSafeInteger(input) && input >= 0 && input <= MAX_PLAUSIBLE_TOKENS;
  return isCount ? { input: { total: input }, output: { total: 0 } } : 'invalid';
}

/** Searches the vendor bills, where it bills by them. */
export function readSearchUnits(document: Document): number | undefined {
  const units = documentOf(documentOf(document['meta'])['billed_units'])['search_units'];
  return typeof units === 'number' && Number.isSafeInteger(units) && units > 0 ? units : undefined;
}
