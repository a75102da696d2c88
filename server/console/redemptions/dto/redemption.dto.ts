import { z } from 'zod';
import { bodyId, filterText, oneBasedPaging, pageSize } from '../../../common/query.js';

/** A redemption code as administrators see it. */
export const redemptionSchema = z
  .object({
    id: z.int(),
    user_id: z.int().meta({ description: 'who made it' }),
    key: z.string().meta({ description: 'the code itself, 32 hexadecimal digits' }),
    status: z.int().meta({ description: '1 unused, 2 disabled, 3 used' }),
    name: z.string(),
    quota: z.int(),
    created_time: z.int().meta({ description: 'seconds' }),
    redeemed_time: z.int().meta({ description: 'seconds; 0 = not redeemed' }),
    expired_time: z.int().meta({ description: 'seconds; 0 = never' }),
    used_user_id: z.int().meta({ description: '0 = nobody' }),
    count: z.int().meta({ description: 'always 0; only means something when codes are made' }),
    DeletedAt: z.string().nullable().meta({ description: 'always null' }),
  })
  .meta({ id: 'Redemption' });
export type RedemptionView = z.infer<typeof redemptionSchema>;

export const redemptionPageSchema = z
  .object({ items: z.array(redemptionSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'RedemptionPage' });

export const redemptionListQuerySchema = z.object({
  keyword: filterText(64),
  ...oneBasedPaging(),
  page_size: pageSize(),
});
export type RedemptionListQuery = z.infer<typeof redemptionListQuerySchema>;

export const redemptionCreateSchema = z
  .object({
    name: z.string().max(1_000).default(''),
    quota: z.number().default(0),
    count: z.number().default(1).meta({ description: '1 to 100' }),
    expired_time: z.number().default(0).meta({ description: 'seconds; 0 = never' }),
  })
  .meta({ id: 'RedemptionCreate' });
export type RedemptionCreate = z.infer<typeof redemptionCreateSchema>;

/** Absent members stay. With `status_only` in the query nothing but the status counts. */
export const redemptionEditSchema = z
  .object({
    id: bodyId(),
    name: z.string().max(1_000).optional(),
    quota: z.number().optional(),
    expired_time: z.number().optional(),
    status: z.int().optional(),
  })
  .meta({ id: 'RedemptionEdit' });
export type RedemptionEdit = z.infer<typeof redemptionEditSchema>;

export const redemptionEditQuerySchema = z.object({ status_only: filterText(16) });

/** Value and use of the codes of one creator. */
export const creatorSumSchema = z
  .object({
    user_id: z.int(),
    username: z.string(),
    created: z.int(),
    created_quota: z.int(),
    used: z.int(),
    used_quota: z.int(),
    used_by_creator: z.int().meta({ description: 'codes redeemed by their own maker' }),
  })
  .meta({ id: 'RedemptionCreatorSum' });
export type CreatorSumView = z.infer<typeof creatorSumSchema>;

export const redeemSchema = z.object({ key: z.string().max(1_000).default('') }).meta({ id: 'Redeem' });
