import { z } from 'zod';

const field = z.string().max(1_000).default('');

export const loginSchema = z
  .object({
    username: field,
    password: field,
    unlock: z.string().max(128).default('').meta({
      description: 'what the link of POST /api/user/login/unlock carries',
    }),
  })
  .meta({ id: 'Login' });
export type Login = z.infer<typeof loginSchema>;

/** POST /api/user/login/unlock */
export const unlockSchema = z
  .object({ username: field.meta({ description: 'name or mail address' }) })
  .meta({ id: 'LoginUnlock' });
export type Unlock = z.infer<typeof unlockSchema>;

/** `email` and `verification_code` count while registering needs a code sent by mail. */
export const registrationSchema = z
  .object({
    username: field,
    password: field,
    password2: field.optional(),
    email: field,
    verification_code: z.string().max(50).default(''),
    aff_code: z.string().max(32).default(''),
  })
  .meta({ id: 'Registration' });
export type Registration = z.infer<typeof registrationSchema>;

/** POST /api/user/login/2fa */
export const secondStepInputSchema = z
  .object({
    ticket: z.string().max(128).optional(),
    code: z.string().max(64).default('').meta({
      description: 'six digits of the authenticator app, or a recovery code',
    }),
  })
  .meta({ id: 'SecondStepInput' });
export type SecondStepInput = z.infer<typeof secondStepInputSchema>;
