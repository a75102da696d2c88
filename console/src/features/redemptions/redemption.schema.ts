import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import type { Redemption, RedemptionInput } from './api';

const MAX_NAME = 20;
const MAX_COUNT = 100;
const MAX_QUOTA = 1_000_000_000_000;

/** Rules of the server that can be told while typing. */
export function redemptionSchema(t: TFunction, before?: Redemption) {
  return z.object({
    name: z.string().check(
      z.trim(),
      z.minLength(1, t('redemptions.error.name')),
      z.refine((text) => [...text].length <= MAX_NAME, t('redemptions.error.name')),
    ),
    quota: z
      .number(t('common.form.notNumber'))
      .check(
        z.refine(Number.isSafeInteger, t('common.form.notInteger')),
        z.gte(1, t('common.form.atLeast', { min: 1 })),
        z.lte(MAX_QUOTA, t('common.form.atMost', { max: MAX_QUOTA })),
      ),
    count: z
      .number(t('redemptions.error.count'))
      .check(
        z.refine(Number.isSafeInteger, t('redemptions.error.count')),
        z.gte(1, t('redemptions.error.count')),
        z.lte(MAX_COUNT, t('redemptions.error.count')),
      ),
    /** Undefined = never. An expiry that passed may stay as it was. */
    expires: z.union(
      [
        z.undefined(),
        z
          .number()
          .check(
            z.refine(
              (seconds) => seconds > Date.now() / 1000 || seconds === before?.expired_time,
              t('redemptions.error.expires'),
            ),
          ),
      ],
      t('redemptions.error.expires'),
    ),
  });
}

export interface RedemptionValues {
  name: string;
  quota: number;
  count: number;
  /** Seconds; undefined = never. */
  expires: number | undefined;
}

/** What a new code starts with. */
export const NEW_REDEMPTION: RedemptionValues = { name: '', quota: 100_000, count: 1, expires: undefined };

export function toValues(code: Redemption): RedemptionValues {
  const expires = code.expired_time === 0 ? undefined : code.expired_time;
  return { name: code.name, quota: code.quota, count: 1, expires };
}

export function toInput(values: RedemptionValues): RedemptionInput {
  return { name: values.name.trim(), quota: values.quota, expired_time: values.expires ?? 0 };
}
