import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { REASON_MAX } from './adjust-quota';

const PASSWORD = { min: 8, max: 128 };

/** Whose account the form is about: rules differ a little. */
export type UserFormKind = 'new' | 'other' | 'own';

/** Rules of the server that can be told while typing. */
export function userSchema(t: TFunction, kind: UserFormKind) {
  const isNew = kind === 'new';
  const fields = z.object({
    username: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, t('users.error.required')),
        z.regex(/^[\w.-]{3,64}$/, t('users.error.username')),
      ),
    displayName: z.string().check(z.maxLength(20, t('common.form.tooLong', { max: 20 }))),
    password: z.string().check(
      z.refine((text) => {
        const length = [...text].length;
        return (!isNew && length === 0) || (length >= PASSWORD.min && length <= PASSWORD.max);
      }, t('users.error.password')),
    ),
    original: z.string(),
    group: z.string(),
    quota: z
      .number(t('common.form.notNumber'))
      .check(z.refine(Number.isSafeInteger, t('common.form.notInteger'))),
    reason: z
      .string()
      .check(z.trim(), z.maxLength(REASON_MAX, t('common.form.tooLong', { max: REASON_MAX }))),
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
