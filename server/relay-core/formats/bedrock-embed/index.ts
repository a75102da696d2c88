import { spliceMembers } from '../../framing/json-splice.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf } from '../shared/fields/json-fields.js';
import { refuseSeveralInputs, refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat } from '../contract/api-format.js';
import { writtenBody, callersMembers } from '../shared/requests/take-out-refused.js';

/** Titan's embeddings by InvokeModel: one text per call. */
export const titanEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-titan-embed',
  spliceRequest: ({ document }) => spliceMembers(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) =>
    writtenBody(edits, {
      inputText: textsOf(request)[0],
      ...(request.dimensions === undefined ? {} : { dimensions: request.dimensions }),
      ...callersMembers(request, ['normalize']),
    }),
  refuseRequest: (request) => refuseSeveralInputs(request) ?? refuseTokenInputs(request),
  openMeter: () => new VectorMeter({ vectors: ['embedding'], tokens: ['inputTextTokenCount'] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) => [document['embedding']],
      (document) => vectorUsage(document['inputTextTokenCount']),
    ),
};

/** Nova's embeddings by InvokeModel: one text per call. */
export const novaEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-nova-embed',
  spliceRequest: ({ document }) => spliceMembers(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) =>
    writtenBody(edits, {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: 'GENERIC_INDEX',
        ...(request.dimensions === undefined ? {} : { embeddingDimension: request.dimensions }),
        text: { truncationMode: 'END', value: textsOf(request)[0] },
      },
    }),
  refuseRequest: (request) => refuseSeveralInputs(request) ?? refuseTokenInputs(request),
  openMeter: () => new VectorMeter({ vectors: ['embeddings'], tokens: ['inputTokenCount'] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) => listOf(document['embeddings']).map((item) => documentOf(item)['embedding']),
      (document) => vectorUsage(document['inputTokenCount']),
    ),
};

/** Cohere's embeddings by InvokeModel: figures stand in a header only. */
export const bedrockCohereEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-cohere-embed',
  spliceRequest: ({ document }) => spliceMembers(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) =>
    writtenBody(edits, {
      texts: textsOf(request),
      input_type: 'search_document',
      ...(request.dimensions === undefined ? {} : { output_dimension: request.dimensions }),
      ...callersMembers(request, ['input_type', 'truncate']),
    }),
  refuseRequest: refuseTokenInputs,
  openMeter: () => new VectorMeter({ vectors: ['embeddings'], tokens: [] }),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) =>
        Array.isArray(document['embeddings'])
          ? document['embeddings']
          : listOf(documentOf(document['embeddings'])['float']),
      () => undefined,
    ),
};
