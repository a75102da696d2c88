import { z } from 'zod';

/** An account as the console sees it: hashes, tokens and provider secrets are never part of it. */
export const userSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    password: z.literal(''),
    original_password: z.literal(''),
    display_name: z.string(),
    role: z.int(),
    status: z.int(),
    email: z.string(),
    github_id: z.string(),
    oidc_id: z.string(),
    wechat_id: z.string(),
    telegram_id: z.string(),
    linux_do_id: z.string(),
    verification_code: z.literal(''),
    quota: z.int(),
    used_quota: z.int().meta({ description: 'sum of all charges, refunded ones included' }),
    refunded_quota: z.int().meta({ description: 'what of used_quota was given back' }),
    request_count: z.int(),
    group: z.string(),
    aff_code: z.string(),
    aff_count: z.int(),
    aff_quota: z.int(),
    aff_history_quota: z.int(),
    inviter_id: z.int(),
    setting: z.string(),
    created_at: z.int(),
    last_login_at: z.int(),
    DeletedAt: z.string().nullable(),
  })
  .meta({ id: 'User' });
export type UserView = z.infer<typeof userSchema>;
