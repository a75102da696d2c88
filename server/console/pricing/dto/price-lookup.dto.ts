import { z } from 'zod';

/** Most models of one request; vendors list some hundreds. */
export const MAX_LOOKED_UP = 5_000;

export const priceLookupSchema = z
  .object({ models: z.array(z.string().min(1).max(255)).max(MAX_LOOKED_UP) })
  .meta({ id: 'PriceLookupRequest' });
export type PriceLookupRequest = z.infer<typeof priceLookupSchema>;

const dollars = (description: string) => z.number().nullable().meta({ description });

/** Price of a model that is served or may be soon, in dollars. */
export const modelPriceSchema = z
  .object({
    model: z.string(),
    is_priced: z.boolean().meta({ description: 'false: the instance has no price of this model' }),
    input: dollars('per million input tokens; null = no price by tokens'),
    output: dollars('per million output tokens; null = no price by tokens'),
    per_call: dollars('per call; null = no price by calls'),
    list_input: dollars(
      'built-in list price per million input tokens of a model without a price; null = none',
    ),
    list_output: dollars('built-in list price per million output tokens; null = none'),
    is_chat: z.boolean().meta({ description: 'whether it answers chats, by its name' }),
  })
  .meta({ id: 'ModelPrice' });
export type ModelPriceView = z.infer<typeof modelPriceSchema>;
