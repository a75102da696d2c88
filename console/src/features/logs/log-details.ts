import * as z from 'zod/mini';
import { parseJson } from '../../shared/format/json';
import type { LogLine } from './api';
import { logEventSchema } from './log-event.schema';

/** Members of a line's `other` document that this console shows; anything odd is left out. */
const detailsSchema = z.object({
  /** Milliseconds to the first streamed piece. */
  frt: z.catch(z.optional(z.number().check(z.nonnegative())), undefined),
  /** Of the whole call. */
  duration_ms: z.catch(z.optional(z.number().check(z.nonnegative())), undefined),
  upstream_model_name: z.catch(z.optional(z.string()), undefined),
  /** Prices of the call; the price per call is -1 when tokens were counted. */
  model_ratio: z.catch(z.optional(z.number()), undefined),
  completion_ratio: z.catch(z.optional(z.number()), undefined),
  group_ratio: z.catch(z.optional(z.number()), undefined),
  /** Account group the factor was agreed for, and the models it holds for. */
  user_group: z.catch(z.optional(z.string()), undefined),
  user_group_model: z.catch(z.optional(z.string()), undefined),
  model_price: z.catch(z.optional(z.number()), undefined),
  request_path: z.catch(z.optional(z.string()), undefined),
  outcome: z.catch(z.optional(z.string()), undefined),
  evidence: z.catch(z.optional(z.string()), undefined),
  cache_tokens: z.catch(z.optional(z.number()), undefined),
  status_code: z.catch(z.optional(z.number()), undefined),
  error_code: z.catch(z.optional(z.string()), undefined),
  /** Of the request, what the upstream was not told. */
  warnings: z.catch(z.optional(z.array(z.object({ setting: z.string(), reason: z.string() }))), undefined),
  /** What a line that is no call tells. */
  event: z.catch(z.optional(logEventSchema), undefined),
  admin_info: z.catch(
    z.optional(
      z.object({
        use_channel: z.catch(z.array(z.string()), []),
        /** The provider's own status and sentence. */
        upstream_error: z.catch(z.optional(z.string()), undefined),
      }),
    ),
    undefined,
  ),
});

export type LogDetails = z.infer<typeof detailsSchema>;

export function detailsOf(line: Pick<LogLine, 'other'>): LogDetails {
  return detailsSchema.safeParse(parseJson(line.other)).data ?? {};
}
