import { spliceFields } from '../../framing/json-splice.js';
import { orderedVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { refuseTokenInputs, textsOf } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { warnOfUnsupported } from '../../formats/shared/fields/dropped-fields.js';
import { given } from '../../formats/shared/fields/json-fields.js';
import type { Warning } from '../../model/warning.js';
import { warnOfLeftOut, writtenBody } from '../../formats/shared/requests/drop-refused-members.js';

/** Embeddings of Baidu's first interface: the address names the model, and vectors come as numbers. */
export const baiduEmbed: UpstreamFormat<'embed'> = {
  id: 'baidu-embed',
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const warnings: Warning[] = [];
    warnOfLeftOut(request, [], warnings);
    warnOfUnsupported({ dimensions: request.dimensions }, 'Baidu', warnings);
    return writtenBody(edits, { input: textsOf(request), ...given('user_id', request.user) }, warnings);
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['data'], tokens: ['usage', 'total_tokens'] }, (document) =>
    orderedVectors(document['data']),
  ),
};
