import type { TFunction } from 'i18next';
import { z } from 'zod';

/** Longest address mail can carry. */
const MAX_ADDRESS = 254;

/** A mail address as forms take it; the server has the last word. */
export function emailSchema(t: TFunction) {
  return z
    .string()
    .trim()
    .min(1, t('identity.email.missing'))
    .max(MAX_ADDRESS, t('identity.email.invalid'))
    .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, t('identity.email.invalid'));
}

/** Six digits of an authenticator app; people type them in groups. */
export function sixDigitsSchema(t: TFunction) {
  return z
    .string()
    .transform((text) => text.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, t('identity.code.sixDigits')));
}
