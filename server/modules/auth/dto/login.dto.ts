import { z } from 'zod';

const field = z.string().max(1_000).default('');

export const loginSchema = z.object({ username: field, password: field }).meta({ id: 'Login' });
export type Login = z.infer<typeof loginSchema>;

/** `password2`, `email` and `verification_code` are what existing clients send; they are not looked at yet. */
export const registrationSchema = z
  .object({ username: field, password: field, aff_code: z.string().max(32).default('') })
  .meta({ id: 'Registration' });
export type Registration = z.infer<typeof registrationSchema>;
