import { z } from 'zod';
import { IDENTITY_PROVIDERS } from '../access/identity-providers.js';
import { bodyIds, oneBasedPaging, pageSize } from '../../common/query.js';

/** Reasons a row of the bin cannot be restored; empty = it can. */
const HINDRANCES = ['', 'not_kept', 'left', 'owner_deregistered'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

export const binItemSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    owner_id: z.int().meta({ description: 'account it belongs to; 0 for a channel' }),
    owner_name: z.string(),
    deleted_at: z.int().meta({ description: 'seconds' }),
    deleted_by: z.int().meta({ description: 'account that deleted it; 0 = not known' }),
    deleted_by_name: z.string(),
    kept_until: z.int().meta({ description: 'seconds; it can be restored until then, 0 = it cannot' }),
    hindrance: z.enum(HINDRANCES).meta({
      description:
        'reason it cannot be restored: not_kept = its key or personal fields are gone, left = its owner deleted the account, ' +
        'owner_deregistered = its account is deregistered; empty = it can be restored',
    }),
    identities: z.array(z.enum(IDENTITY_PROVIDERS)).meta({
      description: 'providers whose identities a deregistered account still has; empty for other rows',
    }),
  })
  .meta({ id: 'BinItem' });
export type BinItem = z.infer<typeof binItemSchema>;

export const binPageSchema = z
  .object({ items: z.array(binItemSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'BinPage' });

export const binQuerySchema = z.object({ ...oneBasedPaging(), page_size: pageSize() });
export type BinQuery = z.infer<typeof binQuerySchema>;

/** Rows to restore or to wipe: all of them or none. */
export const binIdsSchema = z.object({ ids: bodyIds() }).meta({ id: 'BinIds' });
export type BinIds = z.infer<typeof binIdsSchema>;

/** Members beside the count that a deletion of many answers: the rows an undo may name. */
export const deletedIds = { ids: z.array(z.int()) };
