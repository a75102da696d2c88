import { spliceFields } from '../../framing/json-splice.js';
import { cohereVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { documentOf, given, listOf } from '../../formats/shared/fields/json-fields.js';
import {
  refuseSeveralInputs,
  refuseTokenInputs,
  textsOf,
} from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import {
  leftOut,
  passThroughFields,
  writtenBody,
} from '../../formats/shared/requests/drop-refused-members.js';

/** Members that callers of any format may give by the vendor's own names. */
const TITAN_FIELDS = ['normalize'];
const COHERE_FIELDS = ['input_type', 'truncate'];

/** Titan's embeddings by InvokeModel: one text per call. */
export const titanEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-titan-embed',
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const body = {
      inputText: textsOf(request)[0],
      ...given('dimensions', request.dimensions),
      ...passThroughFields(request, TITAN_FIELDS),
    };
    return writtenBody(edits, body, leftOut(request, TITAN_FIELDS));
  },
  refuseRequest: (request) => refuseSeveralInputs(request) ?? refuseTokenInputs(request),
  ...vectorReplies({ vectors: ['embedding'], tokens: ['inputTextTokenCount'] }, ({ embedding }) => [
    embedding,
  ]),
};

/** Nova's embeddings by InvokeModel: one text per call. */
export const novaEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-nova-embed',
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const body = {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: 'GENERIC_INDEX',
        ...given('embeddingDimension', request.dimensions),
        text: { truncationMode: 'END', value: textsOf(request)[0] },
      },
    };
    return writtenBody(edits, body, leftOut(request, []));
  },
  refuseRequest: (request) => refuseSeveralInputs(request) ?? refuseTokenInputs(request),
  ...vectorReplies({ vectors: ['embeddings'], tokens: ['inputTokenCount'] }, ({ embeddings }) =>
    listOf(embeddings).map((item) => documentOf(item)['embedding']),
  ),
};

/** Cohere's embeddings by InvokeModel: figures stand in a header only. */
export const bedrockCohereEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-cohere-embed',
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) => {
    const body = {
      texts: textsOf(request),
      input_type: 'search_document',
      ...given('output_dimension', request.dimensions),
      ...passThroughFields(request, COHERE_FIELDS),
    };
    return writtenBody(edits, body, leftOut(request, COHERE_FIELDS));
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embeddings'], tokens: [] }, cohereVectors),
};
