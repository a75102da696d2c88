import { z } from 'zod';
import { bodyId } from '../../../common/query.js';

const changeSchema = z.strictObject({
  key: z.string().min(1).max(191),
  value: z.union([z.string().max(1_000_000), z.number(), z.boolean()]),
});

/** Strict: a misspelled field would otherwise show that nothing changes. */
export const pricePreviewSchema = z
  .strictObject({
    changes: z.array(changeSchema).max(50).default([]),
    /** Instead of `changes`: the prices as they were at a version. */
    version_id: bodyId().optional(),
    to: z.enum(['before', 'after']).default('after'),
    /** Instead of both: the built-in model ratios. */
    reset: z.boolean().default(false),
    days: z.int().min(1).max(90).default(7),
  })
  .meta({ id: 'PricePreviewRequest' });
export type PricePreviewRequest = z.infer<typeof pricePreviewSchema>;

const sums = {
  calls: z.int(),
  charged: z.int().meta({ description: 'quota the calls were priced at when they were made' }),
  before: z.int().meta({ description: "quota they would cost by today's prices" }),
  after: z.int().meta({ description: 'quota they would cost by the new prices' }),
};

/** Effect of a price change on the calls of the last days. */
export const pricePreviewResultSchema = z
  .object({
    days: z.int(),
    ...sums,
    written_off: z.int().meta({ description: 'part of `charged` the balances did not cover' }),
    repriced_calls: z
      .int()
      .meta({ description: 'calls that cost something else by the new prices than by those of today' }),
    refused: z
      .object({
        calls: z.int(),
        models: z.array(z.object({ model: z.string(), calls: z.int(), before: sums.before })),
      })
      .meta({
        description:
          'calls of models that have a price today and none by the new prices: they would be refused, and count as 0 in `after`',
      }),
    not_repriced: z.object({
      no_price: z.int().meta({
        description: 'calls of models without a price, today and then; counted as if nothing changed',
      }),
      unknown_size: z.int().meta({
        description:
          'pictures priced by tokens then and by the picture now: their size was not kept; counted as if nothing changed',
      }),
      unreadable: z.int(),
    }),
    is_complete: z.boolean().meta({ description: 'false: more calls than are looked at; the newest were' }),
    models: z.array(z.object({ model: z.string(), group: z.string(), ...sums })),
    users: z.array(z.object({ user_id: z.int(), username: z.string(), ...sums })),
  })
  .meta({ id: 'PricePreview' });
export type PricePreview = z.infer<typeof pricePreviewResultSchema>;
