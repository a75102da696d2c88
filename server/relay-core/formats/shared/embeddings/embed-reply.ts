import { fail, ok, type Result } from '../../../../common/result.js';
import type { EmbeddingReply } from '../../../model/embedding.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { Usage } from '../../../model/usage.js';
import { isDocument, type Document } from '../fields/json-fields.js';
import { encodeVectors, isVector } from './vector-encoding.js';
import type { ParsedCall } from '../../contract/api-format.js';

/**
 * Reads a whole embedding reply whose vectors come as numbers; they are encoded as the caller asked.
 * @param vectorsOf  the list of vectors in the vendor's document, in the order of the inputs
 * Fails: upstream-malformed.
 */
export function readVectors(
  body: Buffer,
  call: ParsedCall<'embed'>,
  vectorsOf: (document: Document) => readonly unknown[],
  usageOf: (document: Document) => Usage | undefined,
): Result<EmbeddingReply, RelayError> {
  let document: unknown;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    return malformed(cause);
  }
  if (!isDocument(document)) return malformed();
  const vectors: (readonly number[])[] = [];
  for (const vector of vectorsOf(document)) {
    if (!isVector(vector)) return malformed();
    vectors.push(vector);
  }
  if (vectors.length === 0) return malformed();
  const request = call.neutral();
  const encoding = request.ok ? request.value.encoding : undefined;
  return ok({ servedModel: '', vectors: encodeVectors(vectors, encoding), usage: usageOf(document) });
}

function malformed(cause?: unknown): { readonly ok: false; readonly error: RelayError } {
  return fail({
    kind: 'upstream-malformed',
    blame: 'upstream',
    message: 'The upstream answered something that is not an embedding list.',
    cause,
  });
}
