import { z } from 'zod';
import {
  bodyId,
  bodyIds,
  filterText,
  pageSize,
  searchPaging,
  zeroBasedPaging,
} from '../../../common/query.js';

/** Longest texts of a token, in characters. */
export const TOKEN_LENGTHS = {
  name: 30,
} as const;
const MAX_MODEL_LIMITS_LENGTH = 64 * 1024;
const MAX_ALLOW_IPS_LENGTH = 16 * 1024;
/** The rule refuses longer lists in words of its own; this only bounds what is read. */
const MAX_TAGS_LENGTH = 4 * 1024;

const quota = () => z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const commaList = (maxLength: number) =>
  z.union([z.string().max(maxLength), z.array(z.string().max(512)).max(2_000)]);

/** A token as its owner sees it. */
export const tokenSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    key: z
      .string()
      .meta({ description: '48 characters, without the sk- prefix; only ever sent to the owner' }),
    status: z.int().meta({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted' }),
    name: z.string(),
    created_time: z.int().meta({ description: 'seconds' }),
    accessed_time: z.int().meta({ description: 'seconds' }),
    expired_time: z.int().meta({ description: 'seconds, -1 = never' }),
    remain_quota: z
      .int()
      .meta({ description: 'what the token may still spend; without meaning when unlimited' }),
    used_quota: z.int().meta({ description: 'sum of all charges, refunded ones included' }),
    refunded_quota: z.int().meta({ description: 'what of used_quota was given back' }),
    unlimited_quota: z.boolean(),
    model_limits_enabled: z.boolean(),
    model_limits: z.string().meta({ description: 'comma-separated model names' }),
    allow_ips: z.string().meta({ description: 'one address or CIDR range per line; empty = everybody' }),
    group: z.string().meta({ description: "empty = the owner's group" }),
    tags: z.string().meta({ description: 'comma-separated tags that every call of the token has' }),
    needs_end_user: z.boolean().meta({ description: 'calls that name no end user are refused' }),
    lock: z
      .object({ at: z.int().meta({ description: 'seconds' }), reason: z.string() })
      .nullable()
      .meta({ description: 'set while an administrator has disabled the token: it can only be deleted' }),
    DeletedAt: z.string().nullable().meta({ description: 'always null' }),
  })
  .meta({ id: 'Token' });

const editable = {
  // The rule refuses a long one in words of its own; this only bounds what is read.
  name: z.string().max(512),
  expired_time: z.int(),
  remain_quota: quota(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: commaList(MAX_MODEL_LIMITS_LENGTH),
  allow_ips: z.string().max(MAX_ALLOW_IPS_LENGTH).nullable(),
  group: z.string().max(64),
  tags: commaList(MAX_TAGS_LENGTH),
  needs_end_user: z.boolean(),
};

/** POST /api/token/ */
export const tokenInputSchema = z
  .object({
    ...editable,
    expired_time: editable.expired_time.default(-1),
    remain_quota: editable.remain_quota.default(0),
    unlimited_quota: editable.unlimited_quota.default(false),
    model_limits_enabled: editable.model_limits_enabled.default(false),
    model_limits: editable.model_limits.default(''),
    allow_ips: editable.allow_ips.default(''),
    group: editable.group.default(''),
    tags: editable.tags.default(''),
    needs_end_user: editable.needs_end_user.default(false),
  })
  .meta({ id: 'TokenInput' });

/** PUT /api/token/: members that are absent keep their value. */
export const tokenEditSchema = z
  .object({
    id: bodyId(),
    status: z.int().optional(),
    ...z.object(editable).partial().shape,
    remain_quota_before: quota().optional().meta({
      description:
        'The remain_quota the form was opened with. When sent, the difference is applied, so that calls charged meanwhile are not undone.',
    }),
  })
  .meta({ id: 'TokenEdit' });

export const tokenEditQuerySchema = z.object({
  status_only: z.string().default('').meta({ description: 'not empty: only the status changes' }),
});

export const tokenListQuerySchema = z.object({
  ...zeroBasedPaging(),
  size: pageSize(),
});

export const tokenSearchQuerySchema = z.object({
  keyword: filterText(64),
  token: filterText(128),
  ...searchPaging(),
});

export const tokenIdsSchema = z.object({ ids: bodyIds() }).meta({ id: 'TokenIds' });

export const tokenKeySchema = z.object({ key: z.string() }).meta({ id: 'TokenKey' });

/** GET /api/token/{id}/activity */
export const tokenActivitySchema = z
  .object({
    last_call: z
      .object({
        at: z.int().meta({ description: 'seconds' }),
        model: z.string(),
        request_id: z.string(),
      })
      .nullable()
      .meta({ description: 'the last charged call; null = none yet' }),
    last_refusal: z
      .object({
        at: z.int().meta({ description: 'seconds' }),
        kind: z.string(),
        message: z.string().meta({ description: 'as the caller read it' }),
      })
      .nullable(),
  })
  .meta({ id: 'TokenActivity' });

export type TokenActivityView = z.infer<typeof tokenActivitySchema>;
export type TokenView = z.infer<typeof tokenSchema>;
export type TokenInput = z.infer<typeof tokenInputSchema>;
export type TokenEdit = z.infer<typeof tokenEditSchema>;
export type TokenListQuery = z.infer<typeof tokenListQuerySchema>;
export type TokenSearchQuery = z.infer<typeof tokenSearchQuerySchema>;
