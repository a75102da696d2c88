import { z } from 'zod';

export const weeklyEmailSchema = z
  .object({
    enabled: z.boolean(),
    available: z.boolean().meta({
      description: 'false while WeeklyEmailEnabled is off, or no mail server or public address is set',
    }),
    address: z.string().meta({ description: 'where it goes; empty = the account has no mail address' }),
    next_at: z.int().nullable().meta({ description: 'seconds; null = switched off' }),
  })
  .meta({ id: 'WeeklyEmail' });
export type WeeklyEmailView = z.infer<typeof weeklyEmailSchema>;

export const weeklyEmailChangeSchema = z.object({ enabled: z.boolean() }).meta({ id: 'WeeklyEmailChange' });
export type WeeklyEmailChange = z.infer<typeof weeklyEmailChangeSchema>;

/** Address of a stop link. Anything else gets the page of a link that is not genuine. */
export const stopQuerySchema = z.object({
  account: z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number)
    .catch(0),
  signature: z.string().max(64).catch(''),
});
export type StopQuery = z.infer<typeof stopQuerySchema>;
