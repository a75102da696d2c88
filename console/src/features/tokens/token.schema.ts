import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { joinList, splitList } from '../../shared/format/lists';
import { LIMITS } from '../../shared/form/limits';
import { atMost, wholeNumber } from '../../shared/form/rules';
import type { Token, TokenInput } from './api';

export const COUNT_PRESETS = [10, 20, 30, 100] as const;
/** Made one by one; more would keep the dialog waiting. */
export const MAX_TOKENS = 100;

export function tokenSchema(t: TFunction) {
  return z
    .object({
      name: z.string().check(
        z.refine((text) => text.trim() !== '', t('tokens.error.name')),
        atMost(t, LIMITS.tokenName),
      ),
      /** Undefined = never. */
      expires: z.union([z.undefined(), z.number()], t('tokens.error.expires')),
      unlimited: z.boolean(),
      quota: z.number(),
      count: z
        .int(t('tokens.error.count'))
        .check(z.gte(1, t('tokens.error.count')), z.lte(MAX_TOKENS, t('tokens.error.count'))),
      group: z.string(),
      models: z.array(z.string()),
      addresses: z.string(),
      tags: z.array(z.string()).check(
        z.refine(
          (tags) => tags.length <= LIMITS.tokenTags,
          t('tokens.error.tagCount', { most: LIMITS.tokenTags }),
        ),
        z.refine(
          (tags) => tags.every((tag) => Array.from(tag).length <= LIMITS.tokenTag),
          t('tokens.error.tagLength', { most: LIMITS.tokenTag }),
        ),
      ),
      needsEndUser: z.boolean(),
    })
    .check(
      z.superRefine((values, context) => {
        if (values.unlimited) return;
        const fault = wholeNumber(t, { min: 0 }).safeParse(values.quota).error?.issues[0];
        if (fault !== undefined)
          context.addIssue({ code: 'custom', path: ['quota'], message: fault.message });
      }),
    );
}

export interface TokenValues {
  name: string;
  /** Seconds; undefined = never. */
  expires: number | undefined;
  unlimited: boolean;
  quota: number;
  count: number;
  group: string;
  models: string[];
  addresses: string;
  tags: string[];
  needsEndUser: boolean;
}

export const NEW_TOKEN: TokenValues = {
  name: '',
  expires: undefined,
  unlimited: false,
  quota: 500_000,
  count: 1,
  group: '',
  models: [],
  addresses: '',
  tags: [],
  needsEndUser: false,
};

export function toValues(token: Token): TokenValues {
  return {
    name: token.name,
    expires: token.expired_time === -1 ? undefined : token.expired_time,
    unlimited: token.unlimited_quota,
    quota: token.remain_quota,
    count: 1,
    group: token.group,
    models: token.model_limits_enabled ? splitList(token.model_limits) : [],
    addresses: token.allow_ips,
    tags: splitList(token.tags),
    needsEndUser: token.needs_end_user,
  };
}

export function toToken(values: TokenValues): TokenInput {
  return {
    name: values.name.trim(),
    expired_time: values.expires ?? -1,
    unlimited_quota: values.unlimited,
    remain_quota: values.unlimited ? 0 : values.quota,
    group: values.group,
    model_limits_enabled: values.models.length > 0,
    model_limits: joinList(values.models),
    allow_ips: values.addresses.trim(),
    tags: joinList(values.tags),
    needs_end_user: values.needsEndUser,
  };
}
