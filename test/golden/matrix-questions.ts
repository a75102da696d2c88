import type { DialectRoute } from '../../server/relay-core/dialects/dialect.js';
import { CLIENT_REQUESTS } from '../fuzz/clients-and-vendors.js';

/** A question as it arrives: the whole body and the headers that say what it is. */
export interface Question {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SOUND = Buffer.concat([Buffer.from('RIFF$\0\0\0WAVEfmt '), Buffer.alloc(64)]);
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openai: { authorization: 'Bearer sk-test' },
  anthropic: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sk-test' },
  midjourney: { 'mj-api-secret': 'sk-test' },
  suno: { authorization: 'Bearer sk-test' },
};

/** Members of a question that only some models have; the matrix asks what every one understands. */
const PARTICULAR = new Set(['response_format', 'reasoning_effort', 'text', 'reasoning', 'thinking', 'store']);

function chatBody(path: string): Record<string, unknown> {
  if (path === '/v1/completions') return { prompt: 'Weather here?', max_tokens: 200, stop: ['END'] };
  const gemini = path.startsWith('/v1beta') || path.startsWith('/v1/models');
  const asked = CLIENT_REQUESTS.find((request) =>
    gemini ? request.dialect === 'gemini' : request.path === path,
  );
  if (asked === undefined) throw new Error(`nobody wrote a question for ${path}`);
  const body = Object.fromEntries(Object.entries(asked.body).filter(([name]) => !PARTICULAR.has(name)));
  // Zero is a value, and an unknown member is passed through.
  if (path === '/v1/chat/completions') return { ...body, top_p: 0, vendor_extra: { kept: true } };
  // Two APIs show thoughts to who asks for them.
  if (path === '/v1/messages') return { ...body, thinking: { type: 'adaptive' } };
  if (!gemini) return body;
  return {
    ...body,
    generationConfig: { maxOutputTokens: 200, temperature: 0.5, thinkingConfig: { includeThoughts: true } },
  };
}

const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  'openai-embeddings': { input: ['one'], encoding_format: 'float' },
  'gemini-embed': { content: { parts: [{ text: 'one' }] } },
  'gemini-embed-batch': {
    requests: [{ model: 'models/gpt-test', content: { parts: [{ text: 'one' }] } }],
  },
  rerank: { query: 'two', documents: ['one', 'two'], top_n: 2 },
  'openai-images': { prompt: 'an otter', n: 1, response_format: 'b64_json' },
  'imagen-predict': { instances: [{ prompt: 'an otter' }], parameters: { sampleCount: 1 } },
  'openai-speech': { input: 'Hello.', voice: 'alloy', response_format: 'wav' },
  'openai-moderation': { input: 'Hello.' },
  // One format at many addresses, each of which reads its own members.
  'midjourney-submit': {
    prompt: 'an otter',
    taskId: '7',
    action: 'REROLL',
    content: '7 R',
    customId: 'MJ::JOB::reroll::0::3dbb::SOLO',
    base64: 'x',
    base64Array: ['x'],
    sourceBase64: 'x',
    targetBase64: 'y',
  },
  'suno-submit': { prompt: 'an otter', task_id: '7' },
};

/** Questions that are forms. */
const FORMS: Readonly<Record<string, (form: FormData) => void>> = {
  'openai-image-edits': (form) => {
    form.set('prompt', 'an otter');
    form.set('response_format', 'b64_json');
    form.set('image', new Blob([PICTURE], { type: 'image/png' }), 'a.png');
  },
  'openai-image-variations': (form) => {
    form.set('response_format', 'b64_json');
    form.set('image', new Blob([PICTURE], { type: 'image/png' }), 'a.png');
  },
  'openai-transcription': (form) => {
    form.set('file', new Blob([SOUND], { type: 'audio/wav' }), 'a.wav');
  },
  'openai-translation': (form) => {
    form.set('file', new Blob([SOUND], { type: 'audio/wav' }), 'a.wav');
  },
};

/** One sentence in the words of each format of chats. */
const WORDS: Readonly<Record<string, Record<string, unknown>>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Weather here?' }] },
  'openai-responses': { input: 'Weather here?' },
  'anthropic-messages': {
    max_tokens: 200,
    thinking: { type: 'adaptive' },
    messages: [{ role: 'user', content: 'Weather here?' }],
  },
  'gemini-generate': {
    contents: [{ role: 'user', parts: [{ text: 'Weather here?' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
};

function bodyAt(clientRoute: DialectRoute, kind: 'full' | 'words'): Record<string, unknown> {
  const body = kind === 'words' ? WORDS[clientRoute.apiFormat.id] : BODIES[clientRoute.apiFormat.id];
  if (clientRoute.operation === 'chat' && kind === 'full') return chatBody(clientRoute.path);
  if (body === undefined) throw new Error(`nobody wrote a question for ${clientRoute.apiFormat.id}`);
  return body;
}

/**
 * A question at an address of a dialect.
 * @param kind  `words`: nothing but a sentence; else instructions, an image, tools and a finished call as well
 * Fails: throws when its format has none.
 */
export async function questionAt(
  dialect: string,
  clientRoute: DialectRoute,
  stream: boolean,
  kind: 'full' | 'words' = 'full',
): Promise<Question> {
  const headers = KEYS[dialect];
  if (headers === undefined) throw new Error(`nobody wrote how ${dialect} is asked`);
  const fill = FORMS[clientRoute.apiFormat.id];
  if (fill !== undefined) {
    const form = new FormData();
    form.set('model', 'gpt-test');
    fill(form);
    const request = new Request('http://question.invalid', { method: 'POST', body: form });
    return {
      body: Buffer.from(await request.arrayBuffer()),
      headers: { ...headers, 'content-type': request.headers.get('content-type') ?? '' },
    };
  }
  const body = bodyAt(clientRoute, kind);
  const isNamedByPath = clientRoute.path.includes(':model');
  const named = isNamedByPath ? {} : { model: 'gpt-test', ...(stream ? { stream } : {}) };
  const text = JSON.stringify({ ...body, ...named, ...(stream ? {} : { stream_options: undefined }) });
  return { body: Buffer.from(text), headers: { ...headers, 'content-type': 'application/json' } };
}
