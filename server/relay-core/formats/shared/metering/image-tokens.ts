import type { Usage } from '../../../model/usage.js';

/** A picture of Google's without a report counts as this many tokens of prompt. */
export const TOKENS_PER_GOOGLE_IMAGE = 258;

/** A picture in the answer of a chat (https://ai.google.dev/gemini-api/docs/image-generation, read 2026-11-25). */
export const TOKENS_PER_CHAT_IMAGE = 1_290;

/** Pictures of a vendor that counts nothing. */
export const imagesAsUsage = (pictures: number, promptTokens: number): Usage => ({
  input: { total: promptTokens + pictures * TOKENS_PER_GOOGLE_IMAGE },
  output: { total: 0 },
});
