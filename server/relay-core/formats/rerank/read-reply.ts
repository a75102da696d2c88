import { fail, ok, type Result } from '../../../common/result.js';
import type { RerankReply } from '../../model/ranking.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, listOf, numberOf, textOf } from '../shared/fields/json-fields.js';
import { RERANK_FORMAT } from './id.js';
import { readRerankUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a ranking' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['model', 'results', 'data', 'output', 'usage']);

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
