import { z } from 'zod';

const changeSchema = z.object({
  key: z.string().min(1).max(191),
  value: z.union([z.string().max(1_000_000), z.number(), z.boolean()]),
});

export const pricePreviewSchema = z
  .object({
    changes: z.array(changeSchema).max(50).default([]),
    /** Instead of `changes`: the prices as they were at a version. */
    version_id: z.int().min(1).optional(),
    to: z.enum(['before', 'after']).default('after'),
    days: z.int().min(1).max(90).default(7),
  })
  .meta({ id: 'PricePreviewRequest' });
export type PricePreviewRequest = z.infer<typeof pricePreviewSchema>;

const sums = {
  calls: z.int(),
  before: z.int().meta({ description: 'quota the calls were priced at' }),
  after: z.int().meta({ description: 'quota they would have cost' }),
};

/** What a change of prices would have meant for the calls of the last days. */
export const pricePreviewResultSchema = z
  .object({
    days: z.int(),
    ...sums,
    written_off: z.int().meta({ description: 'part of `before` the balances did not cover' }),
    repriced_calls: z.int().meta({ description: 'calls whose prices differ' }),
    not_repriced: z.object({
      no_price: z
        .int()
        .meta({ description: 'calls of models the new prices do not know; counted as before' }),
      unknown_size: z.int().meta({
        description:
          'pictures priced by tokens then and by the picture now: their size was not kept; counted as before',
      }),
      unreadable: z.int(),
    }),
    is_complete: z.boolean().meta({ description: 'false: more calls than are looked at; the newest were' }),
    models: z.array(z.object({ model: z.string(), group: z.string(), ...sums })),
    users: z.array(z.object({ user_id: z.int(), username: z.string(), ...sums })),
  })
  .meta({ id: 'PricePreview' });
export type PricePreview = z.infer<typeof pricePreviewResultSchema>;
