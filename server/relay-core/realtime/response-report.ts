import { documentOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { RealtimeFrame } from './realtime-frame.js';

/** Why a response failed; undefined = it did not, or the vendor gave no reason. */
export function failureIn(response: Document): Document | undefined {
  if (response['status'] !== 'failed') return undefined;
  const error = documentOf(documentOf(response['status_details'])['error']);
  return Object.keys(error).length === 0 ? undefined : { error };
}

/** Reasoning that a vendor reports apart. */
export function reasoningIn(response: Document): number {
  const usage = documentOf(response['usage']);
  const details = documentOf(usage['output_token_details'] ?? usage['output_tokens_details']);
  const tokens = numberOf(details['reasoning_tokens']) ?? 0;
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}

/** Id of the response an announcement or an end is about; empty = it has no name. */
export const idIn = (frame: RealtimeFrame): string =>
  textOf(documentOf(frame.members['response'])['id']) ?? frame.responseId;
