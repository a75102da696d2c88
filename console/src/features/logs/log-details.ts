import { z } from 'zod';
import { parseJson } from '../../shared/format/json';
import type { LogLine } from './api';
import { logEventSchema } from './log-event.schema';

/** Members of a line's `other` document that this console shows; anything odd is left out. */
const detailsSchema = z.object({
  /** Milliseconds to the first streamed piece. */
  frt: z.number().nonnegative().optional().catch(undefined),
  /** Of the whole call. */
  duration_ms: z.number().nonnegative().optional().catch(undefined),
  upstream_model_name: z.string().optional().catch(undefined),
  /** Prices of the call; the price per call is -1 when tokens were counted. */
  model_ratio: z.number().optional().catch(undefined),
  completion_ratio: z.number().optional().catch(undefined),
  group_ratio: z.number().optional().catch(undefined),
  /** Account group the factor was agreed for, and the models it holds for. */
  user_group: z.string().optional().catch(undefined),
  user_group_model: z.string().optional().catch(undefined),
  model_price: z.number().optional().catch(undefined),
  request_path: z.string().optional().catch(undefined),
  outcome: z.string().optional().catch(undefined),
  evidence: z.string().optional().catch(undefined),
  cache_tokens: z.number().optional().catch(undefined),
  status_code: z.number().optional().catch(undefined),
  error_code: z.string().optional().catch(undefined),
  /** Of the request, what the upstream was not told. */
  warnings: z
    .array(z.object({ setting: z.string(), reason: z.string() }))
    .optional()
    .catch(undefined),
  /** What a line that is no call tells. */
  event: logEventSchema.optional().catch(undefined),
  admin_info: z
    .object({
      use_channel: z.array(z.string()).catch([]),
      /** The provider's own status and sentence. */
      upstream_error: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export type LogDetails = z.infer<typeof detailsSchema>;

export function detailsOf(line: Pick<LogLine, 'other'>): LogDetails {
  return detailsSchema.safeParse(parseJson(line.other)).data ?? {};
}
