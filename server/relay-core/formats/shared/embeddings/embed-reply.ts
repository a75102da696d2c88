import { fail, ok, type Result } from '../../../../common/result.js';
import type { EmbeddingReply } from '../../../model/embedding.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { Usage } from '../../../model/usage.js';
import { type Document, documentOf, listOf, numberOf } from '../fields/json-fields.js';
import { encodeVectors, isVector } from './vector-encoding.js';
import type { ParsedCall, UpstreamFormat } from '../../contract/api-format.js';
import { VectorMeter, vectorUsage, type VectorPlaces } from '../metering/vector-meter.js';
import { replyDocument } from '../replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'an embedding list' });

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
  const read = replyDocument(body, MALFORMED, undefined, JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const vectors: (readonly number[])[] = [];
  for (const vector of vectorsOf(document)) {
    if (!isVector(vector)) return fail(MALFORMED);
    vectors.push(vector);
  }
  if (vectors.length === 0) return fail(MALFORMED);
  const misfit = countFault(vectors.length, call);
  if (misfit !== undefined) return fail(misfit);
  const request = call.neutral();
  const encoding = request.ok ? request.value.encoding : undefined;
  return ok({ servedModel: '', vectors: encodeVectors(vectors, encoding), usage: usageOf(document) });
}

/** Reader of replies whose vectors and figures stand at fixed places. @param vectorsOf  as for `readVectors` */
export const vectorReplies = (
  places: VectorPlaces,
  vectorsOf: (document: Document) => readonly unknown[],
): Pick<UpstreamFormat<'embed'>, 'openMeter' | 'readReply'> => ({
  openMeter: () => new VectorMeter(places),
  readReply: (body, call) =>
    readVectors(body, call, vectorsOf, (document) => usageAt(places.tokens, document)),
});

function usageAt(path: readonly string[], document: Document): Usage | undefined {
  if (path.length === 0) return undefined;
  return vectorUsage(path.reduce<unknown>((value, name) => documentOf(value)[name], document));
}

/** The vectors of a vendor's list in the order of the inputs, whose places the rows may name. */
export const orderedVectors = (rows: unknown): readonly unknown[] =>
  listOf(rows)
    .map((item, position) => ({ row: documentOf(item), position }))
    .sort((left, right) => placeOf(left) - placeOf(right))
    .map(({ row }) => row['embedding']);

/** Cohere's vectors: a list of them, or one under the name of its kind of numbers. */
export const cohereVectors = ({ embeddings }: Document): readonly unknown[] =>
  Array.isArray(embeddings) ? embeddings : listOf(documentOf(embeddings)['float']);

const placeOf = ({ row, position }: { readonly row: Document; readonly position: number }): number =>
  numberOf(row['index']) ?? position;

/** Texts are identified by their places alone: an answer with more or fewer vectors belongs to none of them. */
export function countFault(vectors: number, call: ParsedCall<'embed'>): RelayError | undefined {
  const request = call.neutral();
  if (!request.ok || request.value.inputs.length === vectors) return undefined;
  return refusal('vectors-differ', { vectors, inputs: request.value.inputs.length });
}
