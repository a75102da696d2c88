import type { EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import { decodeVector, encodeVectors } from '../shared/embeddings/vector-encoding.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';

/** The request as far as it is one of texts in numbers or base64; undefined = it has forms only its vendor knows. */
function plainRequest(call: ParsedCall<'embed'>): EmbeddingRequest | undefined {
  const request = call.neutral();
  if (!request.ok) return undefined;
  const own = Object.keys(request.value.vendorOptions?.[EMBEDDINGS_FORMAT] ?? {});
  return own.some((name) => VENDORS_FORMS.test(name)) ? undefined : request.value;
}

/** Members by which vendors are asked for bytes, bits or several vectors a text. */
const VENDORS_FORMS = /dtype|embedding_type|output_type|multivector/;

/** Whether vectors came in the asked encoding (text or numbers), judged by the first: some look-alikes know one encoding only. */
export function hasRequestedEncoding(body: Buffer, call: ParsedCall<'embed'>): boolean {
  const request = plainRequest(call);
  const first = FIRST_VECTOR.exec(body.toString('latin1', 0, FIRST_BYTES))?.[1];
  if (request === undefined || first === undefined) return true;
  return (first === '"') === (request.encoding === 'base64');
}

/** The first vector begins here, whatever stands before it. */
const FIRST_BYTES = 8 * 1024;
const FIRST_VECTOR = /"embedding"\s*:\s*(["[])/;

function inRequestedEncoding(
  vector: readonly number[] | string,
  { encoding }: EmbeddingRequest,
): readonly number[] | string {
  if (typeof vector === 'string') return encoding === 'base64' ? vector : decodeVector(vector);
  return encodeVectors([vector], encoding)[0] ?? vector;
}

export function writeEmbeddingReply(
  reply: EmbeddingReply,
  context: ReplyContext,
  call: ParsedCall<'embed'>,
): Buffer {
  const request = plainRequest(call);
  const encoded =
    request === undefined
      ? reply.vectors
      : reply.vectors.map((vector) => inRequestedEncoding(vector, request));
  const tokens = reply.usage?.input.total ?? 0;
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[EMBEDDINGS_FORMAT],
      object: 'list',
      data: encoded.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}
