import type { RerankRequest } from '../../model/ranking.js';
import { given } from '../shared/fields/json-fields.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';

/** What most vendors read. Documents come back only when asked; the caller's own members pass. */
export function writeRerankRequest(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  return writtenBody(edits, {
    ...formatOptions(request, RERANK_FORMAT),
    model: edits.upstreamModel,
    query: request.query,
    documents: request.originals,
    ...given('top_n', request.topN),
    return_documents: request.returnsDocuments,
  });
}

/** Cohere's second version: texts only, and no documents in the answer. */
export function writeCohereRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  const { max_chunks_per_doc: _chunks, ...rest } = formatOptions(request, RERANK_FORMAT);
  return writtenBody(edits, {
    ...rest,
    model: edits.upstreamModel,
    query: request.query,
    documents: request.documents,
    ...given('top_n', request.topN),
  });
}

/** DashScope. */
export function writeAliRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  return writtenBody(edits, {
    model: edits.upstreamModel,
    input: { query: request.query, documents: request.documents },
    parameters: { ...given('top_n', request.topN), return_documents: request.returnsDocuments },
  });
}

/** Bedrock's agent runtime. The model is named by its ARN. */
export function writeBedrockRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  const sources = request.documents.map((text) => ({
    type: 'INLINE',
    inlineDocumentSource: { type: 'TEXT', textDocument: { text } },
  }));
  return writtenBody(edits, {
    queries: [{ type: 'TEXT', textQuery: { text: request.query } }],
    sources,
    rerankingConfiguration: {
      type: 'BEDROCK_RERANKING_MODEL',
      bedrockRerankingConfiguration: {
        numberOfResults: Math.min(request.topN ?? sources.length, sources.length),
        modelConfiguration: { modelArn: edits.upstreamModel },
      },
    },
  });
}
