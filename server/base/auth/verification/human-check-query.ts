import { z } from 'zod';

/** Token of the human check; ignored while the check is off. */
export const turnstileToken = z.string().max(4_096).default('');

/** Query of routes with a human check. */
export const humanCheckQuerySchema = z.object({ turnstile: turnstileToken });
export type HumanCheckQuery = z.infer<typeof humanCheckQuerySchema>;
