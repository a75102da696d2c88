import { z } from 'zod';
import { PROBE_ENDPOINTS, type ProbePlan } from './probe-kinds.js';
import { parseJson } from '../../../common/parse-json.js';

const planSchema = z.object({ model: z.string().min(1), endpoint: z.enum(PROBE_ENDPOINTS) });
const schema = z.object({
  status_reason: z.string().default(''),
  status_time: z.number().default(0),
  status_test: planSchema.optional().catch(undefined),
});

/** Test that led to the automatic disabling of a channel, from its `other_info`; undefined when there is none. */
export const testOfAutoDisable = (otherInfo: string): ProbePlan | undefined =>
  schema.safeParse(parseJson(otherInfo)).data?.status_test;

/** The same from the mark of a key. */
export const readPlan = (value: unknown): ProbePlan | undefined => planSchema.safeParse(value).data;

/** Why and when a channel was switched off, from its `other_info`; empty and 0 when absent there. */
export function presentReason(otherInfo: string): { readonly reason: string; readonly timeSeconds: number } {
  const parsed = schema.safeParse(parseJson(otherInfo));
  return { reason: parsed.data?.status_reason ?? '', timeSeconds: parsed.data?.status_time ?? 0 };
}
