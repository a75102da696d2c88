import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../../shared/form/limits';
import { atMost, isPassword, wholeNumber } from '../../shared/form/rules';
import { usernameSchema } from '../../shared/identity/username.schema';

/** Owner of the form: rules differ a little. */
export type UserFormKind = 'new' | 'other' | 'own';

/** Rules of the server that are checked while typing. */
export function userSchema(t: TFunction, kind: UserFormKind) {
  const isNew = kind === 'new';
  const fields = z.object({
    username: usernameSchema(t, t('users.error.required')),
    displayName: z.string().check(atMost(t, LIMITS.displayName)),
    password: z
      .string()
      .check(z.refine((text) => (!isNew && text === '') || isPassword(text), t('users.error.password'))),
    original: z.string(),
    group: z.string(),
    quota: wholeNumber(t),
    reason: z.string().check(z.trim(), atMost(t, LIMITS.accountReason)),
  });
  return fields.check(
    z.refine(({ password, original }) => kind !== 'own' || password === '' || original !== '', {
      path: ['original'],
      message: t('users.error.original'),
    }),
  );
}

export type UserValues = z.infer<ReturnType<typeof userSchema>>;
export const NEW_USER: UserValues = {
  username: '',
  displayName: '',
  password: '',
  original: '',
  group: 'default',
  quota: 0,
  reason: '',
};
