import { describe, expect, it } from '@jest/globals';
import { CHAT_PAIRS, carry } from '../support/chat-formats.js';

type Body = Record<string, unknown>;

const text = { type: 'string' };
const tool = (parameters: unknown, more: Body = {}): Readonly<Record<string, Body>> => ({
  'openai-chat': { tools: [{ type: 'function', function: { name: 'f', parameters, ...more } }] },
  'openai-responses': { tools: [{ type: 'function', name: 'f', parameters, ...more }] },
  'anthropic-messages': { tools: [{ name: 'f', input_schema: parameters, ...more }] },
  'gemini-generate': { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] }] },
});
const form = (schema: unknown): Readonly<Record<string, Body>> => ({
  'openai-chat': { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } },
  'openai-responses': { text: { format: { type: 'json_schema', name: 'n', schema } } },
  'anthropic-messages': { output_config: { format: { type: 'json_schema', schema } } },
  'gemini-generate': {
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  },
});
/** Words that bind a value of a schema, in a property of it. */
const KEYWORDS: Readonly<Record<string, unknown>> = {
  description: { ...text, description: 'D' },
  default: { ...text, default: 'x' },
  enum: { ...text, enum: ['a', 'b'] },
  const: { ...text, const: 'a' },
  'enum of numbers': { type: 'integer', enum: [1, 2], description: 'D' },
  minLength: { ...text, minLength: 2 },
  maxLength: { ...text, maxLength: 2 },
  pattern: { ...text, pattern: '^a' },
  'format uri': { ...text, format: 'uri' },
  minimum: { type: 'number', minimum: 2 },
  exclusiveMaximum: { type: 'number', exclusiveMaximum: 2 },
  multipleOf: { type: 'number', multipleOf: 2 },
  minItems: { type: 'array', items: text, minItems: 2 },
  uniqueItems: { type: 'array', items: text, uniqueItems: true },
  prefixItems: { type: 'array', prefixItems: [text, { type: 'number' }] },
  contains: { type: 'array', items: text, contains: { const: 'a' } },
  'open object': { type: 'object', additionalProperties: true },
  map: { type: 'object', additionalProperties: text },
  patternProperties: { type: 'object', patternProperties: { '^a': text } },
  propertyNames: { type: 'object', propertyNames: { pattern: '^a' } },
  minProperties: { type: 'object', minProperties: 1 },
  dependentRequired: { type: 'object', properties: { a: text }, dependentRequired: { a: ['b'] } },
  not: { ...text, not: { const: 'a' } },
  anyOf: { anyOf: [text, { type: 'number' }] },
  oneOf: { oneOf: [text, { type: 'number' }] },
  allOf: { allOf: [text, { minLength: 2 }] },
  if: { ...text, if: { minLength: 2 }, else: { maxLength: 3 } },
};
const bare = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false };
const around = (a: unknown): unknown => ({ ...bare, properties: { a } });

/** Reported differently: thoughts are shown in the answer to callers that want them, whatever was sent to the vendor. */
const TOLD_BY_THE_ANSWER: ReadonlySet<string> = new Set(['reasoning.summary']);

/** Members of each client API, and what the same request is without them. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Body | readonly [Body, Body]>>>> = {
  'openai-chat': {
    temperature: { temperature: 0.3 },
    top_p: { top_p: 0.4 },
    frequency_penalty: { frequency_penalty: 0.5 },
    presence_penalty: { presence_penalty: 0.5 },
    seed: { seed: 7 },
    stop: { stop: ['x'] },
    n: { n: 2 },
    user: { user: 'u' },
    max_completion_tokens: { max_completion_tokens: 77 },
    logit_bias: { logit_bias: { '5': 1 } },
    logprobs: { logprobs: true },
    top_logprobs: [{ logprobs: true, top_logprobs: 3 }, { logprobs: true }],
    metadata: { metadata: { a: 'b' } },
    store: { store: true },
    prediction: { prediction: { type: 'content', content: 'x' } },
    service_tier: { service_tier: 'flex' },
    verbosity: { verbosity: 'low' },
    modalities: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    reasoning_effort: { reasoning_effort: 'high' },
    web_search_options: { web_search_options: { search_context_size: 'low' } },
    'web_search_options.user_location': [
      { web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Rome' } } } },
      { web_search_options: {} },
    ],
    prompt_cache_key: { prompt_cache_key: 'k' },
    safety_identifier: { safety_identifier: 's' },
    'message name': [
      { messages: [{ role: 'user', content: 'hi', name: 'ada' }] },
      { messages: [{ role: 'user', content: 'hi' }] },
    ],
  },
  'openai-responses': {
    temperature: { temperature: 0.3 },
    top_p: { top_p: 0.4 },
    max_output_tokens: { max_output_tokens: 77 },
    max_tool_calls: { max_tool_calls: 2 },
    instructions: { instructions: 'I' },
    metadata: { metadata: { a: 'b' } },
    user: { user: 'u' },
    safety_identifier: { safety_identifier: 's' },
    prompt_cache_key: { prompt_cache_key: 'k' },
    prompt_cache_retention: { prompt_cache_retention: '24h' },
    truncation: { truncation: 'auto' },
    service_tier: { service_tier: 'flex' },
    top_logprobs: { top_logprobs: 3 },
    reasoning: { reasoning: { effort: 'high' } },
    'reasoning.summary': [
      { reasoning: { effort: 'high', summary: 'auto' } },
      { reasoning: { effort: 'high' } },
    ],
    'text.verbosity': { text: { verbosity: 'low' } },
    'web search': { tools: [{ type: 'web_search' }] },
    'web search, domains': [
      { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] },
      { tools: [{ type: 'web_search' }] },
    ],
    'web search, place': [
      { tools: [{ type: 'web_search', user_location: { type: 'approximate', city: 'Rome' } }] },
      { tools: [{ type: 'web_search' }] },
    ],
    'web search, size': [
      { tools: [{ type: 'web_search', search_context_size: 'high' }] },
      { tools: [{ type: 'web_search' }] },
    ],
    'allowed tools': [
      {
        ...tool(bare)['openai-responses'],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
      },
      { ...tool(bare)['openai-responses'] },
    ],
  },
  'anthropic-messages': {
    temperature: { temperature: 0.3 },
    top_p: { top_p: 0.4 },
    top_k: { top_k: 5 },
    stop_sequences: { stop_sequences: ['x'] },
    system: { system: 'S' },
    'metadata.user_id': { metadata: { user_id: 'u' } },
    thinking: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    service_tier: { service_tier: 'standard_only' },
    context_management: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    'output_config.effort': { output_config: { effort: 'low' } },
    'web search': { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    'web search, uses': [
      { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    'web search, place': [
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            user_location: { type: 'approximate', city: 'Rome' },
          },
        ],
      },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    'cache_control of tools': [
      { ...tool(bare, { cache_control: { type: 'ephemeral' } })['anthropic-messages'] },
      { ...tool(bare)['anthropic-messages'] },
    ],
    'cache_control of the system': [
      { system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }] },
      { system: [{ type: 'text', text: 'S' }] },
    ],
    input_examples: [
      { ...tool(bare, { input_examples: [{ a: 'x' }] })['anthropic-messages'] },
      { ...tool(bare)['anthropic-messages'] },
    ],
    'citations of a document': [
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'D' },
                citations: { enabled: true },
              },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'D' } }],
          },
        ],
      },
    ],
    'title and context of a document': [
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'D' },
                context: 'C',
              },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'D' } }],
          },
        ],
      },
    ],
  },
  'gemini-generate': {
    ...Object.fromEntries(
      Object.entries({
        temperature: 0.3,
        topP: 0.4,
        topK: 5,
        seed: 7,
        maxOutputTokens: 77,
        candidateCount: 2,
        stopSequences: ['x'],
        presencePenalty: 0.5,
        frequencyPenalty: 0.5,
        responseLogprobs: true,
        responseModalities: ['TEXT'],
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        speechConfig: { languageCode: 'de' },
        thinkingConfig: { thinkingBudget: 2_000 },
        responseMimeType: 'application/json',
      }).map(([name, value]) => [name, { generationConfig: { [name]: value } }]),
    ),
    includeThoughts: [
      { generationConfig: { thinkingConfig: { thinkingBudget: 2_000, includeThoughts: true } } },
      { generationConfig: { thinkingConfig: { thinkingBudget: 2_000 } } },
    ],
    systemInstruction: { systemInstruction: { parts: [{ text: 'S' }] } },
    safetySettings: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    labels: { labels: { a: 'b' } },
    googleSearch: { tools: [{ googleSearch: {} }] },
    codeExecution: { tools: [{ codeExecution: {} }] },
    urlContext: { tools: [{ urlContext: {} }] },
    retrievalConfig: { toolConfig: { retrievalConfig: { languageCode: 'de' } } },
    videoMetadata: [
      {
        contents: [
          {
            role: 'user',
            parts: [
              { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' }, videoMetadata: { fps: 2 } },
            ],
          },
        ],
      },
      {
        contents: [
          { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
        ],
      },
    ],
  },
};
const HELLO: Readonly<Record<string, Body>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'hi' }] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

const told = (one: { readonly setting: string; readonly reason: string }): string =>
  `${one.setting}: ${one.reason}`;

/**
 * True when a request mentions a member: in its output, in a warning or by a refusal. Parts of a member that is left out as a whole
 * need no mention of their own.
 */
function isTold(pair: (typeof CHAT_PAIRS)[number], withIt: Body, withoutIt: Body): boolean {
  const hello = HELLO[pair.api.id] ?? {};
  const left = carry(pair.api, pair.format, { ...hello, ...withIt });
  if ('refusal' in left) return true;
  const plain = carry(pair.api, pair.format, { ...hello, ...withoutIt });
  const nothing = carry(pair.api, pair.format, hello);
  if ('refusal' in plain || 'refusal' in nothing) throw new Error('the request without it is refused');
  if (left.text !== plain.text) return true;
  const before = new Set(nothing.warnings.map(told));
  return left.warnings.some((warning) => !before.has(told(warning)));
}

describe.each(CHAT_PAIRS)('nothing is lost in silence: $name', (pair) => {
  const { api } = pair;
  it.each(Object.keys(MEMBERS[api.id] ?? {}).filter((name) => !TOLD_BY_THE_ANSWER.has(name)))(
    'accounts for %s',
    (name) => {
      const member = MEMBERS[api.id]?.[name] ?? {};
      const [withIt, withoutIt]: readonly [Body, Body] = Array.isArray(member)
        ? (member as unknown as [Body, Body])
        : [member as Body, {}];
      expect(isTold(pair, withIt, withoutIt)).toBe(true);
    },
  );

  it.each(Object.entries(KEYWORDS))('accounts for %s in schemas', (_name, schema) => {
    for (const place of [tool, form]) {
      const withoutIt = place(around({}))[api.id] ?? {};
      expect(isTold(pair, place(around(schema))[api.id] ?? {}, withoutIt)).toBe(true);
    }
  });
});
