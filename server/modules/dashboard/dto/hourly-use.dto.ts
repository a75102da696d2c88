import { z } from 'zod';
import { filterEnd, filterMoment, filterText } from '../../../common/query.js';

/** Use of one hour. What a view does not group by is empty or 0. */
export const hourlyUseSchema = z
  .object({
    id: z.int().meta({ description: 'position in the answer' }),
    user_id: z.int(),
    username: z.string(),
    model_name: z.string(),
    created_at: z.int().meta({ description: 'start of the hour, seconds' }),
    token_used: z.int(),
    count: z.int(),
    quota: z.int(),
  })
  .meta({ id: 'HourlyUse' });
export type HourlyUseView = z.infer<typeof hourlyUseSchema>;

/** `default_time` of older consoles means nothing: days and weeks are grouped by whoever shows them, in his time zone. */
const span = {
  start_timestamp: filterMoment().meta({ description: 'seconds; a day before the end when absent' }),
  end_timestamp: filterEnd().meta({ description: 'seconds; now when absent or 0' }),
};
export const useQuerySchema = z.object(span);
export type UseQuery = z.infer<typeof useQuerySchema>;
export const adminUseQuerySchema = z.object({ ...span, username: filterText(64) });
export type AdminUseQuery = z.infer<typeof adminUseQuerySchema>;
