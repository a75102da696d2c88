import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { readAnswer } from './read-answer.mjs';

const KEY = 'replay-upstream-key';

/** A reader of chat completions that also reads what vendors added to them. */
export function compatible(origin, apiKey = KEY) {
  return createOpenAICompatible({
    name: 'chat',
    baseURL: `${origin}/v1`,
    apiKey,
    includeUsage: true,
  });
}

/** A reader of Responses that also reads what vendors other than OpenAI put in. */
export function openResponses(origin, apiKey = KEY) {
  return createOpenResponses({ name: 'open', url: `${origin}/v1/responses`, apiKey });
}

const openai = (origin, apiKey) => createOpenAI({ baseURL: `${origin}/v1`, apiKey });

/**
 * Readers of the gateway's answers, by dialect.
 * @typedef {object} Dialect
 * @property {string} id
 * @property {(place: {origin: string, key: string, model: string, isStream: boolean, direct: object}) => Promise<object>} read
 *   `direct`: what the vendor's own package read
 */

/**
 * Callers ask for thoughts where their API gives them on request only.
 * @type {readonly Dialect[]}
 */
export const DIALECTS = [
  {
    id: 'openai chat',
    read: async ({ origin, key, model, isStream, direct }) => {
      const answer = await readAnswer(compatible(origin, key)(model), isStream);
      if (answer.failed || !(direct.sources?.length > 0)) return answer;
      // The package that reads what vendors added does not read sources, and the one that reads them reads no thoughts.
      const { sources } = await readAnswer(openai(origin, key).chat(model), isStream);
      return { ...answer, sources };
    },
  },
  {
    id: 'responses',
    read: ({ origin, key, model, isStream }) => readAnswer(openai(origin, key).responses(model), isStream),
  },
  {
    id: 'anthropic',
    read: ({ origin, key, model, isStream }) =>
      readAnswer(createAnthropic({ baseURL: `${origin}/v1`, apiKey: key })(model), isStream, {
        anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } },
      }),
  },
  {
    id: 'gemini',
    read: ({ origin, key, model, isStream }) =>
      readAnswer(createGoogle({ baseURL: `${origin}/v1beta`, apiKey: key })(model), isStream, {
        google: { thinkingConfig: { includeThoughts: true } },
      }),
  },
];

/** The vendor's own package, asking the gateway. */
export const OWN = 'own package';
