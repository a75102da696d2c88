import type { ClientRequest, VendorAnswer } from './clients-and-vendors.js';

const HEADERS = { authorization: 'Bearer sk-test' };
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BOUNDARY = 'fuzz-boundary-0001';

const json = (path: string, body: Record<string, unknown>): ClientRequest => ({
  dialect: 'openai',
  path,
  headers: HEADERS,
  body: { model: 'gpt-test', ...body },
});

/** A form: fields as text, one file. */
function form(
  path: string,
  fields: Readonly<Record<string, string>>,
  file: readonly [string, Buffer],
): ClientRequest {
  const parts = Object.entries({ model: 'gpt-test', ...fields }).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const [name, bytes] = file;
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="a.bin"\r\n\r\n`;
  return {
    dialect: 'openai',
    path,
    headers: { ...HEADERS, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: {},
    form: Buffer.concat([Buffer.from(parts.join('') + head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}

const answerOf = (name: string, type: number, upstreamModel: string, document: object): VendorAnswer => ({
  folder: name,
  name,
  type,
  upstreamModel,
  framing: 'sse',
  credential: 'sk-upstream-credential-0001',
  isStream: false,
  contentType: 'application/json',
  bytes: Buffer.from(JSON.stringify(document)),
});

const wave = Buffer.concat([
  Buffer.from('RIFF\u0024\u0000\u0000\u0000WAVEfmt \u0010\u0000\u0000\u0000', 'latin1'),
  Buffer.alloc(400, 1),
]);
const usage = { prompt_tokens: 5, total_tokens: 5 };

/** Requests and vendor answers of all operations but chat. */
export const OTHER_PLAYS: readonly { readonly request: ClientRequest; readonly answer: VendorAnswer }[] = [
  {
    request: json('/v1/embeddings', { input: ['one', 'two'], dimensions: 3, encoding_format: 'float' }),
    answer: answerOf('embeddings', 1, 'text-embedding-3-small', {
      object: 'list',
      model: 'text-embedding-3-small',
      data: [
        { object: 'embedding', index: 0, embedding: [0.1, -0.2, 0.3] },
        { object: 'embedding', index: 1, embedding: [0.4, 0.5, -0.6] },
      ],
      usage,
    }),
  },
  {
    request: json('/v1/embeddings', { input: 'one', encoding_format: 'base64' }),
    answer: answerOf('gemini embeddings', 24, 'gemini-embedding-001', {
      embeddings: [{ values: [0.1, 0.2, 0.3] }],
    }),
  },
  {
    request: json('/v1/rerank', { query: 'rain', documents: ['wet', { text: 'dry' }], top_n: 2 }),
    answer: answerOf('rerank', 34, 'rerank-v3.5', {
      id: 'r1',
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
      meta: { billed_units: { search_units: 1 } },
    }),
  },
  {
    request: json('/v1/images/generations', { prompt: 'a cat', n: 2, size: '1024x1024', quality: 'low' }),
    answer: answerOf('pictures', 1, 'gpt-image-1', {
      created: 1,
      data: [{ b64_json: PIXEL }, { b64_json: PIXEL }],
      usage: { input_tokens: 5, output_tokens: 200, total_tokens: 205 },
    }),
  },
  {
    request: form('/v1/images/edits', { prompt: 'a hat', n: '1' }, ['image', Buffer.from(PIXEL, 'base64')]),
    answer: answerOf('edited pictures', 1, 'gpt-image-1', { created: 1, data: [{ b64_json: PIXEL }] }),
  },
  {
    request: form('/v1/audio/transcriptions', { response_format: 'verbose_json' }, ['file', wave]),
    answer: answerOf('transcript', 1, 'whisper-1', {
      text: 'rain',
      language: 'en',
      duration: 2.5,
      segments: [{ id: 0, start: 0, end: 2.5, text: 'rain' }],
      usage: { type: 'duration', seconds: 3 },
    }),
  },
  {
    request: json('/v1/moderations', { input: ['one'] }),
    answer: answerOf('moderation', 1, 'omni-moderation-latest', {
      id: 'm1',
      model: 'omni-moderation-latest',
      results: [{ flagged: false, categories: {}, category_scores: {} }],
    }),
  },
];
