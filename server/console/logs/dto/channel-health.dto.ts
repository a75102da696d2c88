import { z } from 'zod';

/** 24 hours of one channel, oldest hour first. */
export const channelHealthSchema = z
  .object({
    since: z.int().meta({ description: 'start of the first bucket, seconds' }),
    bucket_seconds: z.int(),
    channels: z.array(
      z.object({
        channel_id: z.int(),
        success: z.array(z.int()),
        errors: z.array(z.int()),
        median_seconds: z
          .array(z.number().nullable())
          .meta({ description: 'median duration of successful calls; null = none' }),
      }),
    ),
  })
  .meta({ id: 'ChannelHealth' });

export type ChannelHealthView = z.infer<typeof channelHealthSchema>;
