import { spliceMembers } from '../../framing/json-splice.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf, numberOf } from '../shared/fields/json-fields.js';
import { FORBIDDEN_MEMBERS } from '../shared/fields/request-fields.js';
import { refuseTokenInputs } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

/** Jina's embeddings: OpenAI's grammar but for the encoding, which has another name. */
export const jinaEmbed: UpstreamFormat<'embed'> = {
  id: 'jina-embed',
  spliceRequest: ({ document }, edits) => spliceMembers(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const body: Record<string, unknown> = {};
    // `task`, `late_chunking`, `truncate` and their like have no other reader.
    for (const options of Object.values(request.vendorOptions ?? {})) Object.assign(body, options);
    for (const name of [...FORBIDDEN_MEMBERS, 'embedding_type']) delete body[name];
    body['model'] = edits.upstreamModel;
    body['input'] = request.inputs;
    if (request.dimensions !== undefined) body['dimensions'] = request.dimensions;
    const warnings: Warning[] = [];
    takeOutRefused(body, edits.refusedMembers, warnings);
    return { body: Buffer.from(JSON.stringify(body)), warnings };
  },
  refuseRequest: refuseTokenInputs,
  openMeter: () => new VectorMeter({ vectors: ['data'], tokens: ['usage', 'total_tokens'] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) =>
        listOf(document['data'])
          .map((item, position) => ({ row: documentOf(item), position }))
          .sort(
            (left, right) =>
              (numberOf(left.row['index']) ?? left.position) -
              (numberOf(right.row['index']) ?? right.position),
          )
          .map(({ row }) => row['embedding']),
      (document) => vectorUsage(documentOf(document['usage'])['total_tokens']),
    ),
};
