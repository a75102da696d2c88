import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);
const figure = z.catch(z.optional(z.number()), undefined);

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
  channel_ids: z.catch(z.optional(z.array(z.number())), undefined),
  copy_id: figure,
  members: z.catch(z.optional(z.array(z.string())), undefined),
  tag: text,
  count: figure,
  status: figure,
  /** The balance moved by this. */
  quota: figure,
  quota_after: figure,
  reason: text,
  platform: text,
  task_id: text,
  side: z.catch(z.optional(z.enum(['before', 'after'])), undefined),
  version_id: figure,
  revision: figure,
  /** Seconds. */
  before: figure,
});
export type LogEvent = z.infer<typeof logEventSchema>;
