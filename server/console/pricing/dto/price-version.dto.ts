import { z } from 'zod';
import { filterNumber, positiveInteger } from '../../../common/query.js';

const versionShape = {
  id: z.int(),
  created_at: z.int().meta({ description: 'seconds' }),
  actor_id: z.int(),
  actor: z.string(),
  source: z.string().meta({ description: 'edit, reset, rollback, sync' }),
  note: z.string(),
  keys: z.array(z.string()).meta({ description: 'options that changed' }),
};

/** A change of the price list: what was saved together. */
export const priceVersionSchema = z.object(versionShape).meta({ id: 'PriceVersion' });
export type PriceVersionView = z.infer<typeof priceVersionSchema>;

const entryChangeSchema = z.object({
  name: z.string().meta({ description: 'model, group or tool; empty where the option is a single value' }),
  old_value: z.string().nullable().meta({ description: 'null = was not there' }),
  new_value: z.string().nullable().meta({ description: 'null = is not there any more' }),
});

export const priceVersionDetailSchema = z
  .object({
    ...versionShape,
    changes: z.array(
      z.object({
        key: z.string(),
        old_value: z.string().nullable().meta({ description: 'whole text; null = was not stored' }),
        new_value: z.string().nullable(),
        entries: z.array(entryChangeSchema),
      }),
    ),
  })
  .meta({ id: 'PriceVersionDetail' });
export type PriceVersionDetail = z.infer<typeof priceVersionDetailSchema>;

export const priceVersionQuerySchema = z.object({
  /** Only versions older than this one; 0 = from the newest. */
  before: filterNumber(),
  size: filterNumber(),
});
export type PriceVersionQuery = z.infer<typeof priceVersionQuerySchema>;

export const priceRollbackSchema = z
  .object({
    to: z.enum(['before', 'after']).default('after'),
    note: z.string().max(500).default(''),
  })
  .meta({ id: 'PriceRollback' });
export type PriceRollback = z.infer<typeof priceRollbackSchema>;

export const priceVersionIdSchema = positiveInteger({ digits: 9 });
