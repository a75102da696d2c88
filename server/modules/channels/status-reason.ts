import { z } from 'zod';

const schema = z.object({ status_reason: z.string().default(''), status_time: z.number().default(0) });

/** Why and when a channel was switched off, from its `other_info`; empty and 0 when that does not say. */
export function presentReason(otherInfo: string): { readonly reason: string; readonly timeSeconds: number } {
  const parsed = schema.safeParse(readJson(otherInfo));
  return { reason: parsed.data?.status_reason ?? '', timeSeconds: parsed.data?.status_time ?? 0 };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Empty, or written by hand: it says nothing.
    return undefined;
  }
}
