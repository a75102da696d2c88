import type { Route } from '../../ports/channel-picker.js';
import { documentOf, listOf, textOf } from '../../formats/shared/fields/json-fields.js';
import {
  embedOperations,
  generateOperations,
  imageOperations,
  speechOperations,
  type GoogleEndpoint,
} from './operations.js';
import type { Provider, ProviderCall } from '../provider.js';
import { readBase } from '../shared/base-address.js';
import { joinAddress } from '../shared/upstream-address.js';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';
const DEFAULT_VERSION = 'v1beta';
const VERSION = /^v\d[a-z0-9]{0,15}$/i;

/** Models sold in November 2026. */
export const GEMINI_MODELS: readonly string[] = [
  'gemini-3.1-pro-preview',
  'gemini-3.1-flash-lite-preview',
  'gemini-3-pro-preview',
  'gemini-3-flash-preview',
  'gemini-3-pro-image-preview',
  'gemini-3.1-flash-image-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-2.5-flash-lite',
  'gemini-2.5-flash-image',
  'gemini-2.0-flash',
  'gemini-2.0-flash-lite',
  'gemma-3-27b-it',
  'gemini-embedding-001',
  'gemini-embedding-2-preview',
  'imagen-4.0-generate-001',
  'imagen-4.0-ultra-generate-001',
  'imagen-4.0-fast-generate-001',
];

/** The channel's own version, else the operator's for the model. */
function versionOf({ route, options }: Pick<ProviderCall, 'route' | 'options'>): string {
  const { versions } = options.gemini;
  for (const version of [route.other, versions[route.upstreamModel], versions['default']]) {
    if (version !== undefined && VERSION.test(version)) return version;
  }
  return DEFAULT_VERSION;
}

const endpoint: GoogleEndpoint = {
  address: (call, tail) =>
    joinAddress(
      baseOf(call.route),
      `/${versionOf(call)}/models/${encodeURIComponent(call.route.upstreamModel)}:${tail}`,
    ),
  headers: ({ route, shape }) => ({
    'content-type': 'application/json',
    accept: shape.stream && shape.streamForm !== 'json-array' ? 'text/event-stream' : 'application/json',
    'user-agent': 'tollgate',
    ...keyHeader(route.credential),
  }),
};

/** The base of Google's OpenAI-like endpoints, which stands behind the version, is taken for its own. */
const baseOf = ({ baseUrl }: Pick<Route, 'baseUrl'>): string =>
  baseUrl === '' ? DEFAULT_BASE_URL : readBase(baseUrl).root.replace(/(\/v\d+[a-z0-9]*)\/openai$/, '$1');

const keyHeader = (credential: string): Readonly<Record<string, string>> =>
  credential === '' ? {} : { 'x-goog-api-key': credential };

/** Gemini at AI Studio: https://ai.google.dev/api (read 2026-11-21). */
export const geminiProvider: Provider = {
  id: 'gemini',
  channelTypes: [
    {
      code: 24,
      name: 'Gemini',
      telemetryName: 'gcp.gemini',
      form: { keyExample: 'AIza…', keyPrefixes: ['AIza'], other: 'api_version', otherExample: 'v1beta' },
    },
  ],
  defaultBaseUrl: DEFAULT_BASE_URL,
  itemBounds: {
    embed: [
      { most: 100, source: 'https://ai.google.dev/api/python/google/generativeai/protos (read 2026-11-29)' },
    ],
  },
  defaultModels: GEMINI_MODELS,
  operations: {
    chat: generateOperations(endpoint, true, () => true),
    embed: embedOperations(endpoint),
    image: imageOperations(endpoint),
    speak: speechOperations(endpoint),
  },
  modelListAddress: (route) =>
    joinAddress(
      baseOf(route),
      `/${VERSION.test(route.other) ? route.other : DEFAULT_VERSION}/models?pageSize=1000`,
    ),
  modelListHeaders: ({ credential }) => ({
    accept: 'application/json',
    'user-agent': 'tollgate',
    ...keyHeader(credential),
  }),
  readModelList: (document) =>
    listOf(documentOf(document)['models']).flatMap((item) => {
      const name = textOf(documentOf(item)['name']);
      return name === undefined ? [] : [name.replace(/^models\//, '')];
    }),
};
