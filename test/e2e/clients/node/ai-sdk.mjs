/** The AI SDK over its OpenAI, Anthropic and Google packages, in the three lines that are in use. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import * as ai7 from 'ai';
import * as ai5 from 'ai-5';
import { createAnthropic as createAnthropic5 } from 'ai-5-anthropic';
import { createGoogleGenerativeAI as createGoogle5 } from 'ai-5-google';
import { createOpenAI as createOpenAI5 } from 'ai-5-openai';
import * as ai6 from 'ai-6';
import { createAnthropic as createAnthropic6 } from 'ai-6-anthropic';
import { createGoogleGenerativeAI as createGoogle6 } from 'ai-6-google';
import { createOpenAI as createOpenAI6 } from 'ai-6-openai';
import {
  ANSWER,
  callsOf,
  CAP,
  FORM,
  FORM_SCHEMA,
  history,
  holds,
  LOOKUP_SCHEMA,
  NO_ARGUMENTS,
  noRetries,
  PDF,
  PICTURE,
  question,
  raised,
  same,
  SOURCE,
  THOUGHT,
  TOOL_RESULT,
} from './place.mjs';

// It says for each call what it leaves out for a vendor's model it takes for another one's.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A line of the SDK: its functions and the packages of vendors that belong to it. */
const LINES = [
  { ai: ai7, openai: createOpenAI, anthropic: createAnthropic, google: createGoogle },
  { ai: ai6, openai: createOpenAI6, anthropic: createAnthropic6, google: createGoogle6, prefix: 'ai-6' },
  { ai: ai5, openai: createOpenAI5, anthropic: createAnthropic5, google: createGoogle5, prefix: 'ai-5' },
];
const openaiOptions = { reasoningEffort: 'low', forceReasoning: true };

/** Models of a line, with the options that request thinking. */
function modelsOf({ ai, openai, anthropic, google, prefix }) {
  const openaiAt = ({ url, key }) => openai({ apiKey: key, baseURL: `${url}/v1` });
  const models = {
    'openai (chat)': {
      modelOf: (place) => openaiAt(place).chat(place.model),
      thinking: { openai: openaiOptions },
      // The package does not read thoughts of chat completions.
      tellsThoughts: false,
    },
    'openai (Responses)': {
      modelOf: (place) => openaiAt(place).responses(place.model),
      always: { openai: { store: false, forceReasoning: true, include: ['reasoning.encrypted_content'] } },
      thinking: {
        openai: {
          ...openaiOptions,
          store: false,
          reasoningSummary: 'auto',
          include: ['reasoning.encrypted_content'],
        },
      },
      // Line 5 asks models it does not know for no thoughts.
      tellsThoughts: ai !== ai5,
    },
    anthropic: {
      modelOf: ({ url, key, model }) => anthropic({ apiKey: key, baseURL: `${url}/v1` })(model),
      always: { anthropic: { structuredOutputMode: 'outputFormat' } },
      thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
      tellsThoughts: true,
      overloadedStatus: 529,
      // Line 5 counts input without the cached part, and lists no sources.
      tellsUsage: ai !== ai5,
      tellsSources: ai !== ai5,
    },
    google: {
      modelOf: ({ url, key, model }) => google({ apiKey: key, baseURL: `${url}/v1beta` })(model),
      thinking: { google: { thinkingConfig: { includeThoughts: true } } },
      tellsThoughts: true,
      // Line 5 counts output without thoughts.
      tellsUsage: ai !== ai5,
    },
  };
  return Object.entries(models).map(([name, model]) => [
    prefix === undefined ? `@ai-sdk/${name}` : `${prefix}-${name}`,
    { ai, ...model },
  ]);
}

export const AI_SDK_MODELS = Object.fromEntries(LINES.flatMap(modelsOf));

export function aiSdkScenarios(
  place,
  {
    ai,
    modelOf,
    always = {},
    thinking,
    tellsThoughts,
    tellsUsage = true,
    tellsSources = true,
    overloadedStatus = 503,
  },
) {
  const { generateObject, generateText, jsonSchema, Output, streamText, tool } = ai;
  const isStepCount = ai.isStepCount ?? ai.stepCountIs;
  const request = (name, more) => ({
    model: modelOf(place),
    ...(more.messages === undefined ? { prompt: question(name) } : {}),
    maxOutputTokens: CAP,
    providerOptions: always,
    ...noRetries,
    ...more,
  });
  const ask = (name, more = {}) => generateText(request(name, more));
  async function collect(name, more = {}) {
    let fault;
    const onError = ({ error }) => (fault ??= error);
    const result = streamText({ ...request(name, more), onError });
    await result.consumeStream({ onError });
    if (fault !== undefined) throw fault;
    const { text, finishReason, totalUsage, reasoningText, sources, steps } = result;
    return {
      text: await text,
      finishReason: await finishReason,
      usage: (await steps).at(-1).usage,
      totalUsage: await totalUsage,
      reasoningText: await reasoningText,
      sources: await sources,
      steps: await steps,
    };
  }
  const usageOf = ({ usage }) => (tellsUsage ? [usage.inputTokens, usage.outputTokens] : undefined);

  async function chat(name, read) {
    const answer = await read(name);
    same(answer.text, ANSWER);
    same(answer.finishReason, 'stop');
    return usageOf(answer);
  }

  /** The SDK calls the tools and asks again by itself. */
  async function tools(name, read) {
    const called = [];
    const made = (toolName, schema) =>
      tool({
        description: toolName,
        inputSchema: jsonSchema(schema),
        execute: (args) => {
          called.push([toolName, args]);
          return TOOL_RESULT;
        },
      });
    const answer = await read(name, {
      tools: { lookup: made('lookup', LOOKUP_SCHEMA), now: made('now', NO_ARGUMENTS) },
      stopWhen: isStepCount(3),
    });
    same(called, callsOf(name), 'calls');
    same(answer.text, ANSWER);
    same(answer.steps.length, 2, 'steps');
    return usageOf(answer.steps.at(-1));
  }

  async function structured() {
    const schema = jsonSchema(FORM_SCHEMA);
    // Until line 6 the other way is the usual one.
    if (generateObject !== undefined)
      same((await generateObject({ ...request('structured', {}), schema })).object, FORM);
    if (ai === ai5) return;
    const { output } = await ask('structured', { output: Output.object({ schema }) });
    same(output, FORM);
  }

  async function withFile(name, mediaType, data, words) {
    const file = { type: 'file', data: Buffer.from(data, 'base64'), mediaType, filename: 'a' };
    const messages = [{ role: 'user', content: [{ type: 'text', text: question(name) }, file] }];
    same((await ask(name, { messages })).text, words);
  }

  async function reasoning(name, read) {
    const answer = await read(name, { providerOptions: thinking });
    same(answer.text, ANSWER);
    if (tellsThoughts && place.upstream !== 'chat') same(answer.reasoningText, THOUGHT, 'thought');
  }

  async function citations(name, read) {
    const { text, sources } = await read(name);
    same(text, ANSWER);
    if (!tellsSources) return;
    holds(
      sources.some(({ url }) => url === SOURCE.url),
      'no sources',
    );
  }

  async function longHistory() {
    const messages = history().map(({ role, text }) => ({ role, content: text }));
    same((await ask('long-history', { messages })).text, ANSWER);
  }

  async function failing(name, status, words = '') {
    const error = await raised(() => ask(name));
    same(error.statusCode, status, 'status');
    holds(error.message.includes(words), `the message is ${error.message}`);
    return error;
  }

  return {
    chat: () => chat('chat', ask),
    stream: () => chat('stream', collect),
    tools: () => tools('tools', ask),
    'tools-streamed': () => tools('tools-streamed', collect),
    'parallel-tools': () => tools('parallel-tools', ask),
    'parallel-tools-streamed': () => tools('parallel-tools-streamed', collect),
    structured,
    picture: () => withFile('picture', 'image/png', PICTURE, 'I see 1 picture.'),
    file: () => withFile('file', 'application/pdf', PDF, 'I read 1 file.'),
    reasoning: () => reasoning('reasoning', ask),
    'reasoning-streamed': () => reasoning('reasoning-streamed', collect),
    citations: () => citations('citations', ask),
    'citations-streamed': () => citations('citations-streamed', collect),
    'long-history': longHistory,
    'rate-limited': async () => {
      const error = await failing('rate-limited', 429);
      holds(error.responseHeaders['retry-after'], 'no Retry-After');
    },
    'too-long': async () => {
      await failing('too-long', 400);
    },
    overloaded: async () => {
      const { isRetryable } = await failing('overloaded', overloadedStatus);
      holds(isRetryable, 'it would not be tried again');
    },
    cut: async () => {
      await raised(() => collect('cut'));
    },
    'unknown-model': async () => {
      const error = await raised(() => ask('chat', { model: modelOf({ ...place, model: 'no-such-model' }) }));
      same(error.statusCode, 404, 'status');
    },
  };
}
