import { DIALECTS } from '../../../relay-core/dialects/registry.js';
import type { Dialect, DialectRoute } from '../../../relay-core/dialects/dialect.js';
import { wavFile } from '../../../relay-core/formats/shared/audio/wav.js';
import { boundaryFor, type FormValue, writeMultipart } from '../../../relay-core/framing/multipart.js';
import { type CallEndpoint, PROBE_ENDPOINTS, type ProbeEndpoint } from '../state/probe-kinds.js';
import { answersWithAudioOnly, isAudioChat } from './probe-model.js';

const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;
/** The vowel "ah": harmonics of its pitch, strong where the mouth resonates. */
const PITCH_HZ = 125;
const FORMANTS_HZ = [730, 1_090, 2_440] as const;
const FORMANT_WIDTH_HZ = 140;
const HARMONICS = 24;
const LOUDNESS = 0.3;
const FADE_SECONDS = 0.08;

let made: Buffer | undefined;

/** Other gateways' names for the same. */
const ALIASES: Readonly<Record<string, ProbeEndpoint>> = {
  openai: 'chat',
  'openai-response': 'responses',
  'openai-responses': 'responses',
  anthropic: 'messages',
  gemini: 'generate_content',
  generateContent: 'generate_content',
  'jina-rerank': 'rerank',
  'image-generation': 'images',
  'audio-speech': 'speech',
  'audio-transcription': 'transcriptions',
  transcription: 'transcriptions',
  embedding: 'embeddings',
};

/** @returns undefined for an unknown name */
export const probeEndpointOf = (name: string): ProbeEndpoint | undefined =>
  PROBE_ENDPOINTS.find((endpoint) => endpoint === name) ??
  (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);

/** A route of one of the dialects, and what is sent through it. */
export interface ProbeRoute {
  readonly dialect: Dialect;
  readonly route: DialectRoute;
  readonly path: string;
  /** Model named by the address; undefined = the body names it. */
  readonly pathModel: string | undefined;
  readonly query: string;
  readonly contentType: string;
  readonly body: Buffer;
}

interface EndpointFacts {
  readonly canStream: boolean;
  isRouteOf(route: DialectRoute, stream: boolean): boolean;
  /** A document, or the fields of a form. */
  body(model: string, stream: boolean): Readonly<Record<string, unknown>> | readonly FormValue[];
}

const at =
  (path: string) =>
  (route: DialectRoute): boolean =>
    route.path === path;
const HI = 'hi';
const CLASSIC_CAP = 16;

const FACTS: Readonly<Record<CallEndpoint, EndpointFacts>> = {
  chat: {
    canStream: true,
    isRouteOf: at('/v1/chat/completions'),
    body: (model, stream) => ({
      model,
      stream,
      messages: [{ role: 'user', content: greetingTo(model) }],
      ...capOf(model),
    }),
  },
  completions: {
    canStream: true,
    isRouteOf: at('/v1/completions'),
    body: (model, stream) => ({ model, stream, prompt: HI, max_tokens: CLASSIC_CAP }),
  },
  responses: {
    canStream: true,
    isRouteOf: at('/v1/responses'),
    body: (model, stream) => ({ model, stream, input: [{ role: 'user', content: HI }] }),
  },
  messages: {
    canStream: true,
    isRouteOf: at('/v1/messages'),
    body: (model, stream) => ({
      model,
      stream,
      max_tokens: CLASSIC_CAP,
      messages: [{ role: 'user', content: HI }],
    }),
  },
  generate_content: {
    canStream: true,
    isRouteOf: (route, stream) =>
      route.path.startsWith('/v1beta/') &&
      route.path.endsWith(stream ? ':streamGenerateContent' : ':generateContent'),
    body: (model) => ({
      contents: [{ role: 'user', parts: [{ text: HI }] }],
      generationConfig: {
        maxOutputTokens: 3_000,
        ...(answersWithAudioOnly(model) ? { responseModalities: ['AUDIO'] } : {}),
      },
    }),
  },
  embeddings: {
    canStream: false,
    isRouteOf: at('/v1/embeddings'),
    body: (model) => ({ model, input: ['hello world'] }),
  },
  rerank: {
    canStream: false,
    isRouteOf: at('/v1/rerank'),
    body: (model) => ({
      model,
      query: 'What is deep learning?',
      top_n: 2,
      documents: ['Deep learning is a branch of machine learning.', 'The weather is fine today.'],
    }),
  },
  images: {
    canStream: false,
    isRouteOf: at('/v1/images/generations'),
    body: (model) => ({ model, prompt: 'a cute cat', n: 1, size: '1024x1024' }),
  },
  speech: {
    canStream: false,
    isRouteOf: at('/v1/audio/speech'),
    body: (model) => ({ model, input: HI, voice: 'alloy' }),
  },
  transcriptions: {
    canStream: true,
    isRouteOf: at('/v1/audio/transcriptions'),
    body: (model, stream) => [
      { name: 'model', text: model },
      ...(stream ? [{ name: 'stream', text: 'true' }] : []),
      { name: 'file', bytes: oneSecondOfSpeech(), fileName: 'test.wav', mediaType: 'audio/wav' },
    ],
  },
  moderations: {
    canStream: false,
    isRouteOf: at('/v1/moderations'),
    body: (model) => ({ model, input: HI }),
  },
};

/** Undefined = no dialect of this gateway has such a route. */
export function findClientRoute(
  endpoint: CallEndpoint,
  model: string,
  stream: boolean,
): ProbeRoute | undefined {
  const facts = FACTS[endpoint];
  const streams = stream && facts.canStream;
  for (const dialect of DIALECTS) {
    const route = dialect.routes.find((each) => facts.isRouteOf(each, streams));
    if (route === undefined) continue;
    const namesModel = endpoint === 'generate_content';
    return {
      dialect,
      route,
      ...bodyOf(facts.body(model, streams)),
      path: addressOf(route, model),
      pathModel: namesModel ? model : undefined,
      query: namesModel && streams ? 'alt=sse' : '',
    };
  }
  return undefined;
}

/** A route's path writes a colon that stands for itself twice. */
const addressOf = ({ path }: DialectRoute, model: string): string =>
  path.replaceAll(/::|:model(?:\([^)]*\))?/g, (mark) => (mark === '::' ? ':' : encodeURIComponent(model)));

export const canStream = (endpoint: CallEndpoint): boolean => FACTS[endpoint].canStream;

function bodyOf(content: ReturnType<EndpointFacts['body']>): Pick<ProbeRoute, 'body' | 'contentType'> {
  if (!isForm(content))
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(content)) };
  const boundary = boundaryFor(content);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: writeMultipart(content, boundary),
  };
}

const isForm = (content: ReturnType<EndpointFacts['body']>): content is readonly FormValue[] =>
  Array.isArray(content);

/** Models made for sound refuse conversations without any. */
const greetingTo = (model: string): unknown =>
  isAudioChat(model)
    ? [
        { type: 'text', text: HI },
        {
          type: 'input_audio',
          input_audio: { data: oneSecondOfSpeech().toString('base64'), format: 'wav' },
        },
      ]
    : HI;

/** Enough for a word; models that think first, or count thinking, need more. */
function capOf(model: string): Readonly<Record<string, number>> {
  if (/^o\d/.test(model) || model.startsWith('gpt-5')) return { max_completion_tokens: CLASSIC_CAP };
  if (model.includes('thinking') && !model.includes('claude')) return { max_tokens: 50 };
  return { max_tokens: model.includes('gemini') ? 3_000 : CLASSIC_CAP };
}

/** One second of a vowel as a WAV file (PCM, 16 kHz, one channel, 16 bits), for transcription tests. */
export function oneSecondOfSpeech(): Buffer {
  made ??= wavOf(spokenVowel());
  return made;
}

function spokenVowel(): Float64Array {
  const weights = Array.from({ length: HARMONICS }, (_unused, index) => {
    const hertz = PITCH_HZ * (index + 1);
    const resonance = FORMANTS_HZ.map((formant) => Math.exp(-(((hertz - formant) / FORMANT_WIDTH_HZ) ** 2)));
    return 0.1 + Math.max(...resonance);
  });
  const loudest = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from({ length: SAMPLES_PER_SECOND }, (_unused, at) => {
    const seconds = at / SAMPLES_PER_SECOND;
    const wave = weights.reduce(
      (sum, weight, index) => sum + weight * Math.sin(2 * Math.PI * PITCH_HZ * (index + 1) * seconds),
      0,
    );
    const fade = Math.min(1, seconds / FADE_SECONDS, (1 - seconds) / FADE_SECONDS);
    return (wave / loudest) * LOUDNESS * fade;
  });
}

function wavOf(samples: Float64Array): Buffer {
  const sound = Buffer.alloc(samples.length * BYTES_PER_SAMPLE);
  samples.forEach((sample, index) => {
    sound.writeInt16LE(Math.round(sample * 0x7fff), index * BYTES_PER_SAMPLE);
  });
  return wavFile(sound, SAMPLES_PER_SECOND);
}
