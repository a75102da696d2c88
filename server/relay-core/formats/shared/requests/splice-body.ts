import { spliceFields } from '../../../framing/json-splice.js';
import { spliceParts } from '../../../framing/multipart.js';
import type { Operation } from '../../../model/operation.js';
import type { FormFields } from './form-call.js';
import { FORBIDDEN_FIELDS } from '../fields/request-fields.js';
import type { ParsedCall, RequestEdits } from '../../contract/api-format.js';

/** Pass-through: the caller's bytes with the upstream's model name; the files of a form are never written again. */
export function spliceBody(
  call: Pick<ParsedCall<Operation>, 'document' | 'shape'> & { readonly fields?: FormFields | undefined },
  edits: RequestEdits,
): Buffer {
  const { document, shape, fields } = call;
  const has = (name: string): boolean =>
    fields === undefined ? document.members.has(name) : fields.has(name);
  const changes = new Map<string, string | undefined>();
  for (const name of [...FORBIDDEN_FIELDS, ...edits.refusedMembers])
    if (has(name)) changes.set(name, undefined);
  if (!has('model') || edits.upstreamModel !== shape.model) changes.set('model', edits.upstreamModel);
  if (changes.size === 0) return document.bytes;
  return fields === undefined ? spliceFields(document, changes) : spliceParts(fields.form, changes);
}
