import type { EmbeddingRequest } from '../../model/embedding.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { setGiven } from '../shared/fields/json-fields.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';

export function writeEmbeddingRequest(request: EmbeddingRequest, edits: RequestEdits): WrittenRequest {
  const body = formatOptions(request, EMBEDDINGS_FORMAT);
  body['model'] = edits.upstreamModel;
  body['input'] = request.isList ? request.inputs : request.inputs[0];
  setGiven(body, 'dimensions', request.dimensions);
  setGiven(body, 'encoding_format', request.encoding);
  setGiven(body, 'user', request.user);
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, EMBEDDINGS_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}
