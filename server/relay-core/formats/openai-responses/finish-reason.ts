import { closedFinish, type FinishReason } from '../../model/finish-reason.js';
import { documentOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** How a response ended, from its status and what it called. */
export function readFinishReason(response: Document, hasCalls: boolean): FinishReason {
  const status = textOf(response['status']);
  if (status === 'incomplete') {
    const raw = textOf(documentOf(response['incomplete_details'])['reason']) ?? 'incomplete';
    if (raw === 'max_output_tokens') return { unified: 'length', raw };
    return { unified: raw === 'content_filter' ? 'content-filter' : 'other', raw };
  }
  if (status === 'failed' || status === 'cancelled') return { unified: 'error', raw: status };
  return { unified: hasCalls ? 'tool-calls' : 'stop', raw: status };
}

/** Status of a response and why it is not complete. */
export function writeStatus(finish: FinishReason | undefined): {
  readonly status: 'completed' | 'incomplete';
  readonly reason: string | undefined;
} {
  const unified = finish === undefined ? undefined : closedFinish(finish);
  if (unified === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (unified === 'content-filter') return { status: 'incomplete', reason: 'content_filter' };
  return { status: 'completed', reason: undefined };
}
