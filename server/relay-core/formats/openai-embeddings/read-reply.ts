import { fail, ok, type Result } from '../../../common/result.js';
import type { EmbeddingReply } from '../../model/embedding.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { textOf } from '../shared/fields/json-fields.js';
import type { ParsedCall } from '../contract/api-format.js';
import { isVector } from '../shared/embeddings/vector-encoding.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { readEmbeddingUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';
import { countFault, orderedVectors } from '../shared/embeddings/embed-reply.js';

const MALFORMED = refusal('other-kind', { wanted: 'an embedding list' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['object', 'data', 'model', 'usage']);

/** Whole reply → neutral reply, vectors in the order of the inputs. Fails: upstream-malformed. */
export function readEmbeddingReply(
  body: Buffer,
  call: ParsedCall<'embed'>,
): Result<EmbeddingReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => Array.isArray(document['data']), JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const vectors: (readonly number[] | string)[] = [];
  for (const embedding of orderedVectors(document['data'])) {
    if (typeof embedding === 'string') vectors.push(embedding);
    else if (isVector(embedding)) vectors.push(embedding);
    else return fail(MALFORMED);
  }
  const misfit = countFault(vectors.length, call);
  if (misfit !== undefined) return fail(misfit);
  const usage = readEmbeddingUsage(document['usage']);
  const vendorOptions = keepUnknown(EMBEDDINGS_FORMAT, document, KNOWN_FIELDS);
  return ok({
    servedModel: textOf(document['model']) ?? '',
    vectors,
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}
