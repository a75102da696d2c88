import { spliceFields } from '../../framing/json-splice.js';
import { orderedVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { refuseTokenInputs, textsOf } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { writtenBody } from '../../formats/shared/requests/drop-refused-members.js';

/** Embeddings of Baidu's first interface: the address names the model, and vectors come as numbers. */
export const baiduEmbed: UpstreamFormat<'embed'> = {
  id: 'baidu-embed',
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const { body, warnings } = writtenBody(edits, { input: textsOf(request) });
    if (request.dimensions === undefined) return { body, warnings };
    const lost = { setting: 'dimensions', reason: 'this upstream has no such setting' };
    return { body, warnings: [...warnings, lost] };
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['data'], tokens: ['usage', 'total_tokens'] }, (document) =>
    orderedVectors(document['data']),
  ),
};
