import { readMember, spliceMembers } from '../../framing/json-splice.js';
import type { ParsedCall, RequestEdits } from '../wire.js';
import { STEERING_MEMBERS } from '../request-fields.js';

/**
 * Pass-through: the caller's own bytes with the upstream's model name, usage reporting of streams switched on, and
 * members taken out that must not leave or that the vendor refuses. Every other byte stays.
 */
export function spliceChatRequest(call: ParsedCall<'chat'>, edits: RequestEdits): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes.set('model', edits.upstreamModel);
  }
  if (edits.dropStreamOptions) changes.set('stream_options', undefined);
  else if (edits.reportUsage && shape.stream && !shape.wantsStreamUsage) {
    changes.set('stream_options', { ...objectMember(call, 'stream_options'), include_usage: true });
  }
  for (const name of STEERING_MEMBERS) if (document.members.has(name)) changes.set(name, undefined);
  for (const name of edits.refusedMembers) if (document.members.has(name)) changes.set(name, undefined);
  const cap = edits.outputCap ?? (edits.usesCompletionCap ? shape.outputCap : undefined);
  if (cap !== undefined && (edits.outputCap !== undefined || document.members.has('max_tokens'))) {
    const [name, other] = edits.usesCompletionCap
      ? (['max_completion_tokens', 'max_tokens'] as const)
      : (['max_tokens', 'max_completion_tokens'] as const);
    changes.set(name, cap);
    changes.set(other, undefined);
  }
  return changes.size === 0 ? document.bytes : spliceMembers(document, changes);
}

function objectMember(call: ParsedCall<'chat'>, name: string): object {
  const value = readMember(call.document, name);
  return typeof value === 'object' && value !== null ? value : {};
}
