import { z } from 'zod';

export const optionSchema = z
  .object({
    key: z.string(),
    value: z.string(),
    /** Secrets only: whether a value is stored. The value itself is never answered. */
    is_set: z.boolean().optional(),
  })
  .meta({ id: 'Option' });

const inputSchema = z
  .object({
    key: z.string().min(1).max(191),
    value: z.union([z.string().max(1_000_000), z.number(), z.boolean(), z.null()]),
  })
  .meta({ id: 'OptionInput' });

/** One option, or a list of pairs that is stored as a whole or not at all (OPT-8). */
export const optionUpdateSchema = z.union([inputSchema, z.array(inputSchema).min(1).max(200)]);
export type OptionUpdate = z.infer<typeof optionUpdateSchema>;

export const optionChangeSchema = z
  .object({
    revision: z.int(),
    key: z.string(),
    old_value: z.string().nullable(),
    new_value: z.string().nullable(),
    actor_id: z.int(),
    changed_at: z.int(),
  })
  .meta({ id: 'OptionChange' });
export type OptionChangeView = z.infer<typeof optionChangeSchema>;
