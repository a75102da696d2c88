import { readField, spliceFields } from '../../framing/json-splice.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import { STEERING_FIELDS } from '../shared/fields/request-fields.js';
import type { Warning } from '../../model/warning.js';
import { repairedToolList } from '../shared/fields/tool-schema.js';

/**
 * Pass-through: the caller's own bytes with the upstream's model name, usage reporting of streams switched on, and
 * members taken out that must not leave or that the vendor refuses. Every other byte stays.
 */
export function spliceChatRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const { document, shape } = call;
  let changes: Changes | undefined;
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes = put(changes, 'model', edits.upstreamModel);
  }
  if (edits.dropStreamOptions) changes = put(changes, 'stream_options', undefined);
  else if (edits.reportUsage && shape.stream && !shape.wantsStreamUsage) {
    const options = { ...objectField(call, 'stream_options'), include_usage: true };
    changes = put(changes, 'stream_options', options);
  }
  for (const name of STEERING_FIELDS) if (document.members.has(name)) changes = put(changes, name, undefined);
  for (const name of edits.refusedMembers)
    if (document.members.has(name)) changes = put(changes, name, undefined);
  if (warnings !== undefined) {
    for (const name of ['tools', 'functions'] as const) {
      const mended = repairedToolList(document, name, edits.upstreamModel, warnings);
      if (mended !== undefined) changes = put(changes, name, mended);
    }
  }
  const cap = edits.outputCap ?? (edits.usesCompletionCap ? shape.outputCap : undefined);
  if (cap !== undefined && (edits.outputCap !== undefined || document.members.has('max_tokens'))) {
    const [name, other] = edits.usesCompletionCap
      ? (['max_completion_tokens', 'max_tokens'] as const)
      : (['max_tokens', 'max_completion_tokens'] as const);
    changes = put(put(changes, name, cap), other, undefined);
  }
  return changes === undefined ? document.bytes : spliceFields(document, changes);
}

/** Nearly always nothing changes, and then nothing is made. */
const put = (changes: Changes | undefined, name: string, value: unknown): Changes =>
  (changes ?? new Map<string, unknown>()).set(name, value);

type Changes = Map<string, unknown>;

function objectField(call: ParsedCall<'chat'>, name: string): object {
  const value = readField(call.document, name);
  return typeof value === 'object' && value !== null ? value : {};
}
