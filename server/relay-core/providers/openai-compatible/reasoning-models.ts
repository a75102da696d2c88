import type { RequestEdits } from '../../formats/contract/api-format.js';

type ModelEdits = Pick<RequestEdits, 'usesCompletionCap' | 'refusedMembers'>;

const PLAIN: ModelEdits = { usesCompletionCap: false, refusedMembers: [] };
/** OpenAI has no such setting; servers of other models have it under the same name. */
const CLASSIC: ModelEdits = { usesCompletionCap: false, refusedMembers: ['top_k'] };
const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs'] as const;
/** OpenAI's reasoning models refuse sampling settings. */
const REASONING: ModelEdits = {
  usesCompletionCap: true,
  refusedMembers: [...SAMPLING, 'top_logprobs', 'logit_bias', 'top_k'],
};
/** Models that search refuse what would steer their words. */
const SEARCHING: ModelEdits = {
  usesCompletionCap: false,
  refusedMembers: [...SAMPLING, 'seed', 'top_k'],
};
/** Chat variants, and 5.1 and later (which accept them with effort none), take sampling settings. */
const GPT_5_LENIENT: ModelEdits = { usesCompletionCap: true, refusedMembers: ['top_k'] };

const SEARCH_NAME = /^gpt-.*-search-(?:preview|api)/;
const O_NAME = /^o[134](?:-|$)/;
const GPT_5_NAME = /^gpt-5(?:[.-]|$)/;
/** Excludes the open-weight models, which any vendor may serve. */
const OWN_NAME = /^(?:gpt-(?!oss)|chatgpt-|codex-)/;
const LENIENT_NAME = /^gpt-5(?:\.\d|.*chat)/;

/** Edits for OpenAI's own models, by name. */
export function reasoningModelEdits(model: string): ModelEdits {
  if (SEARCH_NAME.test(model)) return SEARCHING;
  if (O_NAME.test(model)) return REASONING;
  if (!GPT_5_NAME.test(model)) return OWN_NAME.test(model) ? CLASSIC : PLAIN;
  return LENIENT_NAME.test(model) ? GPT_5_LENIENT : REASONING;
}

/** Models that live at the Responses endpoint only. */
const RESPONSES_ONLY =
  /^(?:o1-pro|o3-pro|gpt-5(?:\.\d+)?-pro|gpt-5(?:\.\d+)?-codex|codex-|computer-use-preview)|-deep-research/;
export const needsResponsesApi = (model: string): boolean => RESPONSES_ONLY.test(model);

/** Models that continue text and hold no conversation. */
const COMPLETIONS_ONLY = /^(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002)/;
export const continuesText = (model: string): boolean => COMPLETIONS_ONLY.test(model);

/** Models whose thoughts come back encrypted, to be shown again in the next turn. */
const REASONING_NAME = /^(?:o[134](?:-|$)|gpt-5(?![.\d]*-chat)|codex-|grok-4)/;
export const reasonsEncrypted = (model: string): boolean => REASONING_NAME.test(model);
