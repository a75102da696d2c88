import { z } from 'zod';

/** Most documents of one call (the vendors' own bounds are 1,000 to 10,000). */
export const MAX_DOCUMENTS = 10_000;

/** Body of a rerank request, strict about what we read and silent about the rest. */
export const rerankRequestSchema = z.looseObject({
  query: z.string().min(1),
  documents: z
    .array(z.union([z.string(), z.looseObject({})]))
    .min(1)
    .max(MAX_DOCUMENTS),
  top_n: z.int().min(1).nullish(),
  return_documents: z.boolean().nullish(),
});

export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(rerankRequestSchema.shape),
  'model',
  'stream',
]);
