import { spliceBody } from '../shared/requests/splice-body.js';
import { withField } from '../shared/openai/append-usage.js';
import type { ApiFormat } from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { EmbeddingMeter } from './meter.js';
import { parseEmbeddingCall } from './parse-call.js';
import { readEmbeddingReply } from './read-reply.js';
import { hasRequestedEncoding, writeEmbeddingReply } from './write-reply.js';
import { writeEmbeddingRequest } from './write-request.js';

/** OpenAI's embeddings grammar: https://platform.openai.com/docs/api-reference/embeddings (read 2026-11-21). */
export const openaiEmbeddings: ApiFormat<'embed'> = {
  id: EMBEDDINGS_FORMAT,
  replyType: 'application/json',
  parseCall: parseEmbeddingCall,
  spliceRequest: spliceBody,
  writeRequest: writeEmbeddingRequest,
  openMeter: () => new EmbeddingMeter(),
  readReply: readEmbeddingReply,
  writeReply: writeEmbeddingReply,
  hasRequestedForm: hasRequestedEncoding,
  appendUsage: (body, { input }) =>
    withField(body, 'usage', { prompt_tokens: input.total ?? 0, total_tokens: input.total ?? 0 }),
};
