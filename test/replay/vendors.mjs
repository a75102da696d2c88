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
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createPerplexity } from '@ai-sdk/perplexity';
import { createXai } from '@ai-sdk/xai';

const KEY = 'replay-upstream-key';

/**
 * How a vendor's recordings are replayed, and how its own package reads them.
 * @typedef {object} Vendor
 * @property {string} id
 * @property {(recording: object) => boolean} owns
 * @property {'chat' | 'embed' | 'rerank'} operation
 * @property {string} framing of its streams
 * @property {{type: number, key: string, other?: string, basePath?: string}} channel
 * @property {string} model upstream name, also the one callers ask for
 * @property {(origin: string) => object} direct model of the vendor's own package
 */

const folder =
  (vendor, api = '') =>
  (recording) =>
    recording.vendor === vendor && recording.api === api;

/** @type {Vendor[]} */
export const VENDORS = [
  {
    id: 'anthropic',
    owns: folder('anthropic'),
    operation: 'chat',
    framing: 'sse-named',
    channel: { type: 14, key: KEY },
    model: 'claude-sonnet-4-5',
    direct: (origin) => createAnthropic({ baseURL: `${origin}/v1`, apiKey: KEY })('claude-sonnet-4-5'),
  },
  {
    id: 'amazon-bedrock',
    owns: folder('amazon-bedrock'),
    operation: 'chat',
    framing: 'aws',
    channel: { type: 33, key: 'AKIAREPLAY|replay-secret|us-east-1' },
    model: 'amazon.nova-pro-v1:0',
    direct: (origin) =>
      createAmazonBedrock({ region: 'us-east-1', baseURL: origin, apiKey: KEY })('amazon.nova-pro-v1:0'),
  },
  {
    id: 'google',
    owns: folder('google'),
    operation: 'chat',
    framing: 'sse',
    channel: { type: 24, key: KEY },
    model: 'gemini-2.5-pro',
    direct: (origin) => createGoogle({ baseURL: `${origin}/v1beta`, apiKey: KEY })('gemini-2.5-pro'),
  },
  {
    id: 'azure',
    owns: folder('azure'),
    operation: 'chat',
    framing: 'sse-named',
    channel: { type: 3, key: KEY, other: '2025-04-01-preview' },
    model: 'gpt-5-mini',
    native: 'openai-responses',
    direct: (origin) => createAzure({ baseURL: `${origin}/openai`, apiKey: KEY }).responses('gpt-5-mini'),
  },
  {
    id: 'openai responses',
    owns: folder('openai', 'responses'),
    operation: 'chat',
    framing: 'sse-named',
    channel: { type: 1, key: KEY },
    // A model that is served by Responses only.
    model: 'o1-pro',
    native: 'openai-responses',
    direct: (origin) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).responses('o1-pro'),
  },
  {
    id: 'open-responses',
    owns: folder('open-responses', 'responses'),
    operation: 'chat',
    framing: 'sse-named',
    channel: { type: 1, key: KEY },
    model: 'o1-pro',
    native: 'openai-responses',
    direct: (origin) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).responses('o1-pro'),
  },
  {
    id: 'openai chat',
    owns: folder('openai', 'chat'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 1, key: KEY },
    model: 'gpt-4.1-mini',
    direct: (origin) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: KEY }).chat('gpt-4.1-mini'),
  },
  {
    id: 'openai-compatible',
    owns: folder('openai-compatible', 'chat'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 1, key: KEY },
    model: 'gpt-4.1-mini',
    direct: (origin) => compatible(origin)('gpt-4.1-mini'),
  },
  {
    id: 'cohere',
    owns: folder('cohere'),
    operation: 'chat',
    framing: 'sse',
    channel: { type: 34, key: KEY },
    model: 'command-a-03-2025',
    direct: (origin) => createCohere({ baseURL: `${origin}/v2`, apiKey: KEY })('command-a-03-2025'),
  },
  {
    id: 'deepseek',
    owns: folder('deepseek', 'chat'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 43, key: KEY },
    model: 'deepseek-chat',
    direct: (origin) => createDeepSeek({ baseURL: origin, apiKey: KEY })('deepseek-chat'),
  },
  {
    id: 'groq',
    owns: folder('groq'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 1, key: KEY, basePath: '/openai/v1' },
    model: 'qwen/qwen3-32b',
    direct: (origin) => createGroq({ baseURL: `${origin}/openai/v1`, apiKey: KEY })('qwen/qwen3-32b'),
  },
  {
    id: 'mistral',
    owns: folder('mistral'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 42, key: KEY },
    model: 'mistral-small-latest',
    direct: (origin) => createMistral({ baseURL: `${origin}/v1`, apiKey: KEY })('mistral-small-latest'),
  },
  {
    id: 'moonshotai',
    owns: folder('moonshotai'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 25, key: KEY },
    model: 'kimi-k2-0905-preview',
    direct: (origin) => createMoonshotAI({ baseURL: `${origin}/v1`, apiKey: KEY })('kimi-k2-0905-preview'),
  },
  {
    id: 'perplexity',
    owns: folder('perplexity'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 27, key: KEY },
    model: 'sonar',
    direct: (origin) => createPerplexity({ baseURL: origin, apiKey: KEY })('sonar'),
  },
  {
    id: 'xai',
    owns: folder('xai'),
    operation: 'chat',
    framing: 'sse-done',
    channel: { type: 48, key: KEY },
    model: 'grok-3',
    direct: (origin) => createXai({ baseURL: `${origin}/v1`, apiKey: KEY }).chat('grok-3'),
  },
];

/** A reader of chat completions that also reads what vendors added to them. */
export function compatible(origin, apiKey = KEY) {
  return createOpenAICompatible({
    name: 'chat',
    baseURL: `${origin}/v1`,
    apiKey,
    includeUsage: true,
  });
}

/** Recordings of things this tool does not replay, and why. */
export const LEFT_OUT = [
  [/^google\/interactions\//, "Google's Interactions API is not a dialect or wire of this gateway"],
  [/speech-translation\//, 'recordings of WebSocket sessions, not of answers'],
  [/^openai\/skills\//, 'an answer of an administrative API'],
  [/^xai\/responses\//, 'read by the package of xAI as events of its own'],
];

/** How callers of each dialect read what the gateway gives them. */
export const DIALECTS = [
  { id: 'openai chat', model: (origin, key, model) => compatible(origin, key)(model) },
  {
    id: 'responses',
    model: (origin, key, model) => createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).responses(model),
  },
  {
    id: 'anthropic',
    model: (origin, key, model) => createAnthropic({ baseURL: `${origin}/v1`, apiKey: key })(model),
  },
  {
    id: 'gemini',
    model: (origin, key, model) => createGoogle({ baseURL: `${origin}/v1beta`, apiKey: key })(model),
  },
];
