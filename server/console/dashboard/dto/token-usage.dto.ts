import { z } from 'zod';

/** Granted and used amounts of a token, in quota. */
export const tokenUsageSchema = z
  .object({
    object: z.literal('token_usage'),
    name: z.string(),
    total_granted: z.int().meta({ description: 'used and available together' }),
    total_used: z.int(),
    total_available: z.int(),
    unlimited_quota: z.boolean(),
    model_limits: z.record(z.string(), z.literal(true)),
    model_limits_enabled: z.boolean(),
    expires_at: z.int().meta({ description: 'seconds; 0 = never' }),
  })
  .meta({ id: 'TokenUsage' });
export type TokenUsageView = z.infer<typeof tokenUsageSchema>;
