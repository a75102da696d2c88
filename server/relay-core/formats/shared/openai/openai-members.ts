import type { ChatRequest } from '../../../model/chat.js';
import { setGiven } from '../fields/json-fields.js';

/** Settings of sampling and of stops, by the names OpenAI gave them first. */
export function setSampling(body: Record<string, unknown>, request: ChatRequest): void {
  setGiven(body, 'temperature', request.temperature);
  setGiven(body, 'top_p', request.topP);
  setGiven(body, 'frequency_penalty', request.frequencyPenalty);
  setGiven(body, 'presence_penalty', request.presencePenalty);
  setGiven(body, 'seed', request.seed);
  setGiven(body, 'stop', request.stop);
}

/** Request members that the chat and the Responses format have in common: kept on the way between the two. */
export const CHAT_AND_RESPONSES_FIELDS: readonly string[] = [
  'metadata',
  'store',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
];

/** Members of a whole reply in choices that are understood. */
export const CHOICES_REPLY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
]);
