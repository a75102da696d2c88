import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../form/limits';
import { isSixDigits, withoutGaps } from './six-digits';

/** A mail address as forms take it; the server has the last word. */
export function emailSchema(t: TFunction) {
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, t('identity.email.missing')),
      z.maxLength(LIMITS.mailAddress, t('identity.email.invalid')),
      z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, t('identity.email.invalid')),
    );
}

/** Six digits of an authenticator app. */
export function sixDigitsSchema(t: TFunction) {
  return z.pipe(
    z.string().check(z.refine(isSixDigits, t('identity.code.sixDigits'))),
    z.transform(withoutGaps),
  );
}
