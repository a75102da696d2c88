import { isTokenCountOrNone, type Usage } from '../../../model/usage.js';
import { settleUsage } from '../metering/reported-usage.js';
import { documentOf, isDocument, firstDefined, type Document } from '../fields/json-fields.js';

/** Counts that clients take for numbers are null. */
export const hasNullFigures = (value: unknown): boolean =>
  isDocument(value) && FIGURES.some((name) => value[name] === null);
const FIGURES = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/**
 * Reads a vendor's usage object of the OpenAI family.
 * `input.total` includes cached tokens. Vendors that leave reasoning out of `completion_tokens` show it in the total (xAI, Perplexity deep
 * research): see `settleUsage`.
 * Cached tokens may sit in `prompt_tokens_details`, `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Moonshot) or
 * `num_cached_tokens` (Mistral).
 * @param cached  place of cached tokens by the vendor's custom; `inside` the prompt, unless the report shows that they are not
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(value: unknown, cached: CachedPlace = 'inside'): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return 'invalid';
  const report = value as Document;
  const inputDetails = documentOf(
    report['prompt_tokens_details'] ?? report['prompt_token_details'] ?? report['input_tokens_details'],
  );
  const outputDetails = documentOf(report['completion_tokens_details'] ?? report['output_tokens_details']);
  const counts = {
    input: firstDefined(report['prompt_tokens'], report['input_tokens']),
    output: firstDefined(report['completion_tokens'], report['output_tokens']),
    total: report['total_tokens'],
    cacheRead:
      inputDetails['cached_tokens'] ??
      report['prompt_cache_hit_tokens'] ??
      report['cached_tokens'] ??
      report['num_cached_tokens'],
    cacheWrite:
      inputDetails['cache_write_tokens'] ??
      inputDetails['cached_creation_tokens'] ??
      inputDetails['cache_creation_input_tokens'],
    audioIn: inputDetails['audio_tokens'],
    imageIn: inputDetails['image_tokens'],
    reasoning: outputDetails['reasoning_tokens'] ?? report['reasoning_tokens'],
    audioOut: outputDetails['audio_tokens'],
    imageOut: outputDetails['image_tokens'],
  };
  if (!areCounts(counts)) return 'invalid';
  if (counts.input == null && counts.output == null) return undefined;
  if (cached === 'beside') return settleUsage(withCached(counts));
  return settleUsage(isXai(report) && isAbovePrompt(counts) ? withCached(counts) : counts);
}

/** Place of cached tokens in a vendor's reports: a part of its prompt tokens, or beside them. */
export type CachedPlace = 'inside' | 'beside';

function areCounts(figures: { readonly [Name in keyof Counts]: unknown }): figures is Counts {
  return (
    isTokenCountOrNone(figures.input) &&
    isTokenCountOrNone(figures.output) &&
    isTokenCountOrNone(figures.total) &&
    isTokenCountOrNone(figures.cacheRead) &&
    isTokenCountOrNone(figures.cacheWrite) &&
    isTokenCountOrNone(figures.audioIn) &&
    isTokenCountOrNone(figures.imageIn) &&
    isTokenCountOrNone(figures.reasoning) &&
    isTokenCountOrNone(figures.audioOut) &&
    isTokenCountOrNone(figures.imageOut)
  );
}

/** Only xAI's reports have these members. */
const isXai = (report: Document): boolean => 'cost_in_usd_ticks' in report || 'num_sources_used' in report;

/** Returns true when the cached tokens cannot be a part of the prompt. */
const isAbovePrompt = ({ input, cacheRead }: Counts): boolean => (cacheRead ?? 0) > (input ?? 0);

/** The prompt with the cached tokens that stand beside it; a total that has them already stays. */
function withCached(counts: Counts): Counts {
  const { input, output, cacheRead, total, reasoning } = counts;
  if (input == null || cacheRead == null) return counts;
  const added = { ...counts, input: input + cacheRead };
  const rest = total == null ? 0 : total - added.input - (output ?? 0);
  const isInTotal = total == null || rest === 0 || (rest > 0 && rest === reasoning);
  return isInTotal ? added : { ...added, total: total + cacheRead };
}

interface Counts {
  readonly input: number | null | undefined;
  readonly output: number | null | undefined;
  readonly total: number | null | undefined;
  readonly cacheRead: number | null | undefined;
  readonly cacheWrite: number | null | undefined;
  readonly audioIn: number | null | undefined;
  readonly imageIn: number | null | undefined;
  readonly reasoning: number | null | undefined;
  readonly audioOut: number | null | undefined;
  readonly imageOut: number | null | undefined;
}

/** Neutral figures in this format's words; totals include their parts, as the format has it. */
export function writeUsage(usage: Usage): Record<string, unknown> {
  const input = usage.input.total ?? 0;
  const output = usage.output.total ?? 0;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      ...(usage.input.cacheWrite === undefined ? {} : { cache_write_tokens: usage.input.cacheWrite }),
      audio_tokens: usage.input.audio ?? 0,
      ...(usage.input.image === undefined ? {} : { image_tokens: usage.input.image }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.output.reasoning ?? 0,
      audio_tokens: usage.output.audio ?? 0,
      ...(usage.output.image === undefined ? {} : { image_tokens: usage.output.image }),
    },
  };
}
