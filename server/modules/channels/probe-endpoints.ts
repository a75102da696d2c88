import { DIALECTS } from '../../relay-core/dialects/registry.js';
import type { Dialect, DialectRoute } from '../../relay-core/dialects/dialect.js';

/** Ways a channel can be tested (relay reference 6.1). */
export const PROBE_ENDPOINTS = [
  ...(['chat', 'completions', 'responses', 'messages', 'generate_content'] as const),
  ...(['embeddings', 'rerank', 'images', 'speech', 'moderations'] as const),
] as const;
export type ProbeEndpoint = (typeof PROBE_ENDPOINTS)[number];

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
  embedding: 'embeddings',
};

/** @returns undefined for a name nobody knows */
export const probeEndpointOf = (name: string): ProbeEndpoint | undefined =>
  PROBE_ENDPOINTS.find((endpoint) => endpoint === name) ??
  (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);

/** A door of one of the dialects, and what is sent through it. */
export interface ProbeDoor {
  readonly dialect: Dialect;
  readonly route: DialectRoute;
  readonly path: string;
  /** Model named by the address; undefined = the body names it. */
  readonly pathModel: string | undefined;
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface EndpointFacts {
  readonly canStream: boolean;
  isDoor(route: DialectRoute, stream: boolean): boolean;
  body(model: string, stream: boolean): Readonly<Record<string, unknown>>;
}

const at =
  (path: string) =>
  (route: DialectRoute): boolean =>
    route.path === path;
const HI = 'hi';
const CLASSIC_CAP = 16;

const FACTS: Readonly<Record<ProbeEndpoint, EndpointFacts>> = {
  chat: {
    canStream: true,
    isDoor: at('/v1/chat/completions'),
    body: (model, stream) => ({ model, stream, messages: [{ role: 'user', content: HI }], ...capOf(model) }),
  },
  completions: {
    canStream: true,
    isDoor: at('/v1/completions'),
    body: (model, stream) => ({ model, stream, prompt: HI, max_tokens: CLASSIC_CAP }),
  },
  responses: {
    canStream: true,
    isDoor: at('/v1/responses'),
    body: (model, stream) => ({ model, stream, input: [{ role: 'user', content: HI }] }),
  },
  messages: {
    canStream: true,
    isDoor: at('/v1/messages'),
    body: (model, stream) => ({
      ...{ model, stream, max_tokens: CLASSIC_CAP },
      messages: [{ role: 'user', content: HI }],
    }),
  },
  generate_content: {
    canStream: true,
    isDoor: (route, stream) =>
      route.path.startsWith('/v1beta/') &&
      route.path.endsWith(stream ? ':streamGenerateContent' : ':generateContent'),
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: HI }] }],
      generationConfig: { maxOutputTokens: 3_000 },
    }),
  },
  embeddings: {
    canStream: false,
    isDoor: at('/v1/embeddings'),
    body: (model) => ({ model, input: ['hello world'] }),
  },
  rerank: {
    canStream: false,
    isDoor: at('/v1/rerank'),
    body: (model) => ({
      ...{ model, query: 'What is deep learning?', top_n: 2 },
      documents: ['Deep learning is a branch of machine learning.', 'The weather is fine today.'],
    }),
  },
  images: {
    canStream: false,
    isDoor: at('/v1/images/generations'),
    body: (model) => ({ model, prompt: 'a cute cat', n: 1, size: '1024x1024' }),
  },
  speech: {
    canStream: false,
    isDoor: at('/v1/audio/speech'),
    body: (model) => ({ model, input: HI, voice: 'alloy' }),
  },
  moderations: { canStream: false, isDoor: at('/v1/moderations'), body: (model) => ({ model, input: HI }) },
};

const MOKA_TYPE = 44;
const VOLCENGINE_TYPE = 45;
const JINA_TYPE = 38;

/** The endpoint a model's name stands for (relay reference 6.1). */
export function endpointOfModel(model: string, channelType: number): ProbeEndpoint {
  const name = model.toLowerCase();
  if (name.includes('rerank')) return 'rerank';
  const isEmbedding = /embed|bge-/.test(name) || name.startsWith('m3e') || channelType === MOKA_TYPE;
  if (isEmbedding || (channelType === JINA_TYPE && name.startsWith('jina-'))) return 'embeddings';
  const draws =
    /^(?:dall-e|gpt-image|imagen-|flux)/.test(name) ||
    (channelType === VOLCENGINE_TYPE && name.includes('seedream'));
  if (draws) return 'images';
  if (/^tts-|-tts(?:-|$)/.test(name) && !name.startsWith('gemini')) return 'speech';
  if (name.includes('moderation')) return 'moderations';
  return name.includes('codex') ? 'responses' : 'chat';
}

/** Undefined = no dialect of this gateway has such a door. */
export function findDoor(endpoint: ProbeEndpoint, model: string, stream: boolean): ProbeDoor | undefined {
  const facts = FACTS[endpoint];
  const streams = stream && facts.canStream;
  for (const dialect of DIALECTS) {
    const route = dialect.routes.find((each) => facts.isDoor(each, streams));
    if (route === undefined) continue;
    const namesModel = endpoint === 'generate_content';
    return {
      ...{ dialect, route, body: facts.body(model, streams) },
      path: route.path.replace(/:model(?:\([^)]*\))?/, encodeURIComponent(model)),
      pathModel: namesModel ? model : undefined,
      query: namesModel && streams ? 'alt=sse' : '',
    };
  }
  return undefined;
}

export const canStream = (endpoint: ProbeEndpoint): boolean => FACTS[endpoint].canStream;

/** Enough for a word; models that think first, or count thinking, need more. */
function capOf(model: string): Readonly<Record<string, number>> {
  if (/^o\d/.test(model) || model.startsWith('gpt-5')) return { max_completion_tokens: CLASSIC_CAP };
  if (model.includes('thinking') && !model.includes('claude')) return { max_tokens: 50 };
  return { max_tokens: model.includes('gemini') ? 3_000 : CLASSIC_CAP };
}
