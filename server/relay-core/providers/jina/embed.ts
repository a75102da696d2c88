import { spliceFields } from '../../framing/json-splice.js';
import { orderedVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { FORBIDDEN_FIELDS } from '../../formats/shared/fields/request-fields.js';
import { isImageInput, refuseTokenInputs } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { leftOut, writtenBody } from '../../formats/shared/requests/drop-refused-members.js';

/** Jina's embeddings: OpenAI's grammar but for the encoding, which has another name. */
export const jinaEmbed: UpstreamFormat<'embed'> = {
  id: 'jina-embed',
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const body: Record<string, unknown> = {};
    // `task`, `late_chunking`, `truncate` and their like have no other reader.
    for (const options of Object.values(request.vendorOptions ?? {})) Object.assign(body, options);
    for (const name of [...FORBIDDEN_FIELDS, 'embedding_type']) delete body[name];
    body['model'] = edits.upstreamModel;
    // https://api.jina.ai/redoc#tag/embeddings (read 2026-11-28): images have a member of their own.
    body['input'] = request.inputs.map((input) => (isImageInput(input) ? { image: input } : input));
    if (request.dimensions !== undefined) body['dimensions'] = request.dimensions;
    return writtenBody(edits, body, leftOut(request, Object.keys(body)));
  },
  refuseRequest: (request) =>
    refuseTokenInputs({ ...request, inputs: request.inputs.filter((input) => !isImageInput(input)) }),
  ...vectorReplies({ vectors: ['data'], tokens: ['usage', 'total_tokens'] }, (document) =>
    orderedVectors(document['data']),
  ),
};
