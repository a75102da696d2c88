import { z } from 'zod';
import { filterText, oneBasedPaging, pageSize } from '../../../common/query.js';

const movementSchema = z
  .object({
    id: z.int(),
    kind: z.string().meta({
      description:
        'setup, grant_new, grant_invitee, topup, redeem, aff_in, adjust, correction, refund, import',
    }),
    amount: z.int().meta({ description: 'quota; negative = taken' }),
    quota_after: z.int().meta({
      description:
        'balance right after it; calls that ran at that moment are in it as far as they were charged',
    }),
    reason: z.string(),
    created_at: z.int().meta({ description: 'seconds' }),
  })
  .meta({ id: 'LedgerMovement' });

/** Movements of one account, and the sums that explain its balance: all kinds together − used_quota = balance. */
export const ledgerPageSchema = z
  .object({
    items: z.array(movementSchema),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    sums: z.record(z.string(), z.int()).meta({ description: 'all movements by kind' }),
    used_quota: z.int().meta({ description: 'what calls cost' }),
    balance: z.int(),
  })
  .meta({ id: 'LedgerPage' });
export type LedgerPageView = z.infer<typeof ledgerPageSchema>;

export const ledgerQuerySchema = z.object({
  ...oneBasedPaging(),
  page_size: pageSize(),
  kind: filterText(32),
});
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>;
