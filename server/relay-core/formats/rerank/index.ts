import { spliceBody } from '../shared/requests/splice-body.js';
import type {
  ApiFormat,
  ParsedCall,
  ReplyContext,
  RequestEdits,
  UpstreamFormat,
  WrittenRequest,
} from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';
import { RerankMeter } from './meter.js';
import { parseRerankCall } from './parse-call.js';
import { fail, ok, type Result } from '../../../common/result.js';
import type { RerankReply, RerankRequest } from '../../model/ranking.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import { warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { keepUnknown } from '../../model/vendor-options.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  textOf,
} from '../shared/fields/json-fields.js';
import { readRerankUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { formatOptions, leftOut, writtenBody } from '../shared/requests/drop-refused-members.js';

const asDocument = (original: unknown): unknown =>
  typeof original === 'string' ? { text: original } : original;

const MALFORMED = refusal('other-kind', { wanted: 'a ranking' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['model', 'results', 'data', 'output', 'usage']);

/** The ranking grammar Jina's and Cohere's clients share: https://jina.ai/reranker, https://docs.cohere.com/reference/rerank (read 2026-11-21). */
export const rerank: ApiFormat<'rerank'> = {
  id: RERANK_FORMAT,
  replyType: 'application/json',
  itemsMember: 'documents',
  parseCall: parseRerankCall,
  spliceRequest: spliceBody,
  writeRequest: writeRerankRequest,
  openMeter: (call) => new RerankMeter(call),
  readReply: readRerankReply,
  writeReply: writeRerankReply,
  hasRequestedForm: hasRequestedRanking,
};

/** A vendor's own dialect of it: always by way of the neutral model, so that every caller gets one shape. */
function variant(
  id: string,
  writeRequest: UpstreamFormat<'rerank'>['writeRequest'],
  trustsUsage = true,
): UpstreamFormat<'rerank'> {
  return {
    id,
    spliceRequest: spliceBody,
    writeRequest,
    openMeter: (call) => new RerankMeter(call, trustsUsage),
    readReply: readRerankReply,
  };
}

/** Same request; figures stand in `meta.tokens`. */
export const siliconflowRerank = variant('siliconflow-rerank', writeRerankRequest);
/** Same request; documents come in several shapes, and figures are not to be believed. */
export const xinferenceRerank = variant('xinference-rerank', writeRerankRequest, false);
export const cohereRerank = variant('cohere-rerank', writeCohereRerank);
export const aliRerank = variant('ali-rerank', writeAliRerank);
export const bedrockRerank = variant('bedrock-rerank', writeBedrockRerank);

/**
 * Whole reply of any of the vendors → neutral reply, best first. Results stand in `results` (Jina, Cohere, SiliconFlow,
 * Xinference, Bedrock), `data` (Voyage) or `output.results` (Ali). Fails: upstream-malformed.
 */
export function readRerankReply(body: Buffer): Result<RerankReply, RelayError> {
  const read = replyDocument(body, MALFORMED, undefined, JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const rows = document['results'] ?? document['data'] ?? documentOf(document['output'])['results'];
  if (!Array.isArray(rows)) return fail(MALFORMED);
  const results: RerankReply['results'][number][] = [];
  for (const item of listOf(rows)) {
    const row = documentOf(item);
    const index = numberOf(row['index']);
    const score =
      numberOf(row['relevance_score']) ?? numberOf(row['relevanceScore']) ?? numberOf(row['score']);
    if (index === undefined || score === undefined) return fail(MALFORMED);
    const found = row['document'];
    results.push({ index, score, ...(found === null || found === undefined ? {} : { document: found }) });
  }
  results.sort((left, right) => right.score - left.score);
  const usage = readRerankUsage(document);
  const vendorOptions = keepUnknown(RERANK_FORMAT, document, KNOWN_FIELDS);
  return ok({
    servedModel: textOf(document['model']),
    results,
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** Members that most vendors read. Documents come back only on request; the caller's own members pass. */
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
  const { max_chunks_per_doc: chunks, ...rest } = formatOptions(request, RERANK_FORMAT);
  const warnings: Warning[] = [];
  warnOfUnsupported({ max_chunks_per_doc: chunks }, 'Cohere', warnings);
  const body = {
    ...rest,
    model: edits.upstreamModel,
    query: request.query,
    documents: request.documents,
    ...given('top_n', request.topN),
  };
  return writtenBody(edits, body, warnings);
}

/** DashScope models that read an instruction: https://help.aliyun.com/zh/model-studio/text-rerank-api, not read; by their names. */
const INSTRUCTED = /qwen.*rerank/i;

/** DashScope. */
export function writeAliRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  const options = formatOptions(request, RERANK_FORMAT);
  const takesInstruct = INSTRUCTED.test(edits.upstreamModel);
  const instruct = takesInstruct ? (options['instruct'] ?? options['instruction']) : undefined;
  const body = {
    model: edits.upstreamModel,
    input: { query: request.query, documents: request.documents },
    parameters: {
      ...given('top_n', request.topN),
      return_documents: request.returnsDocuments,
      ...given('instruct', instruct),
    },
  };
  return writtenBody(edits, body, leftOut(request, takesInstruct ? ['instruct', 'instruction'] : []));
}

/** Bedrock's agent runtime. The model is named by its ARN. */
export function writeBedrockRerank(request: RerankRequest, edits: RequestEdits): WrittenRequest {
  const sources = request.documents.map((text) => ({
    type: 'INLINE',
    inlineDocumentSource: { type: 'TEXT', textDocument: { text } },
  }));
  const body = {
    queries: [{ type: 'TEXT', textQuery: { text: request.query } }],
    sources,
    rerankingConfiguration: {
      type: 'BEDROCK_RERANKING_MODEL',
      bedrockRerankingConfiguration: {
        numberOfResults: Math.min(request.topN ?? sources.length, sources.length),
        modelConfiguration: { modelArn: edits.upstreamModel },
      },
    },
  };
  return writtenBody(edits, body, leftOut(request, []));
}

/**
 * Neutral reply → the shape Jina's and Cohere's clients both read: `results[]{index, relevance_score, document?}`, best
 * first. Documents the caller asked back and the vendor left out are put back from the request.
 */
export function writeRerankReply(
  reply: RerankReply,
  context: ReplyContext,
  call: ParsedCall<'rerank'>,
): Buffer {
  const neutral = call.neutral();
  const request = neutral.ok ? neutral.value : undefined;
  const tokens = reply.usage?.input.total ?? call.shape.promptTokens;
  const results = reply.results.slice(0, request?.topN ?? reply.results.length);
  return Buffer.from(
    JSON.stringify({
      id: context.callId,
      ...reply.vendorOptions?.[RERANK_FORMAT],
      model: reply.servedModel ?? context.model,
      results: results.map((result) => writeResult(result, request)),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}

/**
 * Compatible vendors leave out requested documents, name the score in a way of their own, ignore `top_n` or keep the order of the
 * documents. Texts of documents cannot look like these members: their quotation marks are escaped.
 */
export function hasRequestedRanking(body: Buffer, call: ParsedCall<'rerank'>): boolean {
  if (!body.includes('"relevance_score"')) return !body.includes('"score"');
  const request = call.neutral();
  if (!request.ok) return true;
  const { returnsDocuments, topN } = request.value;
  if (returnsDocuments && (!body.includes('"document"') || NULL_DOCUMENT.test(body.toString('utf8'))))
    return false;
  return isRanked(body, topN);
}

/** True of results that begin with the best, and are no more than requested; of other forms too. @param most  absent = any number */
function isRanked(body: Buffer, most = Number.MAX_SAFE_INTEGER): boolean {
  const results = parseDocument(body)?.['results'];
  if (!Array.isArray(results)) return true;
  let least = Number.POSITIVE_INFINITY;
  for (const item of results) {
    const score = numberOf(documentOf(item)['relevance_score']);
    if (score === undefined) return true;
    if (score > least) return false;
    least = score;
  }
  return results.length <= most;
}

const NULL_DOCUMENT = /"document"\s*:\s*null/;

function writeResult(
  result: RerankReply['results'][number],
  request: RerankRequest | undefined,
): Record<string, unknown> {
  const written = { index: result.index, relevance_score: result.score };
  if (request?.returnsDocuments !== true) return written;
  const original = request.originals[result.index];
  const document = fromVendor(result.document) ?? asDocument(original);
  return document === undefined ? written : { ...written, document };
}

/** Vendors give a text, an object with a text, or an object without one. */
function fromVendor(document: unknown): unknown {
  if (typeof document === 'string') return { text: document };
  if (!isDocument(document)) return undefined;
  return document['text'] === undefined || document['text'] === null ? undefined : document;
}
