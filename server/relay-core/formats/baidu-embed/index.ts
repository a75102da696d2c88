import type { Warning } from '../../model/warning.js';
import { spliceMembers } from '../../framing/json-splice.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf } from '../shared/fields/json-fields.js';
import { refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat } from '../contract/api-format.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

/** Embeddings of Baidu's first interface: the address names the model, and vectors come as numbers. */
export const baiduEmbed: UpstreamFormat<'embed'> = {
  id: 'baidu-embed',
  spliceRequest: ({ document }) => spliceMembers(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const body: Record<string, unknown> = { input: textsOf(request) };
    const warnings: Warning[] = [];
    takeOutRefused(body, edits.refusedMembers, warnings);
    if (request.dimensions !== undefined)
      warnings.push({ setting: 'dimensions', reason: 'this upstream has no such setting' });
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
          .map(documentOf)
          .toSorted((left, right) => Number(left['index']) - Number(right['index']))
          .map((row) => row['embedding']),
      (document) => vectorUsage(documentOf(document['usage'])['total_tokens']),
    ),
};
