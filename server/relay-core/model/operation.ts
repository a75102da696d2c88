/**
 * What is asked of the gateway. An absent key in a provider's operations map means "not supported".
 * `chat` covers every conversation, whatever its dialect calls it: chat completions, completions, responses, messages,
 * generateContent.
 */
export const OPERATIONS = ['chat', 'embed', 'image', 'speak', 'transcribe', 'moderate', 'rerank'] as const;
export type Operation = (typeof OPERATIONS)[number];
