import { CHUNK_BYTES, prose } from '../models.mjs';
import { frame } from './raw-http-server.mjs';

/**
 * Streams as vendors write them. Every grammar carries the same words in a chunk, so that what differs is the grammar.
 * @typedef {object} Grammar
 * @property {(model: string) => string} open  what comes before the words
 * @property {(model: string, text: string) => string} chunk
 * @property {(model: string, usage: object, wantsUsage: boolean) => string} close  what comes after them
 */

const openAiChunk = (model, delta, finish) =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${model}",` +
  `"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;

const openAi = {
  open: () => '',
  chunk: (model, text) => openAiChunk(model, `{"content":"${text}"}`, 'null'),
  close: (model, usage, wantsUsage) =>
    openAiChunk(model, '{}', '"stop"') +
    (wantsUsage
      ? `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${model}",` +
        `"choices":[],"usage":${JSON.stringify(usage)}}\n\n`
      : '') +
    'data: [DONE]\n\n',
};

const named = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const anthropic = {
  open: (model) =>
    named({
      type: 'message_start',
      message: {
        id: 'msg_bench',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 150, output_tokens: 1 },
      },
    }) + named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  chunk: (_model, text) =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  close: (_model, usage) =>
    named({ type: 'content_block_stop', index: 0 }) +
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
    }) +
    named({ type: 'message_stop' }),
};

const geminiChunk = (model, candidate, usage) =>
  `data: ${JSON.stringify({
    candidates: [{ ...candidate, index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.prompt_tokens,
      candidatesTokenCount: usage.completion_tokens,
      totalTokenCount: usage.total_tokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.prompt_tokens }],
    },
    modelVersion: model,
    responseId: 'gemini-bench',
  })}\n\n`;
const SO_FAR = { prompt_tokens: 150, completion_tokens: 20, total_tokens: 170 };

const gemini = {
  open: () => '',
  chunk: (model, text) => geminiChunk(model, { content: { role: 'model', parts: [{ text }] } }, SO_FAR),
  close: (model, usage) =>
    geminiChunk(model, { content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }, usage),
};

const GRAMMARS = { openAi, anthropic, gemini };

/** Words of a chunk: as many as make one of OpenAI's CHUNK_BYTES long; or of `tokens` tokens, about four letters each. */
const wordsOf = (model, tokens) =>
  prose(tokens === undefined ? CHUNK_BYTES - openAi.chunk(model, '').length : tokens * 4);

/** A model's stream, made once, framed for the wire. */
export function streamOf(model, { grammar = 'openAi', tokensPerChunk, burst = 1 }) {
  const { open, chunk, close } = GRAMMARS[grammar];
  const opening = open(model);
  const text = wordsOf(model, tokensPerChunk);
  return {
    /** Size of one chunk. */
    textBytes: text.length,
    open: opening === '' ? undefined : frame(opening),
    chunk: frame(chunk(model, text).repeat(burst)),
    close: (usage, wantsUsage) => frame(close(model, usage, wantsUsage)),
  };
}
