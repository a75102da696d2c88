import { z } from 'zod';
import { filterNumber, filterText, oneBasedPaging, pageSize } from '../../../common/query.js';

/** Characters of the reason of a lock. */
export const LOCK_REASON_LENGTH = 200;
/** Characters of a key that a search may name; a whole key never stands in an address. */
const PREFIX_LENGTH = 8;
const MAX_PASTED_LENGTH = 200;

/** A token as administrators see it: never its key. */
export const administeredTokenSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    username: z.string(),
    name: z.string(),
    key_mask: z
      .string()
      .meta({ description: 'the first and last four characters of the key; empty = it cannot be opened' }),
    status: z.int().meta({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted' }),
    created_time: z.int().meta({ description: 'seconds' }),
    last_used_time: z.int().meta({ description: 'seconds, 0 = never' }),
    expired_time: z.int().meta({ description: 'seconds, -1 = never' }),
    remain_quota: z.int(),
    unlimited_quota: z.boolean(),
    used_quota: z.int(),
    group: z.string().meta({ description: "empty = the owner's group" }),
    lock: z
      .object({
        at: z.int().meta({ description: 'seconds' }),
        by_id: z.int(),
        by: z.string().meta({ description: 'name of the administrator' }),
        reason: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'AdministeredToken' });

export const administeredTokenPageSchema = z
  .object({
    items: z.array(administeredTokenSchema).readonly(),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    is_complete: z.boolean().meta({
      description: 'false = the search by prefix ended after 20,000 keys; narrow it by owner',
    }),
  })
  .meta({ id: 'AdministeredTokenPage' });

export const administeredTokenQuerySchema = z.object({
  user_id: filterNumber().meta({ description: 'tokens of one account; 0 = all' }),
  owner: filterText(64).meta({ description: "part of the owner's name" }),
  prefix: filterText(PREFIX_LENGTH + 'sk-'.length)
    .refine(
      (text) => /^(sk-)?[0-9A-Za-z]{0,8}$/.test(text),
      `must be the first ${PREFIX_LENGTH} letters and digits of a key at most`,
    )
    .meta({ description: 'how the key begins; POST a whole key to /api/token/find' }),
  ...oneBasedPaging(),
  page_size: pageSize(),
});

export const pastedKeySchema = z
  .object({ key: z.string().max(MAX_PASTED_LENGTH) })
  .meta({ id: 'PastedTokenKey' });

export const tokenLockSchema = z
  .object({
    // The rule refuses a long one in words of its own; this only bounds what is read.
    reason: z.string().max(2_000),
  })
  .meta({ id: 'TokenLock' });

export type AdministeredTokenView = z.infer<typeof administeredTokenSchema>;
export type AdministeredTokenPage = z.infer<typeof administeredTokenPageSchema>;
export type AdministeredTokenQuery = z.infer<typeof administeredTokenQuerySchema>;
