import { DomainError } from '../../../common/errors/domain-error.js';
import { type Sentence, sentence, SentenceError } from '../../../common/import-sentences/sentence.js';
import { isConnectionLost } from '../../../infra/database/database-faults.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import { isFatal } from '../write/import-context.js';

/** Longest stored text of a failure. */
const MAX_TEXT = 500;
const MAX_REASON = 200;
const MIN_VALUE = 60;
const CUT_STEP = 20;

/** Reason of a failure with what to do, for the page. */
export function faultOf(error: unknown): Sentence {
  if (error instanceof SentenceError) return error.sentence;
  if (error instanceof DomainError)
    return sentence('run_refused', { refusal: { refusal: error.code, values: error.values } });
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
  return isFatal(error) || isConnectionLost(error)
    ? sentence('run_database_away', { reason })
    : sentence('run_failed', { reason });
}

/** A failure as its column keeps it: JSON, whose longest values are cut until it fits. */
export function storedFault(fault: Sentence): string {
  for (let longest = MAX_REASON; longest >= MIN_VALUE; longest -= CUT_STEP) {
    const text = JSON.stringify(fault, (_name, value: unknown) =>
      typeof value === 'string' ? value.slice(0, longest) : value,
    );
    if (text.length <= MAX_TEXT) return text;
  }
  return JSON.stringify({ code: fault.code, values: {} });
}

export function readFault(text: string): Sentence {
  const stored = parseJson(text);
  return isJsonObject(stored) && typeof stored['code'] === 'string' && isJsonObject(stored['values'])
    ? (stored as unknown as Sentence)
    : sentence('run_failed', { reason: text });
}
