import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../form/limits';

/** A username as it is given, or changed by its owner. */
export function usernameSchema(t: TFunction, missing = t('users.error.username')) {
  const { min, given } = LIMITS.username;
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.regex(new RegExp(`^[\\w.-]{${min},${given}}$`), t('users.error.username')),
    );
}
