import { createHmac } from 'node:crypto';

/** Begins what stands for the address of an account whose personal fields were cleared; no address begins so. */
const CLEARED = 'gone:';

/**
 * What is kept of a folded mail address once it is cleared: a keyed digest, so that it earns no second gift. What is cleared already
 * stays as it is.
 */
export function clearedAddress(secret: string, folded: string): string {
  if (folded.startsWith(CLEARED)) return folded;
  return CLEARED + createHmac('sha256', secret).update(`gone address ${folded}`).digest('hex');
}
