import { readField, spliceFields } from '../../framing/json-splice.js';
import type { EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import { readVectors, vectorReplies } from '../shared/embeddings/embed-reply.js';
import { documentOf, listOf, type Document } from '../shared/fields/json-fields.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { decodeVector, refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { withField } from '../shared/openai/append-usage.js';
import { vectorUsage } from '../shared/metering/vector-meter.js';
import type {
  UpstreamFormat,
  ParsedCall,
  RequestEdits,
  ApiFormat,
  WrittenRequest,
} from '../contract/api-format.js';
import { EMBED_BATCH_FORMAT, EMBED_FORMAT, VERTEX_EMBED_FORMAT } from './id.js';
import { VertexEmbedMeter } from './meter.js';
import { parseEmbedBatchCall, parseEmbedCall } from './parse-call.js';

export { EMBED_BATCH_FORMAT, EMBED_FORMAT, VERTEX_EMBED_FORMAT } from './id.js';

const USAGE_PATH = ['usageMetadata', 'promptTokenCount'];

/** Google's grammar for one vector: https://ai.google.dev/api/embeddings (read 2026-11-21). */
export const geminiEmbed: ApiFormat<'embed'> = {
  id: EMBED_FORMAT,
  replyType: 'application/json; charset=utf-8',
  parseCall: parseEmbedCall,
  spliceRequest: ({ document }, { upstreamModel }) =>
    spliceFields(document, new Map([['model', `models/${upstreamModel}`]])),
  writeRequest: (request, edits) =>
    written(request, EMBED_FORMAT, oneRequest(request, textsOf(request)[0] ?? '', edits, EMBED_FORMAT)),
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embedding'], tokens: USAGE_PATH }, ({ embedding }) => [
    documentOf(embedding)['values'],
  ]),
  writeReply: (reply) => toBytes({ embedding: { values: numbersOf(reply)[0] ?? [] } }, reply),
  appendUsage,
};

/** Google's grammar for several vectors. */
export const geminiEmbedBatch: ApiFormat<'embed'> = {
  id: EMBED_BATCH_FORMAT,
  replyType: 'application/json; charset=utf-8',
  parseCall: parseEmbedBatchCall,
  spliceRequest: spliceBatch,
  writeRequest: (request, edits) => {
    const requests = textsOf(request).map((text) => oneRequest(request, text, edits, EMBED_BATCH_FORMAT));
    return written(request, EMBED_BATCH_FORMAT, { requests });
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embeddings'], tokens: USAGE_PATH }, ({ embeddings }) =>
    listOf(embeddings).map((one) => documentOf(one)['values']),
  ),
  writeReply: (reply) => toBytes({ embeddings: numbersOf(reply).map((values) => ({ values })) }, reply),
  appendUsage,
};

/** Vertex's grammar: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api (read 2026-11-21). */
export const vertexEmbed: UpstreamFormat<'embed'> = {
  id: VERTEX_EMBED_FORMAT,
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: (request) => {
    const options = documentOf(request.vendorOptions?.[EMBED_FORMAT]);
    const { taskType, title } = options;
    const instances = textsOf(request).map((content) => ({
      content,
      ...(taskType === undefined ? {} : { task_type: taskType }),
      ...(title === undefined ? {} : { title }),
    }));
    const parameters = request.dimensions === undefined ? {} : { outputDimensionality: request.dimensions };
    return written(request, EMBED_FORMAT, { instances, parameters });
  },
  refuseRequest: refuseTokenInputs,
  openMeter: () => new VertexEmbedMeter(),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) => predictionsOf(document).map((one) => one['values']),
      (document) => sumOf(predictionsOf(document).map((one) => documentOf(one['statistics'])['token_count'])),
    ),
};

const predictionsOf = (document: Document): readonly Document[] =>
  listOf(document['predictions']).map((one) => documentOf(documentOf(one)['embeddings']));

function sumOf(counts: readonly unknown[]): Usage | undefined {
  const known = counts.filter((count) => typeof count === 'number');
  return known.length === 0 ? undefined : vectorUsage(known.reduce((sum, count) => sum + count, 0));
}

function oneRequest(
  request: EmbeddingRequest,
  text: string,
  edits: RequestEdits,
  apiFormat: string,
): Document {
  return {
    ...request.vendorOptions?.[apiFormat],
    model: `models/${edits.upstreamModel}`,
    content: { parts: [{ text }] },
    ...(request.dimensions === undefined ? {} : { outputDimensionality: request.dimensions }),
  };
}

/** The three formats share their options. */
function written(request: EmbeddingRequest, apiFormat: string, body: Document): WrittenRequest {
  const warnings: Warning[] = [];
  const { [EMBED_FORMAT]: _one, [EMBED_BATCH_FORMAT]: _batch, ...foreign } = request.vendorOptions ?? {};
  warnOfOtherFormatFields(foreign, apiFormat, warnings);
  warnOfUnsupported({ user: request.user }, 'Gemini', warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

function spliceBatch(call: ParsedCall<'embed'>, edits: RequestEdits): Buffer {
  const requests = listOf(readField(call.document, 'requests')).map((one) => ({
    ...documentOf(one),
    model: `models/${edits.upstreamModel}`,
  }));
  return spliceFields(call.document, new Map([['requests', requests]]));
}

/** This grammar has numbers only. */
const numbersOf = (reply: EmbeddingReply): readonly (readonly number[])[] =>
  reply.vectors.map((vector) => (typeof vector === 'string' ? decodeVector(vector) : vector));

const writeUsage = ({ input }: Usage): Document => ({ promptTokenCount: input.total });

function appendUsage(body: Buffer, usage: Usage): Buffer {
  return withField(body, 'usageMetadata', writeUsage(usage));
}

function toBytes(document: Document, reply: EmbeddingReply): Buffer {
  const usage = reply.usage === undefined ? {} : { usageMetadata: writeUsage(reply.usage) };
  return Buffer.from(JSON.stringify({ ...document, ...usage }));
}
