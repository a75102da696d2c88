import { z } from 'zod';
import { bodyId, filterNumber, filterText, flag, oneBasedPaging, pageSize } from '../../../common/query.js';
import { LIMIT_MEASURES, LIMIT_PERIODS, LIMIT_SCOPES } from '../../../base/limits/limit-definition.js';

const SETTABLE_ACTIONS = ['refuse', 'warn', 'cheaper_model', 'pass_over'] as const;

export const limitUseSchema = z
  .object({
    value: z
      .string()
      .meta({ description: 'token, account, end user or tag where the limit applies to each; else empty' }),
    value_name: z.string().meta({ description: 'name of the token or account; else empty' }),
    used: z.int().meta({ description: 'settled, in the unit of the measure' }),
    held: z.int().meta({ description: 'set aside for running calls' }),
    amount: z.int().meta({ description: 'in force: that of the override while it lasts' }),
    starts_at: z.int().nullable().meta({ description: 'seconds; null = calls at once' }),
    resets_at: z.int().nullable().meta({ description: 'seconds; null = never, or nothing to reset' }),
    reached_at: z
      .int()
      .nullable()
      .meta({ description: 'seconds; when the amount is reached at this rate, null = not in this period' }),
  })
  .meta({ id: 'LimitUse' });
export type LimitUseView = z.infer<typeof limitUseSchema>;

export const limitOverrideSchema = z
  .object({
    amount: z.int(),
    until: z.int().meta({ description: 'seconds' }),
    by: z.int().meta({ description: 'account that set it' }),
    reason: z.string(),
  })
  .meta({ id: 'LimitOverride' });

/** A limit with its use. */
export const limitSchema = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'callers read it' }),
    scope: z.enum(LIMIT_SCOPES),
    subject: z.string().meta({ description: 'id, group name or value; empty with each and everyone' }),
    subject_name: z.string().meta({ description: 'name of the token, account or channel; else the subject' }),
    subject_missing: z
      .boolean()
      .meta({ description: 'no token, account, channel or channel with the tag is left: it counts nothing' }),
    account_id: z
      .int()
      .nullable()
      .meta({ description: 'account of the end users or tags; null = of all accounts' }),
    account_name: z.string(),
    each: z.boolean().meta({ description: 'each value of the scope has the amount for itself' }),
    model: z.string().meta({ description: 'name or pattern; empty = every model' }),
    measure: z.enum(LIMIT_MEASURES).meta({ description: 'quota = money in quota units' }),
    amount: z.int(),
    period: z.enum(['', ...LIMIT_PERIODS]).meta({ description: 'empty = calls at once' }),
    rolling: z
      .boolean()
      .meta({ description: 'the period ends now, instead of starting at midnight, Monday or the 1st' }),
    action: z.enum(['refuse', 'warn', 'cheaper_model', 'pass_over']),
    fallback_model: z
      .string()
      .meta({ description: 'model that calls go on with at the limit, with cheaper_model; else empty' }),
    warn_at: z.array(z.int()).meta({ description: 'percents of the amount' }),
    admit_unknown: z.boolean().meta({ description: 'calls are admitted while the use is unknown' }),
    enabled: z.boolean(),
    override: limitOverrideSchema.nullable(),
    by_user: z.boolean().meta({ description: 'an account set it for itself' }),
    created_at: z.int().meta({ description: 'seconds' }),
    updated_at: z.int().meta({ description: 'seconds' }),
    version: z.int(),
    may_change: z.boolean().meta({ description: 'the reader may change and delete it' }),
    use: limitUseSchema.nullable().meta({
      description: 'of the value with the largest use; null = not shown to the reader, or nothing was used',
    }),
  })
  .meta({ id: 'Limit' });
export type LimitView = z.infer<typeof limitSchema>;

/** A limit that concerns the reader's own calls. */
export const ownLimitSchema = limitSchema
  .extend({
    uses: z.array(limitUseSchema).meta({
      description: 'of the reader, by value, the largest first; empty for limits over several accounts',
    }),
  })
  .meta({ id: 'OwnLimit' });
export type OwnLimitView = z.infer<typeof ownLimitSchema>;

export const limitPageSchema = z
  .object({ items: z.array(limitSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'LimitPage' });
export type LimitPage = z.infer<typeof limitPageSchema>;

export const limitListQuerySchema = z.object({
  keyword: filterText(100),
  scope: filterText(16),
  subject: filterText(191),
  account_id: filterNumber(),
  near: flag().meta({
    description: 'only limits used to the first percent they warn at; to 80 % where they warn at none',
  }),
  ...oneBasedPaging(),
  page_size: pageSize(),
});
export type LimitListQuery = z.infer<typeof limitListQuerySchema>;

export const ownLimitsQuerySchema = z.object({
  token_id: filterNumber().meta({ description: '0 = limits of the account and of all its tokens' }),
});
export type OwnLimitsQuery = z.infer<typeof ownLimitsQuerySchema>;

/** Scopes the reader may set, the time zone in which periods start, and whether every worker counts limits. */
export const limitRightsSchema = z
  .object({
    scopes: z.array(z.enum(LIMIT_SCOPES)).meta({ description: 'scopes the reader may set limits of' }),
    time_zone: z.string().meta({ description: 'LimitTimeZone' }),
    binding: z.boolean().meta({
      description: 'false while a worker runs an earlier version, which does not count limits',
    }),
  })
  .meta({ id: 'LimitRights' });
export type LimitRightsView = z.infer<typeof limitRightsSchema>;

const changeable = {
  name: z.string().max(1_000),
  amount: z.number(),
  action: z.enum(SETTABLE_ACTIONS),
  fallback_model: z.string().max(255),
  warn_at: z.array(z.number()).max(100),
  admit_unknown: z.boolean(),
  enabled: z.boolean(),
};

export const limitCreateSchema = z
  .object({
    name: changeable.name,
    scope: z.enum(LIMIT_SCOPES),
    subject: z.string().max(1_000).default(''),
    account_id: bodyId().nullable().default(null),
    each: z.boolean().default(false),
    model: z.string().max(255).default(''),
    measure: z.enum(LIMIT_MEASURES),
    amount: changeable.amount,
    period: z.enum(['', ...LIMIT_PERIODS]),
    rolling: z.boolean().default(false),
    action: changeable.action.default('refuse'),
    fallback_model: changeable.fallback_model.default(''),
    warn_at: changeable.warn_at.default([]),
    admit_unknown: changeable.admit_unknown.default(false),
    enabled: changeable.enabled.default(true),
  })
  .meta({ id: 'LimitCreate' });
export type LimitCreate = z.infer<typeof limitCreateSchema>;

/** Use that a limit would start with. */
export const limitPreviewSchema = z
  .object({
    used: z.int().meta({ description: 'in the running period; of the value with the largest use' }),
    values: z.int().meta({ description: 'values with use, of a limit for each' }),
  })
  .meta({ id: 'LimitPreview' });
export type LimitPreview = z.infer<typeof limitPreviewSchema>;

/** Absent members stay. What a limit counts is never changed: make another limit. */
export const limitEditSchema = z
  .object({
    name: changeable.name.optional(),
    amount: changeable.amount.optional(),
    action: changeable.action.optional(),
    fallback_model: changeable.fallback_model.optional(),
    warn_at: changeable.warn_at.optional(),
    admit_unknown: changeable.admit_unknown.optional(),
    enabled: changeable.enabled.optional(),
    version: z
      .int()
      .optional()
      .meta({ description: 'as read; refused when another one changed the limit meanwhile' }),
  })
  .meta({ id: 'LimitEdit' });
export type LimitEdit = z.infer<typeof limitEditSchema>;

export const limitOverrideInputSchema = z
  .object({ amount: z.number(), reason: z.string().max(2_000).default('') })
  .meta({ id: 'LimitOverrideInput' });
export type LimitOverrideInput = z.infer<typeof limitOverrideInputSchema>;

export const limitResetSchema = z
  .object({ value: z.string().max(191).default(''), reason: z.string().max(2_000).default('') })
  .meta({ id: 'LimitReset' });
export type LimitReset = z.infer<typeof limitResetSchema>;

/** Use of a limit in its periods so far. */
export const limitHistorySchema = z
  .object({
    uses: z
      .array(limitUseSchema)
      .meta({ description: 'of the running period, by value, the largest first; at most 50' }),
    periods: z
      .array(
        z.object({
          starts_at: z.int().meta({ description: 'seconds' }),
          used: z.int(),
          calls: z.int(),
        }),
      )
      .meta({ description: 'newest first, all values together; at most 60' }),
  })
  .meta({ id: 'LimitHistory' });
export type LimitHistory = z.infer<typeof limitHistorySchema>;
