import { z } from 'zod';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

/** Body of a text completion, as far as a conversation can express it; members we do not know are kept. */
export const completionRequestSchema = z.looseObject({
  prompt: z.union([z.string(), z.array(z.unknown())]),
  suffix: z.string().nullish(),
  echo: z.boolean().nullish(),
  max_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  user: z.string().nullish(),
});

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(completionRequestSchema.shape),
  'model',
  'n',
  'stream',
  'stream_options',
]);
