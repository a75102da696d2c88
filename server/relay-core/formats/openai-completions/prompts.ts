import type { RelayError } from '../../model/relay-error.js';
import { listOf } from '../shared/fields/json-fields.js';
import { requestRefusal } from '../../model/refusals.js';

/** Number of prompts in one `prompt` member: a text, token numbers, or a list of either. */
export function countPrompts(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 1;
  return prompt.some((item) => typeof item !== 'number') ? prompt.length : 1;
}

/** The one text a `prompt` member holds; undefined = it holds several, or token numbers. */
export function textOfPrompt(prompt: unknown): string | undefined {
  if (typeof prompt === 'string') return prompt;
  const [first, ...rest] = listOf(prompt);
  return rest.length === 0 && typeof first === 'string' ? first : undefined;
}

/** Why a text completion cannot become a conversation; undefined = it can. */
export function findUntranslatable(body: Readonly<Record<string, unknown>>): RelayError | undefined {
  const { prompt } = body;
  if (countPrompts(prompt) > 1) {
    return requestRefusal(
      'The upstream of this model holds conversations: send one prompt per call.',
      'prompt',
    );
  }
  if (textOfPrompt(prompt) === undefined) {
    return requestRefusal(
      'The upstream of this model holds conversations: send the prompt as text, not as token numbers.',
      'prompt',
    );
  }
  if (typeof body['suffix'] === 'string' && body['suffix'] !== '') {
    return requestRefusal("The upstream of this model cannot fill in before a 'suffix'.", 'suffix');
  }
  if (typeof body['best_of'] === 'number' && body['best_of'] > 1) {
    return requestRefusal(
      "The upstream of this model cannot choose the 'best_of' several answers.",
      'best_of',
    );
  }
  if (body['max_tokens'] === 0) {
    return requestRefusal(
      "The upstream of this model needs room for an answer: 'max_tokens' must be at least 1.",
      'max_tokens',
    );
  }
  return undefined;
}
