import { z } from 'zod';

const tokens = z.array(z.int().min(0)).min(1);

/** Most inputs of one call. */
const MAX_INPUTS = 2_048;

/** Body of an embedding request, strict about what we read and silent about the rest. */
export const embeddingRequestSchema = z.looseObject({
  input: z.union([
    z.string().min(1),
    tokens,
    z
      .array(z.union([z.string().min(1), tokens]))
      .min(1)
      .max(MAX_INPUTS),
  ]),
  dimensions: z.int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'dimensions',
  'encoding_format',
  'user',
]);
