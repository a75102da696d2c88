import { z } from 'zod';
import { filterEnd, filterMoment, filterText, timeZone } from '../../../common/query.js';
import { USAGE_GRAINS } from '../../../base/billing/ledger/usage-buckets.js';

/** Use of one quarter of an hour, hour or day. What a view does not group by is empty or 0. */
export const useSchema = z
  .object({
    id: z.int().meta({ description: 'position in the answer' }),
    user_id: z.int(),
    username: z.string(),
    model_name: z.string(),
    created_at: z.int().meta({ description: 'start of the quarter, hour or day, seconds' }),
    token_used: z.int(),
    count: z.int(),
    quota: z.int(),
  })
  .meta({ id: 'Use' });
export type UseView = z.infer<typeof useSchema>;

const span = {
  start_timestamp: filterMoment().meta({ description: 'seconds; a day before the end when absent' }),
  end_timestamp: filterEnd().meta({ description: 'seconds; now when absent or 0' }),
  grain: z
    .enum(['', ...USAGE_GRAINS])
    .default('')
    .transform((grain) => (grain === '' ? 'quarter' : grain))
    .meta({
      description:
        'what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day',
    }),
  time_zone: timeZone(),
};
export const useQuerySchema = z.object(span);
export type UseQuery = z.infer<typeof useQuerySchema>;
export const adminUseQuerySchema = z.object({ ...span, username: filterText(64) });
export type AdminUseQuery = z.infer<typeof adminUseQuerySchema>;
