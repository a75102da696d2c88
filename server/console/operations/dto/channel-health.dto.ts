import { z } from 'zod';
import { filterEnd, filterMoment } from '../../../common/query.js';

const perHour = (description: string) => z.array(z.int()).meta({ description });
const times = (description: string) =>
  z.array(z.number().nullable()).meta({ description: `${description}; null = none answered` });

export const channelFailureSchema = z
  .object({
    at: z.int().meta({ description: 'seconds' }),
    model: z.string(),
    reason: z.string().meta({ description: 'kind of failure, such as upstream-key-refused' }),
    status: z.int().meta({ description: 'status of the provider; 0 = it did not answer' }),
    message: z.string().meta({ description: "the provider's own sentence without secrets; empty = none" }),
  })
  .meta({ id: 'ChannelFailure' });

export const channelCircuitSchema = z
  .object({
    model: z.string().meta({ description: 'empty = the whole channel' }),
    since: z.int().meta({ description: 'seconds' }),
    retry_at: z.int().nullable().meta({
      description: 'seconds; when a call is let through again, in the past = now; null = not known',
    }),
    keys: z.array(z.int()).meta({ description: 'places of the keys that rest; empty = one key' }),
    workers: z.int(),
  })
  .meta({ id: 'ChannelCircuit' });

/** 24 hours of every channel, oldest hour first. */
export const channelHealthSchema = z
  .object({
    since: z.int().meta({ description: 'start of the first bucket, seconds' }),
    bucket_seconds: z.int(),
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when attempts are counted, seconds; null = none was yet' }),
    channels: z.array(
      z.object({
        channel_id: z.int(),
        success: perHour('attempts less failures'),
        errors: perHour('the same as failures'),
        median_seconds: times('median duration of attempts that answered'),
        attempts: perHour('attempts, those of retried calls among them'),
        failures: perHour('attempts that failed through the channel: its provider, key or address'),
        billed_empty_tokens: perHour(
          'tokens that the provider bills for attempts that failed; no caller is charged',
        ),
        median_ms: times('median duration of attempts that answered'),
        p95_ms: times('95 % of the attempts that answered took at most this long'),
        last_failure: channelFailureSchema.nullable(),
        circuits: z.array(channelCircuitSchema),
      }),
    ),
  })
  .meta({ id: 'ChannelHealth' });

export type ChannelHealthView = z.infer<typeof channelHealthSchema>;

export const channelStatisticsQuerySchema = z.object({
  start_timestamp: filterMoment().meta({
    description: 'seconds, inclusive; 24 hours before the end when absent',
  }),
  end_timestamp: filterEnd().meta({ description: 'seconds, inclusive; now when absent or 0' }),
});
export type ChannelStatisticsQuery = z.infer<typeof channelStatisticsQuerySchema>;

const figures = {
  attempts: z.int(),
  failures: z.int(),
  billed_tokens: z.int().meta({ description: 'tokens that the provider bills for attempts that failed' }),
  first_token_p50_ms: z.int().nullable().meta({ description: 'of streamed answers; null = none' }),
  first_token_p95_ms: z.int().nullable(),
  duration_p50_ms: z.int().nullable().meta({ description: 'of attempts that answered; null = none' }),
  duration_p95_ms: z.int().nullable(),
};

/** Attempts at one channel over a period. */
export const channelStatisticsSchema = z
  .object({
    channel_id: z.int(),
    from: z.int().meta({ description: 'start of the first bucket, seconds' }),
    to: z.int().meta({ description: 'seconds' }),
    bucket_seconds: z.int(),
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when attempts are counted, seconds; null = none was yet' }),
    totals: z.object(figures),
    series: z.array(z.object({ at: z.int().meta({ description: 'seconds' }), ...figures })),
    reasons: z
      .array(
        z.object({
          reason: z
            .string()
            .meta({ description: 'kind of failure; unfinished = the gateway stopped before its end' }),
          status: z.int().meta({ description: 'status of the provider; 0 = it did not answer' }),
          attempts: z.int(),
          is_channel_failure: z
            .boolean()
            .meta({ description: 'false = the caller, its request or the gateway ended the attempt' }),
        }),
      )
      .meta({ description: 'why attempts have no whole answer, most frequent first' }),
    models: z.array(
      z.object({
        model: z.string(),
        ...figures,
        tokens_per_second: z
          .number()
          .nullable()
          .meta({ description: 'of streamed answers after their first token; null = none' }),
      }),
    ),
    last_failure: channelFailureSchema.nullable(),
    circuits: z.array(channelCircuitSchema),
  })
  .meta({ id: 'ChannelStatistics' });

export type ChannelStatisticsView = z.infer<typeof channelStatisticsSchema>;
export type ChannelFailureView = z.infer<typeof channelFailureSchema>;
export type ChannelCircuitView = z.infer<typeof channelCircuitSchema>;
