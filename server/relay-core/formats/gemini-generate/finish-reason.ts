import { closedFinish, finishWithCalls, type FinishReason } from '../../model/finish-reason.js';

/** Google's values, as the enumeration `FinishReason` of its official client, version 3.1, lists them. */
const UNIFIED: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['OTHER', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
]);

/** Reasons to refuse a prompt share their words with reasons to end an answer, but for a few. */
export const isFinishWord = (word: string): boolean => UNIFIED.get(word) === 'content-filter';

/** @param hasCalls  the answer calls functions: this grammar has no word of its own for that */
export function readFinishReason(raw: string, hasCalls: boolean): FinishReason {
  return finishWithCalls({ unified: UNIFIED.get(raw) ?? 'other', raw }, hasCalls);
}

const REASONS: Readonly<Record<FinishReason['unified'], string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  error: 'OTHER',
  other: 'STOP',
};

/** The word a caller of this format knows. */
export function writeFinishReason(finish: FinishReason): string {
  const { raw, unified } = finish;
  if (raw !== undefined && (UNIFIED.has(raw) || (unified === 'other' && FINISH_REASON_PATTERN.test(raw))))
    return raw;
  return REASONS[closedFinish(finish)];
}

/** Words in capitals that no vendor's table knows are most likely this family's; Cohere writes its own in capitals too. */
const FINISH_REASON_PATTERN = /^[A-Z][A-Z_]{2,63}$/;
