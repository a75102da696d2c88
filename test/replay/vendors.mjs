import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createCohere } from '@ai-sdk/cohere';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createMoonshotAI } from '@ai-sdk/moonshotai';
import { createOpenAI } from '@ai-sdk/openai';
import { createPerplexity } from '@ai-sdk/perplexity';
import { createXai } from '@ai-sdk/xai';
import { compatible, DIALECTS, openResponses } from './dialects.mjs';

export const KEY = 'replay-upstream-key';

/**
 * Replay of a vendor's recordings, and its own package that reads them.
 * @typedef {object} Vendor
 * @property {string} id
 * @property {(recording: object) => boolean} owns
 * @property {string} framing of its streams
 * @property {{type: number, key: string, other?: string, basePath?: string}} channel
 * @property {string} model upstream name
 * @property {(origin: string) => object} [direct] model of the vendor's own package; absent = there is none, and what it
 *   would read stands beside the recording
 * @property {readonly import('./dialects.mjs').Dialect[]} [dialects] absent = every one
 * @property {(origin: string, key: string, model: string) => object} [own] the same package, asking the gateway: for
 *   vendors whose grammar is one of the gateway's dialects
 */

/** Recordings right below these folders. */
export const folder =
  (vendor, api = '') =>
  (recording) =>
    recording.vendor === vendor && recording.api === api;

/** @type {Vendor[]} */
export const VENDORS = [
  {
    id: 'anthropic',
    owns: folder('anthropic'),
    framing: 'sse-named',
    channel: { type: 14, key: KEY },
    model: 'claude-sonnet-4-5',
    direct: (origin) => createAnthropic({ baseURL: `${origin}/v1`, apiKey: KEY })('claude-sonnet-4-5'),
  },
  {
    id: 'amazon-bedrock',
    owns: folder('amazon-bedrock'),
    framing: 'aws',
    channel: { type: 33, key: 'AKIAREPLAY|replay-secret|us-east-1' },
    model: 'amazon.nova-pro-v1:0',
    direct: (origin) =>
      createAmazonBedrock({ region: 'us-east-1', baseURL: origin, apiKey: KEY })('amazon.nova-pro-v1:0'),
  },
  {
    id: 'google',
    owns: folder('google'),
    framing: 'sse',
    channel: { type: 24, key: KEY },
    model: 'gemini-2.5-pro',
    direct: (origin) => createGoogle({ baseURL: `${origin}/v1beta`, apiKey: KEY })('gemini-2.5-pro'),
  },
  {
    id: 'azure',
    owns: folder('azure'),
    framing: 'sse-named',
    channel: { type: 3, key: KEY, other: '2025-04-01-preview' },
    // A model that is served by Responses only.
    model: 'o1-pro',
    direct: (origin) => createAzure({ baseURL: `${origin}/openai`, apiKey: KEY }).responses('o1-pro'),
  },
  {
    id: 'openai responses',
    owns: folder('openai', 'responses'),
    framing: 'sse-named',
    channel: { type: 1, key: KEY },
    // A model that is served by Responses only.
    model: 'o1-pro',
    direct: (origin) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).responses('o1-pro'),
  },
  {
    id: 'open-responses',
    owns: folder('open-responses', 'responses'),
    framing: 'sse-named',
    channel: { type: 1, key: KEY },
    model: 'o1-pro',
    direct: (origin) => openResponses(origin)('o1-pro'),
    own: (origin, key, model) => openResponses(origin, key)(model),
  },
  {
    id: 'openai chat',
    owns: folder('openai', 'chat'),
    framing: 'sse-done',
    channel: { type: 1, key: KEY },
    model: 'gpt-4.1-mini',
    direct: (origin) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).chat('gpt-4.1-mini'),
    own: (origin, key, model) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).chat(model),
  },
  {
    id: 'openai-compatible',
    owns: folder('openai-compatible', 'chat'),
    framing: 'sse-done',
    channel: { type: 1, key: KEY },
    model: 'gpt-4.1-mini',
    direct: (origin) => compatible(origin)('gpt-4.1-mini'),
  },
  {
    id: 'ollama',
    owns: folder('ollama'),
    framing: 'lines',
    channel: { type: 4, key: KEY },
    model: 'qwen3',
    // Chat requests go to the vendor's chat address, which is not the recorded one.
    dialects: DIALECTS.filter(({ id }) => id !== 'openai chat'),
  },
  {
    id: 'dify',
    owns: folder('dify'),
    framing: 'sse',
    channel: { type: 37, key: KEY },
    model: 'dify',
  },
  {
    id: 'cohere',
    owns: folder('cohere'),
    framing: 'sse',
    channel: { type: 34, key: KEY },
    model: 'command-a-03-2025',
    direct: (origin) => createCohere({ baseURL: `${origin}/v2`, apiKey: KEY })('command-a-03-2025'),
  },
  {
    id: 'deepseek',
    owns: folder('deepseek', 'chat'),
    framing: 'sse-done',
    channel: { type: 43, key: KEY },
    model: 'deepseek-chat',
    direct: (origin) => createDeepSeek({ baseURL: origin, apiKey: KEY })('deepseek-chat'),
    own: (origin, key, model) => createDeepSeek({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'groq',
    owns: folder('groq'),
    framing: 'sse-done',
    channel: { type: 1, key: KEY, basePath: '/openai/v1' },
    model: 'qwen/qwen3-32b',
    direct: (origin) => createGroq({ baseURL: `${origin}/openai/v1`, apiKey: KEY })('qwen/qwen3-32b'),
    own: (origin, key, model) => createGroq({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'mistral',
    owns: folder('mistral'),
    framing: 'sse-done',
    channel: { type: 42, key: KEY },
    model: 'mistral-small-latest',
    direct: (origin) => createMistral({ baseURL: `${origin}/v1`, apiKey: KEY })('mistral-small-latest'),
    own: (origin, key, model) => createMistral({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'moonshotai',
    owns: folder('moonshotai'),
    framing: 'sse-done',
    channel: { type: 25, key: KEY },
    model: 'kimi-k2-0905-preview',
    direct: (origin) => createMoonshotAI({ baseURL: `${origin}/v1`, apiKey: KEY })('kimi-k2-0905-preview'),
    own: (origin, key, model) => createMoonshotAI({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'perplexity',
    owns: folder('perplexity'),
    framing: 'sse-done',
    channel: { type: 27, key: KEY },
    model: 'sonar',
    direct: (origin) => createPerplexity({ baseURL: origin, apiKey: KEY })('sonar'),
    own: (origin, key, model) => createPerplexity({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'xai',
    owns: folder('xai'),
    framing: 'sse-done',
    channel: { type: 48, key: KEY },
    model: 'grok-3',
    // The package of xAI reads Responses only.
    direct: (origin) => compatible(origin)('grok-3'),
  },
  {
    id: 'xai responses',
    owns: folder('xai', 'responses'),
    framing: 'sse-named',
    channel: { type: 1, key: KEY },
    model: 'o1-pro',
    direct: (origin) => createXai({ baseURL: `${origin}/v1`, apiKey: KEY }).responses('o1-pro'),
    own: (origin, key, model) => createXai({ baseURL: `${origin}/v1`, apiKey: key }).responses(model),
  },
  {
    id: 'openai completion',
    owns: folder('openai', 'completion'),
    framing: 'sse-done',
    channel: { type: 1, key: KEY },
    model: 'gpt-3.5-turbo-instruct',
    direct: (origin) =>
      createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).completion('gpt-3.5-turbo-instruct'),
    own: (origin, key, model) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).completion(model),
  },
];

/** Recordings of things this tool does not replay, and why. */
export const LEFT_OUT = [
  [/^google\/interactions\//, "Google's Interactions API is not a dialect or format of this gateway"],
  [/speech-translation\//, 'recordings of WebSocket sessions, not of answers'],
  [/^openai\/skills\//, 'an answer of an administrative API'],
];
