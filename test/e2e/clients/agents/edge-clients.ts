import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import { APICallError, streamText } from 'ai';
import OpenAI from 'openai';
import { OUTPUT_CAP } from '../../../support/strict-vendors/story.js';

/** Route of a client at the edge. */
export interface ClientRoute {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly retries?: number;
}

/** One official client: asks once, whole or streamed, and knows its own errors. */
export interface EdgeClient {
  whole(clientRoute: ClientRoute): Promise<unknown>;
  /** Fails: throws what the client throws; `onText` may abort. */
  stream(clientRoute: ClientRoute, onText: () => void, signal: AbortSignal): Promise<unknown>;
  /** Status of an error of the client's own class; undefined = it is none. */
  statusOf(fault: unknown): number | undefined;
  models(clientRoute: ClientRoute): Promise<readonly string[]>;
}

const openaiOf = ({ url, key, retries = 0 }: ClientRoute): OpenAI =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: retries });
const anthropicOf = ({ url, key, retries = 0 }: ClientRoute): Anthropic =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: retries });
const googleOf = ({ url, key, retries = 0 }: ClientRoute): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, retryOptions: { attempts: retries + 1 } } });

const question = (model: string) => ({ model, messages: [{ role: 'user' as const, content: 'Hi' }] });

async function drain(stream: AsyncIterable<unknown>, onText: () => void): Promise<void> {
  for await (const piece of stream) if (/Thought|Ste|Hi|delta/.test(JSON.stringify(piece))) onText();
}

const openaiStatus = (fault: unknown): number | undefined =>
  fault instanceof OpenAI.APIError ? fault.status : undefined;
const openaiModels = async (clientRoute: ClientRoute): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of openaiOf(clientRoute).models.list()) ids.push(id);
  return ids;
};

export const EDGE_CLIENTS: Readonly<Record<string, EdgeClient>> = {
  'openai chat': {
    whole: (clientRoute) => openaiOf(clientRoute).chat.completions.create(question(clientRoute.model)),
    stream: async (clientRoute, onText, signal) =>
      drain(
        await openaiOf(clientRoute).chat.completions.create(
          { ...question(clientRoute.model), stream: true },
          { signal },
        ),
        onText,
      ),
    statusOf: openaiStatus,
    models: openaiModels,
  },
  'openai Responses': {
    whole: (clientRoute) => openaiOf(clientRoute).responses.create({ model: clientRoute.model, input: 'Hi' }),
    stream: async (clientRoute, onText, signal) =>
      drain(
        await openaiOf(clientRoute).responses.create(
          { model: clientRoute.model, input: 'Hi', stream: true },
          { signal },
        ),
        onText,
      ),
    statusOf: openaiStatus,
    models: openaiModels,
  },
  anthropic: {
    whole: (clientRoute) =>
      anthropicOf(clientRoute).messages.create({ ...question(clientRoute.model), max_tokens: OUTPUT_CAP }),
    stream: async (clientRoute, onText, signal) =>
      drain(
        await anthropicOf(clientRoute).messages.create(
          { ...question(clientRoute.model), max_tokens: OUTPUT_CAP, stream: true },
          { signal },
        ),
        onText,
      ),
    statusOf: (fault) => (fault instanceof Anthropic.APIError ? fault.status : undefined),
    models: async (clientRoute) => {
      const ids: string[] = [];
      for await (const { id } of anthropicOf(clientRoute).models.list()) ids.push(id);
      return ids;
    },
  },
  gemini: {
    whole: (clientRoute) =>
      googleOf(clientRoute).models.generateContent({ model: clientRoute.model, contents: 'Hi' }),
    stream: async (clientRoute, onText, abortSignal) =>
      drain(
        await googleOf(clientRoute).models.generateContentStream({
          model: clientRoute.model,
          contents: 'Hi',
          config: { abortSignal },
        }),
        onText,
      ),
    statusOf: (fault) => (fault instanceof ApiError ? fault.status : undefined),
    models: async (clientRoute) => {
      const ids: string[] = [];
      for await (const { name = '' } of await googleOf(clientRoute).models.list())
        ids.push(name.replace('models/', ''));
      return ids;
    },
  },
  'ai sdk': {
    whole: (clientRoute) => aiStream(clientRoute, () => undefined),
    stream: aiStream,
    statusOf: (fault) => (APICallError.isInstance(fault) ? fault.statusCode : undefined),
    models: openaiModels,
  },
};

async function aiStream(
  clientRoute: ClientRoute,
  onText: () => void,
  abortSignal?: AbortSignal,
): Promise<void> {
  const { url, key, model, retries = 0 } = clientRoute;
  const result = streamText({
    model: createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat(model),
    prompt: 'Hi',
    maxRetries: retries,
    onError: () => undefined,
    ...(abortSignal === undefined ? {} : { abortSignal }),
  });
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') onText();
  }
}
