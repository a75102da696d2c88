import type { FinishReason } from '../../../model/finish-reason.js';
import { type Document, isDocument, numberOf, textOf } from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';

/**
 * Why an answer, or the last piece of one, ended: the vendor's word where it gives one, else what its marks say.
 * @param isLast  nothing follows
 */
export function readEnd(document: Document, isLast: boolean): FinishReason | undefined {
  const raw = textOf(document['finish_reason']);
  if (document['need_clear_history'] === true || (numberOf(document['ban_round']) ?? 0) > 0)
    return { unified: 'content-filter', raw };
  if (!isLast) return undefined;
  // Calls are shown as tool calls: the vendor's own word belongs to another form of them.
  if (raw === 'function_call' || isDocument(document['function_call']))
    return { unified: 'tool-calls', raw: undefined };
  if (raw !== undefined) return readFinishReason(raw);
  return { unified: document['is_truncated'] === true ? 'length' : 'stop', raw };
}
