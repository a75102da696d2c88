import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from './limits';

/** At most so many characters, counted as the server counts them: an emoji is one. */
export const atMost = (t: TFunction, max: number, message = t('common.form.tooLong', { max })) =>
  z.refine<string>((text) => [...text].length <= max, message);

/** A whole number, as a number field gives it. */
export const wholeNumber = (t: TFunction, { min = -Infinity, max = Infinity } = {}) =>
  z
    .number(t('common.form.notNumber'))
    .check(
      z.refine(Number.isSafeInteger, t('common.form.notInteger')),
      z.gte(min, t('common.form.atLeast', { min })),
      z.lte(max, t('common.form.atMost', { max })),
    );

/** Returns true for a new password of a length that the server takes. */
export function isPassword(text: string): boolean {
  const { length } = [...text.normalize('NFC')];
  return length >= LIMITS.password.min && length <= LIMITS.password.max;
}
