import { fail, ok, type Result } from '../../../common/result.js';
import type { EmbeddingReply } from '../../model/embedding.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, isDocument, listOf, numberOf, textOf } from '../shared/fields/json-fields.js';
import { isVector } from '../shared/embeddings/vector-encoding.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { readEmbeddingUsage } from './usage.js';

const KNOWN_MEMBERS: ReadonlySet<string> = new Set(['object', 'data', 'model', 'usage']);

/** Whole reply → neutral reply, vectors in the order of the inputs. Fails: upstream-malformed. */
export function readEmbeddingReply(body: Buffer): Result<EmbeddingReply, RelayError> {
  let document: unknown;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    return malformed(cause);
  }
  if (!isDocument(document) || !Array.isArray(document['data'])) return malformed();
  const rows = listOf(document['data'])
    .map((item, position) => ({ row: documentOf(item), position }))
    .sort((left, right) => indexOf(left) - indexOf(right));
  const vectors: (readonly number[] | string)[] = [];
  for (const { row } of rows) {
    const embedding = row['embedding'];
    if (typeof embedding === 'string') vectors.push(embedding);
    else if (isVector(embedding)) vectors.push(embedding);
    else return malformed();
  }
  const usage = readEmbeddingUsage(document['usage']);
  const vendorOptions = keepUnknown(EMBEDDINGS_FORMAT, document, KNOWN_MEMBERS);
  return ok({
    servedModel: textOf(document['model']) ?? '',
    vectors,
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

const indexOf = (item: {
  readonly row: Readonly<Record<string, unknown>>;
  readonly position: number;
}): number => numberOf(item.row['index']) ?? item.position;

function malformed(cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({
    kind: 'upstream-malformed',
    blame: 'upstream',
    message: 'The upstream answered something that is not an embedding list.',
    cause,
  });
}
