import type { FinishReason } from '../../../model/finish-reason.js';

/** Vendor's words. A finish that means failure becomes an error, never a silent stop. */
const UNIFIED: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['TOOL_CALL', 'tool-calls'],
  ['ERROR_TOXIC', 'content-filter'],
  ['ERROR', 'error'],
  ['TIMEOUT', 'error'],
]);

export function readFinishReason(raw: string): FinishReason {
  return { unified: UNIFIED.get(raw) ?? 'other', raw };
}
