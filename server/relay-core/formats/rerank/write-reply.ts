import type { RerankReply, RerankRequest } from '../../model/ranking.js';
import { isDocument } from '../shared/fields/json-fields.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';

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
 * Look-alikes leave out the documents that were asked for, or name the score in a way of their own. Texts of documents cannot
 * look like these members: their quotation marks are escaped.
 */
export function hasRequestedRanking(body: Buffer, call: ParsedCall<'rerank'>): boolean {
  if (!body.includes('"relevance_score"')) return !body.includes('"score"');
  const request = call.neutral();
  return !request.ok || !request.value.returnsDocuments || body.includes('"document"');
}

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

const asDocument = (original: unknown): unknown =>
  typeof original === 'string' ? { text: original } : original;
