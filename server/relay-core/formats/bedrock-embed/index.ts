import { spliceMembers } from '../../framing/json-splice.js';
import type { EmbeddingRequest } from '../../model/embedding.js';
import { readVectors } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf } from '../shared/fields/json-fields.js';
import { refuseSeveralInputs, refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { VectorMeter, vectorUsage } from '../shared/metering/vector-meter.js';
import type { UpstreamFormat, RequestEdits, WrittenRequest } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { takeOutRefused } from '../shared/requests/take-out-refused.js';

/** Titan's embeddings by InvokeModel: one text per call. */
export const titanEmbed: UpstreamFormat<'embed'> = {
  id: 'bedrock-titan-embed',
  spliceRequest: ({ document }) => spliceMembers(document, new Map([['model', undefined]])),
  writeRequest: (request, edits) =>
    written(edits, {
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
    written(edits, {
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
    written(edits, {
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

function written(edits: RequestEdits, body: Record<string, unknown>): WrittenRequest {
  const warnings: Warning[] = [];
  takeOutRefused(body, edits.refusedMembers, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

/** Members a caller of any wire may give by the vendor's own names. */
function callersMembers(request: EmbeddingRequest, names: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const options of Object.values(request.vendorOptions ?? {})) {
    for (const name of names) if (name in options) members[name] = options[name];
  }
  return members;
}
