/** LangChain over its OpenAI, Anthropic and Google packages. */
import { ChatAnthropic } from '@langchain/anthropic';
import { ContextOverflowError } from '@langchain/core/errors';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import {
  ANSWER,
  callsOf,
  CAP,
  drain,
  FORM,
  FORM_SCHEMA,
  history,
  holds,
  LOOKUP_SCHEMA,
  NO_ARGUMENTS,
  noRetries,
  PICTURE,
  question,
  raised,
  same,
  TOOL_RESULT,
} from './place.mjs';

const openai = ({ url, key, model }, more) =>
  new ChatOpenAI({ apiKey: key, model, configuration: { baseURL: `${url}/v1` }, ...noRetries, ...more });

export const LANGCHAIN_MODELS = {
  '@langchain/openai (chat)': { modelOf: (place) => openai(place, {}) },
  '@langchain/openai (Responses)': {
    modelOf: (place) => openai(place, { useResponsesApi: true, zdrEnabled: true }),
    options: { include: ['reasoning.encrypted_content'] },
  },
  '@langchain/anthropic': {
    modelOf: ({ url, key, model }) =>
      new ChatAnthropic({ apiKey: key, model, anthropicApiUrl: url, maxTokens: CAP, ...noRetries }),
  },
  '@langchain/google-genai': {
    modelOf: ({ url, key, model }) =>
      new ChatGoogleGenerativeAI({ apiKey: key, model, baseUrl: url, ...noRetries }),
    // It builds on a package that Google gave up, which knows neither error kinds of LangChain nor JSON schemas with closed objects.
    isOld: true,
  },
};

const TOOLS = [
  { type: 'function', function: { name: 'lookup', description: 'Weather', parameters: LOOKUP_SCHEMA } },
  { type: 'function', function: { name: 'now', description: 'Time', parameters: NO_ARGUMENTS } },
];

export function langchainScenarios(place, { modelOf, options = {}, isOld = false }) {
  const model = modelOf(place);
  const ask = (given, runnable = model) => runnable.invoke(given, options);
  async function collect(given, runnable = model) {
    const pieces = await drain(await runnable.stream(given, options));
    return pieces.reduce((whole, piece) => whole.concat(piece));
  }
  const usageOf = ({ usage_metadata: usage }) => [usage.input_tokens, usage.output_tokens];

  async function chat(name, read) {
    const message = await read(question(name));
    same(message.text, ANSWER);
    return usageOf(message);
  }

  async function tools(name, read) {
    const bound = model.bindTools(TOOLS);
    const messages = [new HumanMessage(question(name))];
    const first = await read(messages, bound);
    same(
      first.tool_calls.map((call) => [call.name, call.args]),
      callsOf(name),
      'calls',
    );
    messages.push(first);
    for (const call of first.tool_calls)
      messages.push(new ToolMessage({ tool_call_id: call.id, name: call.name, content: TOOL_RESULT }));
    const last = await read(messages, bound);
    same(last.text, ANSWER);
    return usageOf(last);
  }

  async function structured() {
    const form = model.withStructuredOutput(FORM_SCHEMA, { name: 'form', method: 'jsonSchema' });
    same(await form.invoke(question('structured')), FORM);
  }

  async function picture() {
    const content = [
      { type: 'text', text: question('picture') },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
    ];
    same((await ask([new HumanMessage({ content })])).text, 'I see 1 picture.');
  }

  async function longHistory() {
    const messages = history().map(({ role, text }) =>
      role === 'user' ? new HumanMessage(text) : new AIMessage(text),
    );
    same((await ask(messages)).text, ANSWER);
  }

  return {
    chat: () => chat('chat', ask),
    stream: () => chat('stream', collect),
    tools: () => tools('tools', ask),
    'tools-streamed': () => tools('tools-streamed', collect),
    'parallel-tools': () => tools('parallel-tools', ask),
    'parallel-tools-streamed': () => tools('parallel-tools-streamed', collect),
    structured,
    picture,
    'long-history': longHistory,
    'too-long': async () => {
      const error = await raised(() => ask(question('too-long')));
      if (isOld) holds(error.message.includes('exceeds the maximum number of tokens'), error.message);
      else holds(ContextOverflowError.isInstance(error), `${error.name}: ${error.message}`);
    },
    cut: async () => {
      await raised(() => collect(question('cut')));
    },
  };
}
