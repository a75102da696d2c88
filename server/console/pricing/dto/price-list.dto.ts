import { z } from 'zod';

const tierSchema = z.object({
  above: z.int().meta({ description: 'for calls with more input tokens than this' }),
  input: z.number().meta({ description: 'factor of the usual price' }),
  output: z.number(),
});

/** Price of a model. Ratios of calls priced by tokens: 1 = 2 dollars per million input tokens. */
export const priceEntrySchema = z
  .object({
    model_name: z.string(),
    quota_type: z.int().meta({ description: '0 priced by use, 1 a price per call' }),
    model_ratio: z.number(),
    model_price: z.number().meta({ description: 'dollars per call; 0 when priced by use' }),
    owner_by: z.string(),
    completion_ratio: z.number(),
    cache_ratio: z.number(),
    create_cache_ratio: z.number(),
    image_ratio: z.number(),
    image_completion_ratio: z.number(),
    reasoning_ratio: z
      .number()
      .meta({ description: 'output the model only thought; as completion_ratio when it has no price' }),
    audio_ratio: z.number(),
    audio_completion_ratio: z.number(),
    long_context: z.array(tierSchema),
    tool_prices: z
      .record(z.string(), z.number())
      .meta({ description: 'tools the vendor runs: dollars per thousand uses' }),
    service_tiers: z
      .record(z.string(), z.number())
      .meta({ description: 'classes of service with a factor of their own on what tokens cost' }),
    picture_factors: z.array(z.object({ name: z.string(), ratio: z.number() })).meta({
      description: 'sizes and qualities that multiply the price of a picture; others cost the price itself',
    }),
    account_group_ratio: z.number().nullable().meta({
      description:
        "factor agreed for accounts of the caller's group and this model; it replaces that of every group. null = none",
    }),
    is_price_unset: z.boolean().meta({ description: 'nobody set a price: the ratio is the fallback' }),
    enable_groups: z.array(z.string()).meta({ description: 'groups the caller may use it in' }),
    supported_endpoint_types: z.array(z.string()),
    vendor: z.string().meta({ description: 'who made it; empty when its name does not say' }),
  })
  .meta({ id: 'PriceEntry' });
export type PriceEntry = z.infer<typeof priceEntrySchema>;

export const ratioConfigSchema = z
  .object({
    model_ratio: z.record(z.string(), z.number()),
    completion_ratio: z.record(z.string(), z.number()),
    cache_ratio: z.record(z.string(), z.number()),
    create_cache_ratio: z.record(z.string(), z.number()),
    model_price: z.record(z.string(), z.number()),
  })
  .meta({ id: 'RatioConfig' });
export type RatioConfig = z.infer<typeof ratioConfigSchema>;
