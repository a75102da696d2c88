import { spliceFields } from '../../framing/json-splice.js';
import { STEERING_FIELDS } from '../shared/fields/request-fields.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { repairedToolList } from '../shared/fields/tool-schema.js';

/** Pass-through: the caller's own bytes with the upstream's model name and without what must not leave. */
export function spliceResponsesRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes.set('model', edits.upstreamModel);
  }
  if (edits.dropStreamOptions && document.members.has('stream_options'))
    changes.set('stream_options', undefined);
  for (const name of STEERING_FIELDS) if (document.members.has(name)) changes.set(name, undefined);
  for (const name of edits.refusedMembers) if (document.members.has(name)) changes.set(name, undefined);
  const mended = warnings && repairedToolList(document, 'tools', edits.upstreamModel, warnings);
  if (mended !== undefined) changes.set('tools', mended);
  if (edits.outputCap !== undefined) changes.set('max_output_tokens', edits.outputCap);
  return changes.size === 0 ? document.bytes : spliceFields(document, changes);
}
