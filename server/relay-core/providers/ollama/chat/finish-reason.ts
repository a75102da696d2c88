import type { FinishReason } from '../../../model/finish-reason.js';

/** The vendor says `stop` whether it answered or called tools. */
export function readFinishReason(raw: string, hasCalls: boolean): FinishReason {
  if (hasCalls && raw === 'stop') return { unified: 'tool-calls', raw };
  if (raw === 'stop') return { unified: 'stop', raw };
  return { unified: raw === 'length' ? 'length' : 'other', raw };
}
