import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { emailSchema } from '../../shared/identity/identity.schema';
import { LIMITS } from '../../shared/form/limits';
import { atMost } from '../../shared/form/rules';

/** `withEmail`: the instance asks for an address and the code it was sent. */
export function registerSchema(t: TFunction, withEmail: boolean) {
  return z
    .object({
      username: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, t('signIn.error.usernameMissing')),
          z.minLength(LIMITS.username.min, t('signIn.error.usernameLength')),
          z.maxLength(LIMITS.username.max, t('signIn.error.usernameLength')),
          z.regex(/^[\w.-]*$/, t('signIn.error.usernameForm')),
        ),
      password: z
        .string()
        .check(
          z.minLength(1, t('signIn.error.passwordMissing')),
          z.minLength(LIMITS.password.min, t('signIn.error.passwordShort')),
          atMost(t, LIMITS.password.max, t('signIn.error.passwordLong')),
        ),
      confirm: z.string(),
      email: withEmail ? emailSchema(t) : z.literal(''),
      code: withEmail
        ? z.string().check(z.trim(), z.minLength(1, t('identity.code.missing')))
        : z.literal(''),
    })
    .check(
      z.refine((values) => values.password === values.confirm, {
        path: ['confirm'],
        message: t('signIn.error.mismatch'),
      }),
    );
}

export interface LoginValues {
  readonly username: string;
  readonly password: string;
}

export type RegisterValues = z.infer<ReturnType<typeof registerSchema>>;
