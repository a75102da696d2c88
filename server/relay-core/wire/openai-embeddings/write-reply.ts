import type { EmbeddingReply } from '../../model/embedding.js';
import type { ReplyContext } from '../wire.js';
import { EMBEDDINGS_WIRE } from './id.js';

export function writeEmbeddingReply(reply: EmbeddingReply, context: ReplyContext): Buffer {
  const tokens = reply.usage?.input.total ?? 0;
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[EMBEDDINGS_WIRE],
      object: 'list',
      data: reply.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}
