import type { EmbeddingRequest } from '../../model/embedding.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { warnOfForeign } from '../shared/fields/dropped-fields.js';
import { FORBIDDEN_MEMBERS } from '../shared/fields/request-fields.js';
import type { Warning } from '../../model/warning.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

export function writeEmbeddingRequest(request: EmbeddingRequest, edits: RequestEdits): WrittenRequest {
  const body: Record<string, unknown> = { ...request.vendorOptions?.[EMBEDDINGS_FORMAT] };
  for (const name of FORBIDDEN_MEMBERS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['input'] = request.isList ? request.inputs : request.inputs[0];
  if (request.dimensions !== undefined) body['dimensions'] = request.dimensions;
  if (request.encoding !== undefined) body['encoding_format'] = request.encoding;
  if (request.user !== undefined) body['user'] = request.user;
  const warnings: Warning[] = [];
  takeOutRefused(body, edits.refusedMembers, warnings);
  warnOfForeign(request.vendorOptions, EMBEDDINGS_FORMAT, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}
