import { spliceFields } from '../../framing/json-splice.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { FORBIDDEN_FIELDS } from './parse-call.js';
import { withSniffedMediaTypes } from './sniffed-media-types.js';

/** What a call without a cap is given where the operator set no default. */
const DEFAULT_MAX_TOKENS = 8_192;

/**
 * Pass-through: the caller's own bytes with the upstream's model name, a cap where the caller named none, members taken out
 * that must not leave or that the vendor refuses, and pictures under the type they have. Every other byte stays.
 * @param warnings  absent = nothing is mended
 */
export function spliceMessagesRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const changes = spliceChanges(call, edits);
  const body = changes.size === 0 ? call.document.bytes : spliceFields(call.document, changes);
  return warnings === undefined ? body : withSniffedMediaTypes(body);
}

/** What pass-through changes: a value to write, or `undefined` to take the member out. */
export function spliceChanges(call: ParsedCall<'chat'>, edits: RequestEdits): Map<string, unknown> {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes.set('model', edits.upstreamModel);
  }
  const cap = edits.outputCap ?? (shape.outputCap === undefined ? defaultCapOf(edits) : undefined);
  if (cap !== undefined) changes.set('max_tokens', cap);
  else if (!document.members.has('max_tokens')) changes.set('max_tokens', shape.outputCap);
  if (document.members.has('max_tokens_to_sample')) changes.set('max_tokens_to_sample', undefined);
  for (const name of FORBIDDEN_FIELDS) if (document.members.has(name)) changes.set(name, undefined);
  for (const name of edits.refusedMembers) if (document.members.has(name)) changes.set(name, undefined);
  return changes;
}

export const defaultCapOf = (edits: RequestEdits): number => edits.defaultOutputCap ?? DEFAULT_MAX_TOKENS;
