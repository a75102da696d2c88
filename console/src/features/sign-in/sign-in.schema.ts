import type { TFunction } from 'i18next';
import { z } from 'zod';

/** Characters, as the server counts them. */
const USERNAME = { min: 3, max: 12 };
const PASSWORD = { min: 8, max: 128 };

export function loginSchema(t: TFunction) {
  return z.object({
    username: z.string().refine((text) => text.trim() !== '', t('signIn.login.missing')),
    password: z.string().min(1, t('signIn.login.missing')),
  });
}

export function registerSchema(t: TFunction) {
  return z
    .object({
      username: z
        .string()
        .trim()
        .min(USERNAME.min, t('signIn.error.usernameLength'))
        .max(USERNAME.max, t('signIn.error.usernameLength'))
        .regex(/^[\w.-]*$/, t('signIn.error.usernameForm')),
      password: z
        .string()
        .min(PASSWORD.min, t('signIn.error.passwordShort'))
        .max(PASSWORD.max, t('signIn.error.passwordLong')),
      confirm: z.string(),
    })
    .refine((values) => values.password === values.confirm, {
      path: ['confirm'],
      message: t('signIn.error.mismatch'),
    });
}

export type LoginValues = z.infer<ReturnType<typeof loginSchema>>;
export type RegisterValues = z.infer<ReturnType<typeof registerSchema>>;
