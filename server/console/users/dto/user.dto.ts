import { z } from 'zod';
import { bodyId, filterNumber, filterText, flag, oneBasedPaging, pageSize } from '../../../common/query.js';
import { ACCOUNT_SORTS } from '../../../base/users/account-sort.js';
import { DEREGISTERED_FILTERS } from '../../../base/users/deregistered-filter.js';
import { userSchema } from '../../../base/users/user-view.js';

export const userPageSchema = z
  .object({ items: z.array(userSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'UserPage' });

export const userListQuerySchema = z.object({
  ...oneBasedPaging(),
  page_size: pageSize(),
  deregistered: z.enum(DEREGISTERED_FILTERS).catch('').default('').meta({
    description: 'deregistered accounts: hide = without them, only = nothing else; with them when absent',
  }),
  sort: z.enum(ACCOUNT_SORTS).catch('').default('').meta({
    description: 'largest first; the newest account first when absent',
  }),
});
export const userSearchQuerySchema = userListQuerySchema.extend({
  keyword: filterText(),
  group: filterText(64),
  /** 1, 10, 100; 0 = any. */
  role: filterNumber(),
  /** 1 active, 2 banned; 0 = any. */
  status: filterNumber(),
});
export type UserListQuery = z.infer<typeof userListQuerySchema>;
export type UserSearchQuery = z.infer<typeof userSearchQuerySchema>;

const shortText = z.string().max(1_000);
const reasonText = z.string().max(200).optional();

export const userCreateSchema = z
  .object({
    username: shortText.default(''),
    password: shortText.default(''),
    display_name: shortText.default(''),
    role: z.int().default(0),
  })
  .meta({ id: 'UserCreate' });
export type UserCreate = z.infer<typeof userCreateSchema>;

/** Members that are present are written; absent ones stay. `loaded_quota` is the balance the form was filled with. */
export const userEditSchema = z
  .object({
    id: bodyId(),
    username: shortText.optional(),
    password: shortText.optional(),
    display_name: shortText.optional(),
    group: shortText.optional(),
    role: z.int().optional(),
    quota: z.int().optional(),
    loaded_quota: z.int().optional(),
    /** Why the balance changes; stays in the books. */
    reason: reasonText,
    /** Needed with a new password of one's own. */
    original_password: shortText.optional(),
  })
  .meta({ id: 'UserEdit' });
export type UserEdit = z.infer<typeof userEditSchema>;

const MANAGE_ACTIONS = ['promote', 'demote', 'disable', 'enable', 'delete', 'add_quota'] as const;

export const userManageSchema = z
  .object({
    id: bodyId(),
    action: z.enum(MANAGE_ACTIONS),
    value: z.int().optional(),
    mode: z.enum(['add', 'subtract', 'override']).optional(),
    /** Makes a double click book once. */
    operation_id: z.string().max(36).optional(),
    /** Why the balance changes; stays in the books. */
    reason: reasonText,
  })
  .meta({ id: 'UserManage' });
export type UserManage = z.infer<typeof userManageSchema>;

export const userManageResultSchema = z
  .object({ role: z.int(), status: z.int() })
  .meta({ id: 'UserManageResult' });

export const selfEditSchema = z
  .object({
    username: shortText.optional(),
    display_name: shortText.optional(),
    password: shortText.optional(),
    original_password: shortText.optional(),
  })
  .meta({ id: 'SelfEdit' });
export type SelfEdit = z.infer<typeof selfEditSchema>;

export const selfDeleteSchema = z
  .object({ username: shortText.optional() })
  .optional()
  .meta({ id: 'SelfDelete' });

export const affTransferSchema = z
  .object({
    quota: z.int(),
    /** Makes a double click move once. */
    operation_id: z
      .string()
      .regex(/^[\w-]{1,36}$/)
      .optional(),
  })
  .meta({ id: 'AffTransfer' });
export type AffTransfer = z.infer<typeof affTransferSchema>;

export const sessionViewSchema = z
  .object({
    id: z.string(),
    created_at: z.int(),
    last_seen_at: z.int(),
    ip: z.string(),
    user_agent: z.string(),
    way: z
      .string()
      .meta({ description: 'password, two-factor, passkey or an outside provider; empty = not known' }),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });

/** Ways to sign in to an account, its sessions and attempts, for administrators: never a secret. */
export const userSignInsSchema = z
  .object({
    has_password: z.boolean(),
    has_access_token: z.boolean().meta({ description: 'a system access token works' }),
    providers: z.array(z.string()).meta({ description: 'outside providers that are bound' }),
    sessions: z.array(sessionViewSchema),
    sign_ins: z
      .array(
        z.object({
          created_at: z.int().meta({ description: 'seconds' }),
          success: z.boolean(),
          ip: z.string(),
          way: z.string().meta({ description: 'as in Session; empty = not known' }),
        }),
      )
      .meta({ description: 'the newest 20 attempts, as far as the audit log goes back' }),
  })
  .meta({ id: 'UserSignIns' });
export type UserSignInsView = z.infer<typeof userSignInsSchema>;

/** DELETE /api/user/self/sessions */
export const sessionsEndQuerySchema = z.object({
  current: flag().meta({ description: 'end the login of this request as well' }),
});
export const sessionsEndedSchema = z.object({ ended: z.int() }).meta({ id: 'SessionsEnded' });
