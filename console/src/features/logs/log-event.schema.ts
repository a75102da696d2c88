import { z } from 'zod';

const text = z.string().optional().catch(undefined);
const figure = z.number().optional().catch(undefined);

/** What a line that is no call tells, as a code and facts; anything odd is left out. Amounts are whole quota. */
export const logEventSchema = z.object({
  code: z.string(),
  redemption_id: figure,
  /** What was paid, as people write it. */
  paid: text,
  currency: text,
  method: text,
  account_id: figure,
  channel_id: figure,
  operator: text,
  channel_ids: z.array(z.number()).optional().catch(undefined),
  copy_id: figure,
  members: z.array(z.string()).optional().catch(undefined),
  tag: text,
  count: figure,
  status: figure,
  /** The balance moved by this. */
  quota: figure,
  quota_after: figure,
  reason: text,
  platform: text,
  task_id: text,
  side: z.enum(['before', 'after']).optional().catch(undefined),
  version_id: figure,
  revision: figure,
  /** Seconds. */
  before: figure,
});
export type LogEvent = z.infer<typeof logEventSchema>;
