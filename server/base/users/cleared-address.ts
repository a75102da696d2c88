import { createHmac } from 'node:crypto';

/** Prefix of the replacement of a cleared mail address; no address begins so. */
const CLEARED = 'gone:';

/** Replacement of a cleared folded mail address: a keyed digest, so that it earns no second gift. A cleared one stays as it is. */
export function clearedAddress(secret: string, folded: string): string {
  if (folded.startsWith(CLEARED)) return folded;
  return CLEARED + createHmac('sha256', secret).update(`gone address ${folded}`).digest('hex');
}
