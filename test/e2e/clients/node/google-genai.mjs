/** Google's official package. */
import { GoogleGenAI } from '@google/genai';
import {
  ANSWER,
  callsOf,
  drain,
  FORM,
  FORM_SCHEMA,
  history,
  holds,
  LOOKUP_SCHEMA,
  NO_ARGUMENTS,
  PDF,
  PICTURE,
  question,
  raised,
  same,
  SOURCE,
  THOUGHT,
  TOOL_RESULT,
} from './place.mjs';

const TOOLS = [
  {
    functionDeclarations: [
      { name: 'lookup', description: 'Weather', parametersJsonSchema: LOOKUP_SCHEMA },
      { name: 'now', description: 'Time', parametersJsonSchema: NO_ARGUMENTS },
    ],
  },
];

export function googleScenarios(place) {
  const { model } = place;
  const clientOf = (apiKey) =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl: place.url, retryOptions: { attempts: 1 } } });
  const client = clientOf(place.key);
  const request = (name, contents, config) => ({ model, contents: contents ?? question(name), config });
  const partsOf = (answers) => answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);

  async function ask(name, contents, config) {
    const answers = [await client.models.generateContent(request(name, contents, config))];
    return { answers, parts: partsOf(answers) };
  }
  async function collect(name, contents, config) {
    const answers = await drain(await client.models.generateContentStream(request(name, contents, config)));
    return { answers, parts: partsOf(answers) };
  }
  const said = (parts, isThought = false) =>
    parts.map(({ text, thought }) => ((thought === true) === isThought ? (text ?? '') : '')).join('');
  function usageOf(answers) {
    const usage = answers.at(-1).usageMetadata;
    return [usage.promptTokenCount, (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0)];
  }

  async function chat(name, read) {
    const { answers, parts } = await read(name);
    same(said(parts), ANSWER);
    same(said(parts, true), '', 'thoughts nobody asked for');
    same(answers.at(-1).candidates[0].finishReason, 'STOP', 'finish reason');
    return usageOf(answers);
  }

  async function tools(name, read) {
    const contents = [{ role: 'user', parts: [{ text: question(name) }] }];
    const first = await read(name, contents, { tools: TOOLS });
    const calls = first.parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [functionCall],
    );
    same(
      calls.map((call) => [call.name, call.args ?? {}]),
      callsOf(name),
      'calls',
    );
    const results = calls.map((call) => ({
      functionResponse: { id: call.id, name: call.name, response: { result: TOOL_RESULT } },
    }));
    contents.push({ role: 'model', parts: first.parts }, { role: 'user', parts: results });
    const last = await read(name, contents, { tools: TOOLS });
    same(said(last.parts), ANSWER);
    return usageOf(last.answers);
  }

  /** The package's own conversation keeps every piece of a stream in its history. */
  async function conversation() {
    const chats = client.chats.create({ model, config: { tools: TOOLS } });
    const first = await drain(await chats.sendMessageStream({ message: question('tools-streamed') }));
    const calls = first.flatMap(({ functionCalls }) => functionCalls ?? []);
    same(
      calls.map((call) => [call.name, call.args ?? {}]),
      callsOf('tools'),
      'calls',
    );
    const message = calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: { result: TOOL_RESULT } },
    }));
    const last = await drain(await chats.sendMessageStream({ message }));
    same(said(partsOf(last)), ANSWER);
    return usageOf(last);
  }

  async function structured() {
    const config = { responseMimeType: 'application/json', responseJsonSchema: FORM_SCHEMA };
    same(JSON.parse(said((await ask('structured', undefined, config)).parts)), FORM);
  }

  async function withBytes(name, mimeType, data, words) {
    const parts = [{ inlineData: { mimeType, data } }, { text: question(name) }];
    same(said((await ask(name, [{ role: 'user', parts }])).parts), words);
  }

  async function reasoning(name, read) {
    const { answers, parts } = await read(name, undefined, { thinkingConfig: { includeThoughts: true } });
    same(said(parts), ANSWER);
    if (place.upstream !== 'chat') same(said(parts, true), THOUGHT, 'thought');
    return usageOf(answers);
  }

  async function citations(name, read) {
    const { answers, parts } = await read(name);
    same(said(parts), ANSWER);
    const pages = answers.flatMap(
      ({ candidates }) => candidates?.[0]?.groundingMetadata?.groundingChunks ?? [],
    );
    holds(
      pages.some(({ web }) => web?.uri === SOURCE.url),
      'no sources',
    );
  }

  async function longHistory() {
    const contents = history().map(({ role, text }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text }],
    }));
    same(said((await ask('long-history', contents)).parts), ANSWER);
  }

  async function failing(call, code, status, words = '') {
    const error = await raised(call);
    const told = JSON.parse(error.message).error;
    same([error.status, told.code, told.status], [code, code, status]);
    holds(told.message.includes(words), `the message is ${told.message}`);
  }

  return {
    chat: () => chat('chat', ask),
    stream: () => chat('stream', collect),
    tools: () => tools('tools', ask),
    'tools-streamed': () => tools('tools-streamed', collect),
    'parallel-tools': () => tools('parallel-tools', ask),
    'parallel-tools-streamed': () => tools('parallel-tools-streamed', collect),
    conversation,
    structured,
    picture: () => withBytes('picture', 'image/png', PICTURE, 'I see 1 picture.'),
    file: () => withBytes('file', 'application/pdf', PDF, 'I read 1 file.'),
    reasoning: () => reasoning('reasoning', ask),
    'reasoning-streamed': () => reasoning('reasoning-streamed', collect),
    citations: () => citations('citations', ask),
    'citations-streamed': () => citations('citations-streamed', collect),
    'long-history': longHistory,
    'rate-limited': () => failing(() => ask('rate-limited'), 429, 'RESOURCE_EXHAUSTED'),
    'too-long': () =>
      failing(() => ask('too-long'), 400, 'INVALID_ARGUMENT', 'exceeds the maximum number of tokens'),
    overloaded: () => failing(() => ask('overloaded'), 503, 'UNAVAILABLE'),
    cut: async () => {
      await raised(() => collect('cut'));
    },
    unauthorized: () =>
      failing(async () => drain(await clientOf('sk-nothing').models.list()), 401, 'UNAUTHENTICATED'),
    'unknown-model': () =>
      failing(
        () => client.models.generateContent({ model: 'no-such-model', contents: 'Hi' }),
        404,
        'NOT_FOUND',
      ),
    models: async () => {
      const all = await drain(await client.models.list());
      holds(
        all.some(({ name }) => name === `models/${model}`),
        'the model is not listed',
      );
    },
    embeddings: async () => {
      const { embeddings } = await client.models.embedContent({ model, contents: ['one', 'two'] });
      same(
        embeddings.map(({ values }) => values.length),
        [3, 3],
      );
    },
  };
}
