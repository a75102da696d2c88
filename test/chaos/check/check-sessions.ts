import { LONGEST_SESSION, type SessionCounts } from '../load/sessions.js';
import { RESPONSE_CHARGE } from '../rig/realtime-vendor.js';
import type { SettlementRow } from './books.js';

/** Tokens of one exchange as the gateway counts them, wrapping included: a bound from above. */
const TOKENS_OF_EXCHANGE = 80;

export interface SessionVerdict {
  /** Quota charged and written off. */
  readonly priced: number;
  readonly complaints: readonly string[];
}

/**
 * Compares the responses that clients of realtime sessions saw with their settlements: each whole response is charged in full, and
 * one that its client cut costs at most a whole one and the conversation before it, by the gateway's own count.
 */
export function checkSessions(counts: SessionCounts, settlements: readonly SettlementRow[]): SessionVerdict {
  const priced = settlements.reduce((sum, row) => sum + row.charged + row.corrected + row.writeoff, 0);
  const least = counts.whole * RESPONSE_CHARGE;
  const most =
    least + (counts.cut + counts.broken) * (RESPONSE_CHARGE + LONGEST_SESSION * TOKENS_OF_EXCHANGE);
  const complaints: string[] = [];
  if (priced < least || priced > most)
    complaints.push(`realtime sessions were charged ${priced}, expected ${least} … ${most}`);
  if (counts.broken > 0) complaints.push(`${counts.broken} responses of realtime sessions broke off`);
  if (counts.unopened > 0) complaints.push(`${counts.unopened} realtime sessions did not open`);
  if (settlements.length > counts.opened)
    complaints.push(`${settlements.length} settlements of ${counts.opened} realtime sessions`);
  return { priced, complaints };
}
