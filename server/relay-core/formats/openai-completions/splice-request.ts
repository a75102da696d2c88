import { readField, spliceFields } from '../../framing/json-splice.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { FORBIDDEN_FIELDS } from '../shared/fields/request-fields.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';

/** Pass-through: the caller's own bytes with only what the gateway must change. */
export function spliceCompletionRequest(call: ParsedCall<'chat'>, edits: RequestEdits): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model)
    changes.set('model', edits.upstreamModel);
  if (edits.dropStreamOptions) changes.set('stream_options', undefined);
  else if (edits.reportUsage && shape.stream && !shape.wantsStreamUsage) {
    const before = documentOf(readField(document, 'stream_options'));
    changes.set('stream_options', { ...before, include_usage: true });
  }
  for (const name of [...FORBIDDEN_FIELDS, ...edits.refusedMembers])
    if (document.members.has(name)) changes.set(name, undefined);
  if (edits.outputCap !== undefined) changes.set('max_tokens', edits.outputCap);
  return changes.size === 0 ? document.bytes : spliceFields(document, changes);
}
