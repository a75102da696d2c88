import { z } from 'zod';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

/** One item of the input; what it must hold depends on its type and is looked at by the reader. */
const item = z.looseObject({ type: z.string().nullish() });

const tool = z.looseObject({ type: z.string() });

/** Body of a Responses request: numbers in range, shapes right; members we do not know are kept. */
export const responsesRequestSchema = z.looseObject({
  input: z.union([z.string(), z.array(item)]).nullish(),
  instructions: z.string().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  user: z.string().nullish(),
});
export type OpenaiResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(responsesRequestSchema.shape),
  'model',
  'stream',
]);
