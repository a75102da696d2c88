import { hidesReasoning } from './model-family.js';

/**
 * Vendors whose cap covers the visible answer alone, by channel type: reasoning they report apart may exceed any cap that was sent.
 * A vendor that is missing here has its reasoning charged up to the cap, and shows as `bounded`.
 */
const CHANNEL_TYPES: ReadonlySet<number> = new Set([
  17, // Ali: `max_tokens` bounds the answer, `thinking_budget` the reasoning.
  27, // Perplexity: research models report `reasoning_tokens` beside `completion_tokens`.
  40, // SiliconFlow: `max_tokens` bounds the answer, `thinking_budget` the reasoning.
  45, // Volcengine: `max_tokens` bounds the answer, only `max_completion_tokens` covers both.
  48, // xAI: `reasoning_tokens` stand beside `completion_tokens`.
]);
/** The same vendors' models where another host serves them; a maker's name may stand before theirs. */
const NAMES = /^(?:[^/]*\/)?(?:qwen|qwq|doubao|grok-(?:3-mini|4|code)|sonar-(?:reasoning|deep-research))/i;
/** Models that show a summary of their reasoning, and count all of it as output. */
const SUMMARISING = /claude/i;

/** True where a cap that was sent does not bound the reasoning of the answer. */
export const reasonsBesideCap = (channelType: number, model: string): boolean =>
  CHANNEL_TYPES.has(channelType) || NAMES.test(model);

/** True where a report may count reasoning that neither shows in the answer nor is reported apart. */
export const mayCountUnseenReasoning = (model: string): boolean =>
  hidesReasoning(model) || SUMMARISING.test(model);
