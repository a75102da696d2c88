/**
 * Operations of the gateway. An absent key in a provider's operations map means "not supported". `chat` covers every conversation,
 * whatever its dialect calls it: chat completions, completions, responses, messages, generateContent. `submit` is work an upstream
 * accepts and finishes later: drawings, songs.
 */
export const OPERATIONS = [
  'chat',
  'embed',
  'image',
  'speak',
  'transcribe',
  'moderate',
  'rerank',
  'submit',
] as const;
export type Operation = (typeof OPERATIONS)[number];
