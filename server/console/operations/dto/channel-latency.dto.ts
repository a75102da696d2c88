import { z } from 'zod';

const milliseconds = (description: string) => z.int().nullable().meta({ description });
const dollars = (description: string) => z.number().nullable().meta({ description });

/** Times and prices of models at their channels over a period. */
export const channelLatencySchema = z
  .object({
    from: z.int().meta({ description: 'seconds' }),
    to: z.int().meta({ description: 'seconds' }),
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when attempts are counted, seconds; null = none was yet' }),
    total: z.int().meta({ description: 'pairs of model and channel with attempts, left out ones included' }),
    rows: z
      .array(
        z.object({
          channel_id: z.int(),
          channel_name: z.string().meta({ description: 'empty = the channel never existed' }),
          model: z.string(),
          attempts: z.int(),
          failures: z.int(),
          first_token_p50_ms: milliseconds('of streamed answers; null = none'),
          first_token_p95_ms: milliseconds('of streamed answers; null = none'),
          duration_p50_ms: milliseconds('of attempts that answered; null = none'),
          duration_p95_ms: milliseconds('of attempts that answered; null = none'),
          tokens_per_second: z
            .number()
            .nullable()
            .meta({ description: 'of streamed answers after their first token; null = none' }),
          price_input: dollars(
            'dollars per million input tokens before the factor of a group; null = no such price',
          ),
          price_output: dollars(
            'dollars per million output tokens before the factor of a group; null = no such price',
          ),
          price_per_call: dollars('dollars before the factor of a group; null = no price by calls'),
        }),
      )
      .meta({ description: 'most attempts first, 500 at most' }),
  })
  .meta({ id: 'ChannelLatency' });

export type ChannelLatencyView = z.infer<typeof channelLatencySchema>;
