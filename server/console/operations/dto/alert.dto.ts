import { z } from 'zod';
import { filterText, oneBasedPaging, pageSize } from '../../../common/query.js';
import { severitySchema } from './status.dto.js';

const alertSchema = z
  .object({
    id: z.int(),
    rule: z.string(),
    subject: z.string(),
    severity: severitySchema,
    title: z.string(),
    sentence: z.string(),
    remedy: z.string(),
    since: z.int().meta({ description: 'when it began; seconds' }),
    opened_at: z.int().meta({ description: 'when it became an alert; seconds' }),
    over_at: z.int().nullable().meta({ description: 'seconds; null = it lasts' }),
    repeats: z.int().meta({ description: 'how often it began again within the quiet time' }),
    told_at: z.int().meta({ description: 'seconds; 0 = nobody was told yet' }),
    tell_fault: z.string().meta({ description: 'why somebody could not be told; empty = everybody was' }),
    acknowledged_at: z.int().meta({ description: 'seconds; 0 = nobody has' }),
    acknowledged_by: z.string(),
  })
  .meta({ id: 'OperationsAlert' });
export type AlertView = z.infer<typeof alertSchema>;

export const alertPageSchema = z
  .object({ items: z.array(alertSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'OperationsAlertPage' });

/** GET /api/operations/alerts */
export const alertQuerySchema = z.object({
  ...oneBasedPaging(),
  page_size: pageSize(),
  state: filterText(8).meta({ description: 'open, over; empty = both' }),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;

/** POST /api/operations/alerts/test */
export const alertTestSchema = z
  .object({ reached: z.int(), fault: z.string() })
  .meta({ id: 'OperationsAlertTest' });
