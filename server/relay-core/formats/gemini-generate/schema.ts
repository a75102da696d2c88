import { z } from 'zod';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

/** Most candidates one call may ask for. */
export const MAX_CANDIDATES = 128;

const part = z.looseObject({});

/** One turn, its members in their first spelling. */
const contentSchema = z.looseObject({
  role: z.enum(['user', 'model', 'function', 'system']).nullish(),
  parts: z.array(part).nullish(),
});

const generationConfigSchema = z.looseObject({
  temperature: z.number().min(0).max(5).nullish(),
  topP: z.number().min(0).max(1).nullish(),
  topK: z.number().min(0).nullish(),
  candidateCount: z.int().min(1).max(MAX_CANDIDATES).nullish(),
  maxOutputTokens: z.int().min(1).max(MAX_OUTPUT_CAP).nullish(),
  stopSequences: z.array(z.string()).max(16).nullish(),
  presencePenalty: z.number().min(-2).max(2).nullish(),
  frequencyPenalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  responseMimeType: z.string().nullish(),
  responseLogprobs: z.boolean().nullish(),
  logprobs: z.int().min(0).max(20).nullish(),
  thinkingConfig: z.looseObject({}).nullish(),
});
export type GeminiGenerationConfig = z.infer<typeof generationConfigSchema>;

/** Body of a generateContent request after its spelling was settled; members we do not know are kept. */
export const generateRequestSchema = z.looseObject({
  contents: z.union([z.array(contentSchema).min(1), contentSchema]),
  systemInstruction: z.union([z.string(), contentSchema]).nullish(),
  tools: z.array(z.looseObject({})).nullish(),
  toolConfig: z.looseObject({}).nullish(),
  generationConfig: generationConfigSchema.nullish(),
});
export type GeminiRequest = z.infer<typeof generateRequestSchema>;

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(generateRequestSchema.shape),
  'toolChoice',
  'model',
]);
