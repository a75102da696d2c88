import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  type JSONSchema7,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import type { Place, Session, Told } from './session.js';
import {
  EMPTY_SCHEMA,
  FIRST_QUESTION,
  FORM_SCHEMA,
  FORM_TURN,
  LOOKUP_SCHEMA,
  nextQuestion,
  OUTPUT_CAP,
  PICTURE,
  resultOf,
  SYSTEM,
  TURNS,
} from '../../../support/strict-vendors/story.js';

// It says for each call what it leaves out for a vendor's model it takes for another one's; the sessions are judged by what comes back.
globalThis.AI_SDK_LOG_WARNINGS = false;

type Options = Readonly<Record<string, Readonly<Record<string, never>>>>;

/** One provider of the AI SDK: construction of a model, and its thinking settings. */
interface Kind {
  readonly model: (place: Place) => LanguageModel;
  readonly options: Readonly<Record<string, unknown>>;
}

export const AI_SDK_KINDS: Readonly<Record<string, Kind>> = {
  'openai chat': {
    model: ({ url, key, model }) => createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat(model),
    options: { openai: { reasoningEffort: 'low', forceReasoning: true } },
  },
  'openai Responses': {
    model: ({ url, key, model }) => createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).responses(model),
    options: {
      openai: {
        store: false,
        reasoningEffort: 'low',
        reasoningSummary: 'auto',
        forceReasoning: true,
        include: ['reasoning.encrypted_content'],
      },
    },
  },
  'openai-compatible': {
    model: ({ url, key, model }) =>
      createOpenAICompatible({
        name: 'tollgate',
        apiKey: key,
        baseURL: `${url}/v1`,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
    options: { tollgate: { reasoningEffort: 'low' } },
  },
  anthropic: {
    model: ({ url, key, model }) => createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(model),
    options: {
      anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 }, structuredOutputMode: 'outputFormat' },
    },
  },
  google: {
    model: ({ url, key, model }) => createGoogle({ apiKey: key, baseURL: `${url}/v1beta` })(model),
    options: { google: { thinkingConfig: { includeThoughts: true } } },
  },
};

const tools = {
  lookup: tool({
    description: 'Weather of days',
    inputSchema: jsonSchema(LOOKUP_SCHEMA as unknown as JSONSchema7),
    execute: (args: unknown) => resultOf('lookup', args),
  }),
  now: tool({
    description: 'The time',
    inputSchema: jsonSchema(EMPTY_SCHEMA as unknown as JSONSchema7),
    execute: (args: unknown) => resultOf('now', args),
  }),
};

/** The SDK runs the tools itself; the story is three of its calls. */
export const aiSdkSession =
  (kind: Kind): Session =>
  async (place) => {
    const ask = (words: string): ModelMessage => ({
      role: 'user',
      content: [
        { type: 'text', text: words },
        { type: 'file', data: Buffer.from(PICTURE, 'base64'), mediaType: 'image/png' },
      ],
    });
    const messages: ModelMessage[] = [ask(FIRST_QUESTION)];
    const told: Told[] = [];
    while (told.length <= FORM_TURN) {
      const request = {
        model: kind.model(place),
        instructions: SYSTEM,
        messages,
        tools,
        maxRetries: 0,
        maxOutputTokens: OUTPUT_CAP,
        stopWhen: isStepCount(TURNS),
        providerOptions: kind.options as unknown as Options,
        ...(told.length === FORM_TURN
          ? { output: Output.object({ schema: jsonSchema(FORM_SCHEMA as unknown as JSONSchema7) }) }
          : {}),
      };
      let fault: unknown;
      const onError = (event: { readonly error: unknown }): void => {
        fault = event.error;
      };
      const result = place.isStreamed ? streamText({ ...request, onError }) : await generateText(request);
      if ('consumeStream' in result) await result.consumeStream();
      if (fault !== undefined) throw fault;
      const steps = await result.steps;
      for (const step of steps) {
        const { usage } = step;
        told.push({
          text: step.text,
          thought: step.reasoningText ?? '',
          calls: step.toolCalls.map(({ toolName, input }) => ({ name: toolName, args: input })),
          usage: [
            usage.inputTokens ?? -1,
            usage.inputTokenDetails.cacheReadTokens ?? -1,
            usage.outputTokens ?? -1,
          ],
          reason: step.finishReason,
        });
      }
      const answers = await result.responseMessages;
      messages.push(...answers, ask(nextQuestion(told.length - 1)));
    }
    return told;
  };
