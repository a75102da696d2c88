/** Request members that the chat and the Responses format have in common: kept on the way between the two. */
export const CHAT_AND_RESPONSES_MEMBERS: readonly string[] = [
  'metadata',
  'store',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
];

/** Members of a whole reply in choices that are understood. */
export const CHOICES_REPLY_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
]);
