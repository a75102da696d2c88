import type { EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import { encodeVectors } from '../shared/embeddings/vector-encoding.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';

/** The encoding a caller asked for. */
const encodingOf = (call: ParsedCall<'embed'>): EmbeddingRequest['encoding'] => {
  const request = call.neutral();
  return request.ok ? request.value.encoding : undefined;
};

/** A look-alike that knows no other form gives numbers whatever is asked for; its first vector tells. */
export function hasAskedEncoding(body: Buffer, call: ParsedCall<'embed'>): boolean {
  if (encodingOf(call) !== 'base64') return true;
  return !NUMBERS.test(body.toString('latin1', 0, FIRST_BYTES));
}

/** The first vector begins here, whatever stands before it. */
const FIRST_BYTES = 8 * 1024;
const NUMBERS = /"embedding"\s*:\s*\[/;

export function writeEmbeddingReply(
  reply: EmbeddingReply,
  context: ReplyContext,
  call: ParsedCall<'embed'>,
): Buffer {
  const encoding = encodingOf(call);
  const encoded = reply.vectors.map((vector) =>
    typeof vector === 'string' ? vector : (encodeVectors([vector], encoding)[0] ?? vector),
  );
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
