import type { RequestEdits } from '../wire/wire.js';

type Quirks = Pick<RequestEdits, 'usesCompletionCap' | 'refusedMembers'>;

const PLAIN: Quirks = { usesCompletionCap: false, refusedMembers: [] };
/** OpenAI's reasoning models refuse sampling settings (relay reference 5.6, provider reference 4.3). */
const O_SERIES: Quirks = { usesCompletionCap: true, refusedMembers: ['temperature'] };
const GPT_5: Quirks = {
  usesCompletionCap: true,
  refusedMembers: ['temperature', 'top_p', 'logprobs', 'top_logprobs'],
};
/** Chat variants, and 5.1 and later (which accept them with effort none), take sampling settings. */
const GPT_5_LENIENT: Quirks = { usesCompletionCap: true, refusedMembers: [] };

const O_NAME = /^o[134](?:-|$)/;
const GPT_5_NAME = /^gpt-5(?:[.-]|$)/;
const LENIENT_NAME = /^gpt-5(?:\.\d|.*chat)/;

/** What OpenAI's own models want changed, by name. */
export function reasoningModelQuirks(model: string): Quirks {
  if (O_NAME.test(model)) return O_SERIES;
  if (!GPT_5_NAME.test(model)) return PLAIN;
  return LENIENT_NAME.test(model) ? GPT_5_LENIENT : GPT_5;
}
