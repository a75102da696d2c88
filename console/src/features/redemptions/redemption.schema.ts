import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../../shared/form/limits';
import { atMost, wholeNumber } from '../../shared/form/rules';
import type { Redemption, RedemptionInput } from './api';

/** Rules of the server that are checked while typing. */
export function redemptionSchema(t: TFunction, before?: Redemption) {
  return z.object({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, t('redemptions.error.name')),
        atMost(t, LIMITS.codeName, t('redemptions.error.name')),
      ),
    quota: wholeNumber(t, { min: 1, max: LIMITS.codeQuota }),
    count: z
      .int(t('redemptions.error.count'))
      .check(z.gte(1, t('redemptions.error.count')), z.lte(LIMITS.codesAtOnce, t('redemptions.error.count'))),
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

/** Initial values of a new code. */
export const NEW_REDEMPTION: RedemptionValues = { name: '', quota: 100_000, count: 1, expires: undefined };

export function toValues(code: Redemption): RedemptionValues {
  const expires = code.expired_time === 0 ? undefined : code.expired_time;
  return { name: code.name, quota: code.quota, count: 1, expires };
}

export function toInput(values: RedemptionValues): RedemptionInput {
  return { name: values.name.trim(), quota: values.quota, expired_time: values.expires ?? 0 };
}
