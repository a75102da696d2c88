import { createCohere } from '@ai-sdk/cohere';
import { createGoogle } from '@ai-sdk/google';
import { createGoogleVertex } from '@ai-sdk/google-vertex';
import { createOpenAI } from '@ai-sdk/openai';
import { folder, KEY } from './vendors.mjs';

/** Result of a package, or its failure. */
async function attempt(ask) {
  try {
    return { result: await ask(), failed: false };
  } catch (fault) {
    return { failed: true, fault };
  }
}

const embed = (model) =>
  attempt(async () => {
    const { embeddings, usage } = await model.doEmbed({ values: ['one', 'two'] });
    return { embeddings, tokens: usage?.tokens };
  });

const draw = (model, files) =>
  attempt(async () => {
    const order = { prompt: 'an otter', n: 1, size: '1024x1024', files, providerOptions: {} };
    const { images, usage } = await model.doGenerate(order);
    return { images, usage };
  });

const PICTURE = {
  type: 'file',
  mediaType: 'image/png',
  data: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  ),
};

const listen = (model) =>
  attempt(async () => {
    const { text, segments, language, durationInSeconds } = await model.doGenerate({
      audio: Buffer.from('RIFF....WAVEfmt '),
      mediaType: 'audio/wav',
    });
    return { text, segments, language, durationInSeconds };
  });

const rank = (model) =>
  attempt(async () => {
    const { ranking } = await model.doRerank({
      query: 'two',
      documents: { type: 'text', values: ['one', 'two'] },
    });
    return ranking;
  });

const openai = (origin, apiKey = KEY) => createOpenAI({ baseURL: `${origin}/v1`, apiKey });
const cohere = (origin, version, apiKey) => createCohere({ baseURL: `${origin}/${version}`, apiKey });
const google = (origin, apiKey) => createGoogle({ baseURL: `${origin}/v1beta`, apiKey });

/** Ways a caller of the gateway asks for vectors. */
const EMBED_READERS = [
  { id: 'openai chat', read: ({ origin, key, model }) => embed(openai(origin, key).embedding(model)) },
  { id: 'gemini', read: ({ origin, key, model }) => embed(google(origin, key).embedding(model)) },
];

/** Recordings of operations other than conversations: their requests, direct and through the gateway. */
export const OPERATIONS = [
  {
    id: 'openai embedding',
    owns: folder('openai', 'embedding'),
    channel: { type: 1, key: KEY },
    model: 'text-embedding-3-small',
    readDirect: (origin) => embed(openai(origin).embedding('text-embedding-3-small')),
    dialects: EMBED_READERS,
  },
  {
    id: 'google-vertex embedding',
    owns: folder('google-vertex'),
    channel: {
      type: 41,
      key: 'AIzaReplay00000000000',
      other: 'global',
      settings: '{"vertex_key_type":"api_key"}',
    },
    model: 'text-embedding-005',
    readDirect: (origin) =>
      embed(createGoogleVertex({ baseURL: origin, apiKey: KEY }).textEmbeddingModel('text-embedding-005')),
    dialects: EMBED_READERS,
  },
  {
    id: 'openai image',
    owns: (recording) => folder('openai', 'image')(recording) && !recording.name.endsWith('-edit'),
    channel: { type: 1, key: KEY },
    model: 'gpt-image-1',
    readDirect: (origin) => draw(openai(origin).image('gpt-image-1')),
    dialects: [
      { id: 'openai chat', read: ({ origin, key, model }) => draw(openai(origin, key).image(model)) },
    ],
  },
  {
    id: 'openai image edit',
    owns: (recording) => folder('openai', 'image')(recording) && recording.name.endsWith('-edit'),
    channel: { type: 1, key: KEY },
    model: 'gpt-image-1-edit',
    readDirect: (origin) => draw(openai(origin).image('gpt-image-1'), [PICTURE]),
    dialects: [
      {
        id: 'openai chat',
        read: ({ origin, key, model }) => draw(openai(origin, key).image(model), [PICTURE]),
      },
    ],
  },
  {
    id: 'openai transcription',
    owns: folder('openai', 'transcription'),
    channel: { type: 1, key: KEY },
    model: 'whisper-1',
    readDirect: (origin) => listen(openai(origin).transcription('whisper-1')),
    dialects: [
      {
        id: 'openai chat',
        read: ({ origin, key, model }) => listen(openai(origin, key).transcription(model)),
      },
    ],
  },
  {
    id: 'cohere reranking',
    owns: folder('cohere', 'reranking'),
    channel: { type: 34, key: KEY },
    model: 'rerank-v3.5',
    readDirect: (origin) => rank(cohere(origin, 'v2', KEY).reranking('rerank-v3.5')),
    dialects: [
      {
        id: 'openai chat',
        read: ({ origin, key, model }) => rank(cohere(origin, 'v1', key).reranking(model)),
      },
    ],
  },
];
