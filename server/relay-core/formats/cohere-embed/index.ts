import { spliceMembers } from '../../framing/json-splice.js';
import type { EmbeddingRequest } from '../../model/embedding.js';
import type { Warning } from '../../model/warning.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf } from '../shared/fields/json-fields.js';
import { warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat, RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

/** Members a caller of any format may give for this vendor by their own names. */
const CALLERS_MEMBERS = ['input_type', 'truncate', 'priority'] as const;

/** Cohere's embedding grammar, version 2: https://docs.cohere.com/reference/embed (read 2026-11-21). */
export const cohereEmbed: UpstreamFormat<'embed'> = {
  id: 'cohere-embed',
  spliceRequest: ({ document }, edits) => spliceMembers(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => writeRequest(request, edits, { model: edits.upstreamModel }),
  refuseRequest: refuseTokenInputs,
  openMeter: () =>
    new VectorMeter({ vectors: ['embeddings'], tokens: ['meta', 'billed_units', 'input_tokens'] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) =>
        Array.isArray(document['embeddings'])
          ? document['embeddings']
          : listOf(documentOf(document['embeddings'])['float']),
      (document) => vectorUsage(documentOf(documentOf(document['meta'])['billed_units'])['input_tokens']),
    ),
};

function writeRequest(
  request: EmbeddingRequest,
  edits: RequestEdits,
  base: Readonly<Record<string, unknown>>,
): WrittenRequest {
  const warnings: Warning[] = [];
  const body: Record<string, unknown> = {
    ...base,
    texts: textsOf(request),
    input_type: 'search_document',
    embedding_types: ['float'],
    ...(request.dimensions === undefined ? {} : { output_dimension: request.dimensions }),
  };
  for (const options of Object.values(request.vendorOptions ?? {})) {
    for (const name of CALLERS_MEMBERS) if (name in options) body[name] = options[name];
  }
  warnOfUnsupported({ user: request.user }, 'Cohere', warnings);
  takeOutRefused(body, edits.refusedMembers, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}
