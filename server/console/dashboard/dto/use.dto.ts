import { z } from 'zod';
import { filterEnd, filterMoment, filterText, timeZone } from '../../../common/query.js';
import { USAGE_GRAINS } from '../../../base/billing/ledger/usage-buckets.js';

/** Use of one quarter of an hour, hour or day. What a view does not group by is empty or 0. */
export const useSchema = z
  .object({
    id: z.int().meta({ description: 'position in the answer' }),
    user_id: z.int(),
    username: z.string(),
    model_name: z.string(),
    created_at: z.int().meta({ description: 'start of the quarter, hour or day, seconds' }),
    token_used: z.int(),
    count: z.int(),
    quota: z.int(),
  })
  .meta({ id: 'Use' });
export type UseView = z.infer<typeof useSchema>;

const span = {
  start_timestamp: filterMoment().meta({ description: 'seconds; a day before the end when absent' }),
  end_timestamp: filterEnd().meta({ description: 'seconds; now when absent or 0' }),
  grain: z
    .enum(['', ...USAGE_GRAINS])
    .default('')
    .transform((grain) => (grain === '' ? 'quarter' : grain))
    .meta({
      description:
        'what is summed up: quarter (of an hour, the default; hours where those are too many rows), hour, or day',
    }),
  time_zone: timeZone(),
};
/** Use of one token or channel in one quarter of an hour, hour or day. */
export const referenceUseSchema = z
  .object({
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when charges are summed this way, seconds; null = none was yet' }),
    rows: z.array(
      z.object({
        reference: z.int().meta({ description: 'id of the token or channel; 0 = all others together' }),
        name: z.string(),
        username: z.string().meta({ description: 'owner of the token; empty for channels' }),
        created_at: z.int().meta({ description: 'start of the quarter, hour or day, seconds' }),
        token_used: z.int(),
        count: z.int(),
        quota: z.int(),
      }),
    ),
  })
  .meta({ id: 'ReferenceUse' });
export type ReferenceUseView = z.infer<typeof referenceUseSchema>;

const times = (description: string) => z.int().nullable().meta({ description });
const attemptFigures = {
  attempts: z.int(),
  failures: z.int().meta({ description: 'attempts that failed through the channel' }),
  first_token_p50_ms: times('of streamed answers; null = none'),
  first_token_p95_ms: times('of streamed answers; null = none'),
  duration_p50_ms: times('of attempts that answered; null = none'),
  duration_p95_ms: times('of attempts that answered; null = none'),
};

/** Attempts of a span: together, by hour or day, and by model or channel. */
export const attemptUseSchema = z
  .object({
    counted_since: z
      .int()
      .nullable()
      .meta({ description: 'since when attempts are counted, seconds; null = none was yet' }),
    total: z.object(attemptFigures),
    series: z.array(
      z.object({
        created_at: z.int().meta({ description: 'start of the hour or day, seconds' }),
        ...attemptFigures,
      }),
    ),
    lines: z
      .array(
        z.object({
          reference: z.int().meta({ description: 'id of the channel; 0 = a model' }),
          name: z.string(),
          ...attemptFigures,
        }),
      )
      .meta({ description: 'with most attempts first, 50 at most' }),
  })
  .meta({ id: 'AttemptUse' });
export type AttemptUseView = z.infer<typeof attemptUseSchema>;

export const useQuerySchema = z.object(span);
export type UseQuery = z.infer<typeof useQuerySchema>;
export const adminUseQuerySchema = z.object({ ...span, username: filterText(64) });
export const attemptUseQuerySchema = z.object({
  ...span,
  by: z
    .enum(['', 'model', 'channel'])
    .default('')
    .transform((by) => (by === '' ? 'model' : by))
    .meta({
      description: 'model (the default) or channel',
    }),
});
export type AttemptUseQuery = z.infer<typeof attemptUseQuerySchema>;
export type AdminUseQuery = z.infer<typeof adminUseQuerySchema>;
