import { z } from 'zod';
import { turnstileToken as turnstile } from '../../verification/human-check-query.js';

const shortText = z.string().max(1_000).default('');

/** `purpose` is for signed-in callers: `notification` proves an address for warnings, anything else binds one. */
export const codeQuerySchema = z.object({
  email: shortText,
  turnstile,
  purpose: z.string().max(50).default(''),
});
export type CodeQuery = z.infer<typeof codeQuerySchema>;

export const resetQuerySchema = z.object({ email: shortText, turnstile });
export type ResetQuery = z.infer<typeof resetQuerySchema>;

export const passwordResetSchema = z
  .object({ email: shortText, token: shortText })
  .meta({ id: 'PasswordReset' });
export type PasswordResetInput = z.infer<typeof passwordResetSchema>;

export const mailBindingSchema = z.object({ email: shortText, code: shortText }).meta({ id: 'MailBinding' });
export type MailBindingInput = z.infer<typeof mailBindingSchema>;
