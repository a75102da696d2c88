import { z } from 'zod';
import { filterNumber, filterSeconds, filterText, oneBasedPaging, pageSize } from '../../../common/query.js';

const auditEventSchema = z
  .object({
    sequence: z.int(),
    created_at: z.int().meta({ description: 'seconds' }),
    actor_id: z.int().meta({ description: '0 = the system, or somebody not signed in' }),
    actor_role: z.int(),
    actor_name: z.string().meta({ description: 'name at that moment; empty when not known' }),
    ip: z.string(),
    request_id: z.string(),
    action: z.string(),
    target_type: z.string(),
    target_id: z.string(),
    detail: z.string().meta({ description: 'JSON object; secrets are replaced by "changed"' }),
    hash: z.string(),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEventView = z.infer<typeof auditEventSchema>;

export const auditPageSchema = z
  .object({ items: z.array(auditEventSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'AuditPage' });

/** GET /api/audit */
export const auditQuerySchema = z.object({
  ...oneBasedPaging(),
  page_size: pageSize(),
  actor_id: filterNumber().meta({ description: '0 = everybody' }),
  action: filterText(64).meta({ description: 'whole action, or its beginning with * at the end: user.*' }),
  target_type: filterText(32),
  target_id: filterText(64),
  start_timestamp: filterSeconds(),
  end_timestamp: filterSeconds(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** GET /api/audit/chain */
export const auditChainSchema = z
  .object({
    intact: z.boolean(),
    first_sequence: z.int().meta({ description: 'oldest row kept; 0 = none' }),
    verified_up_to: z.int().meta({ description: 'newest row up to which everything fits; 0 = none' }),
    head_sequence: z.int(),
    head_hash: z.string().meta({ description: 'keep a copy elsewhere: it vouches for all rows before it' }),
    fault: z
      .object({
        sequence: z.int(),
        kind: z.enum(['changed', 'missing', 'misplaced', 'head', 'base']),
      })
      .nullable(),
    checked_at: z.int(),
  })
  .meta({ id: 'AuditChain' });
export type AuditChainView = z.infer<typeof auditChainSchema>;
