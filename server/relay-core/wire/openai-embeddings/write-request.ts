import { spliceMembers } from '../../framing/json-splice.js';
import type { EmbeddingRequest } from '../../model/embedding.js';
import type { ParsedCall, RequestEdits, WrittenRequest } from '../wire.js';
import { EMBEDDINGS_WIRE } from './id.js';
import { warnOfForeign } from '../left-out.js';
import type { Warning } from '../../model/warning.js';

/** Members that would steer a gateway behind the upstream (RLY-01). */
const FORBIDDEN_MEMBERS = [
  'api_base',
  'base_url',
  'api_key',
  'api_version',
  'proxy',
  'extra_headers',
  'custom_llm_provider',
];

/** Pass-through: the caller's bytes with the upstream's model name. */
export function spliceEmbeddingRequest(call: ParsedCall<'embed'>, edits: RequestEdits): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model)
    changes.set('model', edits.upstreamModel);
  for (const name of [...FORBIDDEN_MEMBERS, ...edits.refusedMembers]) {
    if (document.members.has(name)) changes.set(name, undefined);
  }
  return changes.size === 0 ? document.bytes : spliceMembers(document, changes);
}

export function writeEmbeddingRequest(request: EmbeddingRequest, edits: RequestEdits): WrittenRequest {
  const body: Record<string, unknown> = { ...request.vendorOptions?.[EMBEDDINGS_WIRE] };
  for (const name of FORBIDDEN_MEMBERS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['input'] = request.isList ? request.inputs : request.inputs[0];
  if (request.dimensions !== undefined) body['dimensions'] = request.dimensions;
  if (request.encoding !== undefined) body['encoding_format'] = request.encoding;
  if (request.user !== undefined) body['user'] = request.user;
  for (const name of edits.refusedMembers) delete body[name];
  const warnings: Warning[] = [];
  warnOfForeign(request.vendorOptions, EMBEDDINGS_WIRE, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}
