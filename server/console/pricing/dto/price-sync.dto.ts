import { z } from 'zod';
import { SYNCED_KEYS } from '../options-of-price.js';

/** Published lists have a few megabytes. */
export const MAX_LIST_BYTES = 16 * 1024 * 1024;

export const priceSyncSchema = z
  .object({
    /** Text of the list; or `url`. */
    document: z.string().max(MAX_LIST_BYTES).default(''),
    url: z.string().max(2_048).default(''),
    /** Only what these services charge, as the list calls them, the first the best; empty = the makers' own. */
    providers: z.array(z.string().min(1).max(100)).max(100).default([]),
  })
  .meta({ id: 'PriceSyncRequest' });
export type PriceSyncRequest = z.infer<typeof priceSyncSchema>;

const differenceSchema = z.object({
  model: z.string(),
  provider: z.string(),
  state: z.enum(['added', 'changed', 'same', 'unsupported']),
  reason: z.string().meta({ description: 'why it is unsupported' }),
  entries: z.array(
    z.object({
      key: z.enum(SYNCED_KEYS),
      current: z.unknown().meta({ description: 'null = no entry' }),
      listed: z.unknown().meta({ description: 'null = the entry goes' }),
    }),
  ),
});

export const priceSyncResultSchema = z
  .object({
    format: z.enum(['models.dev', 'litellm']),
    counts: z.object({ added: z.int(), changed: z.int(), same: z.int(), unsupported: z.int() }),
    providers: z.array(z.string()).meta({ description: 'services the list names' }),
    items: z.array(differenceSchema),
  })
  .meta({ id: 'PriceSync' });
export type PriceSync = z.infer<typeof priceSyncResultSchema>;

export const priceSyncApplySchema = z
  .object({
    items: z
      .array(
        z.object({
          model: z.string().min(1).max(255),
          entries: z
            .array(z.object({ key: z.enum(SYNCED_KEYS), listed: z.unknown() }))
            .min(1)
            .max(SYNCED_KEYS.length),
        }),
      )
      .min(1)
      .max(10_000),
    note: z.string().max(500).default(''),
  })
  .meta({ id: 'PriceSyncApply' });
export type PriceSyncApply = z.infer<typeof priceSyncApplySchema>;
