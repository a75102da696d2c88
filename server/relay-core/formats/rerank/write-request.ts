import type { RerankRequest } from '../../model/ranking.js';
import { FORBIDDEN_MEMBERS } from '../shared/fields/request-fields.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';
import { writtenBody } from '../shared/requests/take-out-refused.js';

/** What most vendors read. Documents come back only when asked; the caller's own members pass. */
export function writeRerankRequest(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  return writtenBody(edits, {
    ...own(request),
    model: edits.upstreamModel,
    query: request.query,
    documents: request.originals,
    ...topN(request),
    return_documents: request.returnsDocuments,
  });
}

/** Cohere's second version: texts only, and no documents in the answer. */
export function writeCohereRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  const { max_chunks_per_doc: _chunks, ...rest } = own(request);
  return writtenBody(edits, {
    ...rest,
    model: edits.upstreamModel,
    query: request.query,
    documents: request.documents,
    ...topN(request),
  });
}

/** DashScope. */
export function writeAliRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  return writtenBody(edits, {
    model: edits.upstreamModel,
    input: { query: request.query, documents: request.documents },
    parameters: { ...topN(request), return_documents: request.returnsDocuments },
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

const topN = (request: RerankRequest): { readonly top_n?: number } =>
  request.topN === undefined ? {} : { top_n: request.topN };

function own(request: RerankRequest): Record<string, unknown> {
  const members: Record<string, unknown> = { ...request.vendorOptions?.[RERANK_FORMAT] };
  for (const name of FORBIDDEN_MEMBERS) delete members[name];
  return members;
}
