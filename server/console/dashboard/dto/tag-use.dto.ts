import { z } from 'zod';
import { useQuerySchema } from './use.dto.js';

/** Charges by tag or end user and day in UTC. */
export const tagUseSchema = z
  .object({
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when charges are summed this way, seconds; null = none was yet' }),
    rows: z.array(
      z.object({
        user_id: z.int().meta({ description: 'account of the tag or end user; 0 = all others together' }),
        username: z.string().meta({ description: 'name of the account; empty for all others together' }),
        value: z.string().meta({ description: 'tag or end user; empty = all others together' }),
        created_at: z.int().meta({ description: 'start of the day in UTC, seconds' }),
        token_used: z.int(),
        count: z.int(),
        quota: z.int(),
      }),
    ),
  })
  .meta({ id: 'TagUse' });
export type TagUseView = z.infer<typeof tagUseSchema>;

export const tagUseQuerySchema = useQuerySchema.omit({ grain: true, time_zone: true }).extend({
  by: z
    .enum(['', 'tag', 'end_user'])
    .default('')
    .transform((by) => (by === '' ? 'tag' : by))
    .meta({ description: 'tag (the default) or end_user' }),
});
export type TagUseQuery = z.infer<typeof tagUseQuerySchema>;
