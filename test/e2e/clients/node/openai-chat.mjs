/** The official OpenAI package, chat completions. */
import OpenAI from 'openai';
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
  { type: 'function', function: { name: 'lookup', description: 'Weather', parameters: LOOKUP_SCHEMA } },
  { type: 'function', function: { name: 'now', description: 'Time', parameters: NO_ARGUMENTS } },
];

export function openaiChatScenarios(place) {
  const { model } = place;
  const clientOf = (apiKey) => new OpenAI({ apiKey, baseURL: `${place.url}/v1`, ...noRetries });
  const client = clientOf(place.key);
  const user = (content) => [{ role: 'user', content }];

  const ask = (name, more = {}) =>
    client.chat.completions.create({ model, messages: user(question(name)), ...more });
  /** Reads with the package's own accumulator. */
  const collect = (name, more = {}) =>
    client.chat.completions
      .stream({ model, messages: user(question(name)), stream_options: { include_usage: true }, ...more })
      .finalChatCompletion();
  const usageOf = ({ usage }) => [usage.prompt_tokens, usage.completion_tokens];
  const said = ({ choices }) => choices[0].message.content;

  async function chat(name, read) {
    const answer = await read(name);
    same(said(answer), ANSWER);
    same(answer.choices[0].finish_reason, 'stop');
    holds(Number.isInteger(answer.created), 'created is no whole number');
    return usageOf(answer);
  }

  async function tools(name, read) {
    const messages = user(question(name));
    const first = await read(name, { messages, tools: TOOLS });
    const [{ message, finish_reason: reason }] = first.choices;
    same(reason, 'tool_calls');
    same(
      message.tool_calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
      callsOf(name),
      'calls',
    );
    const results = message.tool_calls.map(({ id }) => ({
      role: 'tool',
      tool_call_id: id,
      content: TOOL_RESULT,
    }));
    const last = await read(name, { messages: [...messages, message, ...results], tools: TOOLS });
    same(said(last), ANSWER);
    return usageOf(last);
  }

  async function structured() {
    const form = { name: 'form', schema: FORM_SCHEMA, strict: true };
    const answer = await ask('structured', { response_format: { type: 'json_schema', json_schema: form } });
    same(JSON.parse(said(answer)), FORM);
  }

  async function withPart(name, part, words) {
    const messages = user([{ type: 'text', text: question(name) }, part]);
    same(said(await ask(name, { messages })), words);
  }

  async function reasoning() {
    const answer = await ask('reasoning', { reasoning_effort: 'low', max_completion_tokens: CAP });
    same(said(answer), ANSWER);
    if (place.upstream !== 'chat') same(answer.choices[0].message.reasoning_content, THOUGHT, 'thought');
    return usageOf(answer);
  }

  async function reasoningStreamed() {
    const stream = await ask('reasoning-streamed', {
      reasoning_effort: 'low',
      max_completion_tokens: CAP,
      stream: true,
    });
    const deltas = (await drain(stream)).flatMap(({ choices }) => choices.map(({ delta }) => delta));
    same(deltas.map(({ content }) => content ?? '').join(''), ANSWER);
    if (place.upstream !== 'chat')
      same(deltas.map((delta) => delta.reasoning_content ?? '').join(''), THOUGHT, 'thought');
  }

  async function citations(name, read) {
    const answer = await read(name);
    same(said(answer), ANSWER);
    same(answer.choices[0].message.annotations?.[0]?.url_citation.url, SOURCE.url, 'annotation');
  }

  async function longHistory() {
    const messages = history().map(({ role, text }) => ({ role, content: text }));
    same(said(await ask('long-history', { messages })), ANSWER);
  }

  async function failing(call, kind, status, code) {
    const error = await raised(call);
    same([error.constructor.name, error.status], [kind, status]);
    if (code !== undefined) same(error.code, code, 'code');
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
    picture: () =>
      withPart(
        'picture',
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
        'I see 1 picture.',
      ),
    file: () =>
      withPart(
        'file',
        { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
        'I read 1 file.',
      ),
    reasoning,
    'reasoning-streamed': reasoningStreamed,
    citations: () => citations('citations', ask),
    'citations-streamed': () => citations('citations-streamed', collect),
    'long-history': longHistory,
    'rate-limited': async () => {
      const error = await failing(() => ask('rate-limited'), 'RateLimitError', 429);
      holds(error.headers.get('retry-after'), 'no Retry-After');
    },
    'too-long': async () => {
      await failing(() => ask('too-long'), 'BadRequestError', 400, 'context_length_exceeded');
    },
    overloaded: async () => {
      await failing(() => ask('overloaded'), 'InternalServerError', 503);
    },
    cut: async () => {
      await raised(async () => drain(await ask('cut', { stream: true })));
    },
    unauthorized: async () => {
      await failing(() => clientOf('sk-nothing').models.list(), 'AuthenticationError', 401);
    },
    'unknown-model': async () => {
      await failing(() => ask('chat', { model: 'no-such-model' }), 'NotFoundError', 404, 'model_not_found');
    },
    models: async () => {
      const { data } = await client.models.list();
      holds(
        data.some(({ id }) => id === model),
        'the model is not listed',
      );
    },
    embeddings: async () => {
      const { data } = await client.embeddings.create({ model, input: ['one', 'two'] });
      same(
        data.map(({ index, embedding }) => [index, embedding.length]),
        [
          [0, 3],
          [1, 3],
        ],
      );
    },
  };
}
