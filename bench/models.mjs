/**
 * Model names the mock upstream understands, and what it does for each. The names are also what the gateway bills by.
 *
 * @typedef {object} Behaviour
 * @property {'json' | 'stream'} kind
 * @property {number} [chunks] content chunks of a stream
 * @property {number} [gapMs] pause between two chunks; 0 = one per turn of the event loop
 * @property {boolean} [flaky] every 9th call gets a 500, every 13th a 429, every 17th a reset, before any byte
 * @property {'openAi' | 'anthropic' | 'gemini'} [grammar] whose grammar it streams in; absent = OpenAI's
 * @property {number} [burst] chunks of one write, where many are to come quickly; absent = 1
 * @property {number} [tokensPerChunk] words of a chunk; absent = as many as make CHUNK_BYTES of OpenAI's
 * @property {number} [completionTokens] what it claims to have written; absent = as many as its text has
 * @property {number} [cutAfter] the connection breaks after so many chunks
 */

/** Size of a chunk as it stands on the wire, `data: ` and the blank line included. */
export const CHUNK_BYTES = 243;

/** 600,000 tokens. */
const ENDLESS = {
  kind: 'stream',
  chunks: 10_000,
  burst: 10,
  tokensPerChunk: 60,
  completionTokens: 600_000,
  gapMs: 0,
};

/** @type {Readonly<Record<string, Behaviour>>} */
export const MODELS = Object.freeze({
  'bench-json': { kind: 'json' },
  'bench-anthropic-json': { kind: 'json', grammar: 'anthropic' },
  'bench-short-stream': { kind: 'stream', chunks: 10, gapMs: 0 },
  'bench-fast-stream': { kind: 'stream', chunks: 200, gapMs: 0 },
  'bench-slow-stream': { kind: 'stream', chunks: 100, gapMs: 100 },
  'bench-flaky-json': { kind: 'json', flaky: true },
  'bench-flaky-stream': { kind: 'stream', chunks: 20, gapMs: 0, flaky: true },
  'bench-long-stream': { kind: 'stream', chunks: 400, gapMs: 10 },
  'bench-fast-anthropic': { kind: 'stream', grammar: 'anthropic', chunks: 200, gapMs: 0 },
  'bench-fast-gemini': { kind: 'stream', grammar: 'gemini', chunks: 200, gapMs: 0 },
  'bench-endless-openai': { ...ENDLESS, grammar: 'openAi' },
  'bench-endless-anthropic': { ...ENDLESS, grammar: 'anthropic' },
  'bench-endless-gemini': { ...ENDLESS, grammar: 'gemini' },
  'bench-cut-stream': { kind: 'stream', chunks: 40, gapMs: 1, cutAfter: 20 },
});

/** A filler of English-like words, `bytes` long. */
export function prose(bytes) {
  const words =
    'the quick gateway counts every token and forwards what it was given without changing one byte of it ';
  return words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
}

/** Tokens a tokenizer makes of so many bytes of `prose`: 112 tokens of 620 bytes. */
export const tokensOfProse = (bytes) => Math.round(bytes / 5.5);

/** Caps above what the model answers: an answer beyond its cap is stopped. */
const WHOLE_CAP = 256;
const STREAM_CAP = 8_192;
const capOf = (model) =>
  MODELS[model].completionTokens ?? (MODELS[model].kind === 'json' ? WHOLE_CAP : STREAM_CAP);

/** A chat request as bytes. @param {{model: string, stream?: boolean, promptBytes?: number, maxTokens?: number}} wish */
export function chatBody({ model, stream = false, promptBytes = 900, maxTokens = capOf(model) }) {
  return Buffer.from(
    JSON.stringify({
      model,
      stream,
      max_tokens: maxTokens,
      messages: [
        { role: 'system', content: 'You are a load test.' },
        { role: 'user', content: prose(promptBytes) },
      ],
    }),
  );
}
