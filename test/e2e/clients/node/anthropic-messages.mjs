/** The official Anthropic package. */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
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

const TOOLS = [
  { name: 'lookup', description: 'Weather', input_schema: LOOKUP_SCHEMA },
  { name: 'now', description: 'Time', input_schema: NO_ARGUMENTS },
];
const THINKING = { type: 'enabled', budget_tokens: 2_000 };

export function anthropicScenarios(place) {
  const { model } = place;
  const clientOf = (apiKey) => new Anthropic({ apiKey, baseURL: place.url, ...noRetries });
  const client = clientOf(place.key);
  const request = (name, more) => ({
    model,
    max_tokens: CAP,
    messages: [{ role: 'user', content: question(name) }],
    ...more,
  });
  const ask = (name, more = {}) => client.messages.create(request(name, more));
  const collect = (name, more = {}) => client.messages.stream(request(name, more)).finalMessage();
  const usageOf = ({ usage }) => [
    usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    usage.output_tokens,
  ];

  async function chat(name, read) {
    const answer = await read(name);
    same(answer.content[0].text, ANSWER);
    same(answer.stop_reason, 'end_turn');
    return usageOf(answer);
  }

  async function tools(name, read, more = {}) {
    const messages = [{ role: 'user', content: question(name) }];
    const first = await read(name, { messages, tools: TOOLS, ...more });
    const calls = first.content.filter(({ type }) => type === 'tool_use');
    same(first.stop_reason, 'tool_use');
    same(
      calls.map((call) => [call.name, call.input]),
      callsOf(name),
      'calls',
    );
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: TOOL_RESULT }));
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
    const last = await read(name, { messages, tools: TOOLS, ...more });
    same(
      last.content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])),
      [ANSWER],
    );
    return usageOf(last);
  }

  /** The SDK calls the tools, asks again by itself and, unless it is told otherwise, sends only what is new of a thread. */
  async function toolRunner() {
    const called = [];
    const run = (name) => (input) => {
      called.push([name, input]);
      return TOOL_RESULT;
    };
    const tools = TOOLS.map(({ name, description, input_schema: inputSchema }) =>
      betaTool({ name, description, inputSchema, run: run(name) }),
    );
    const answer = await client.beta.messages.toolRunner(request('tools', { tools }));
    same(called, callsOf('tools'), 'calls');
    same(
      answer.content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])),
      [ANSWER],
    );
    return usageOf(answer);
  }

  async function structured() {
    const format = { type: 'json_schema', schema: FORM_SCHEMA };
    const answer = await ask('structured', { output_config: { format } });
    same(JSON.parse(answer.content[0].text), FORM);
  }

  async function withBytes(name, type, mediaType, data, words) {
    const source = { type: 'base64', media_type: mediaType, data };
    const content = [
      { type, source },
      { type: 'text', text: question(name) },
    ];
    const answer = await ask(name, { messages: [{ role: 'user', content }] });
    same(answer.content[0].text, words);
  }

  async function reasoning(name, read) {
    const { content } = await read(name, { thinking: THINKING });
    if (place.upstream === 'chat') return same(content[0].text, ANSWER);
    same(
      content.slice(0, 2).map(({ type }) => type),
      ['thinking', 'text'],
      'blocks',
    );
    same(content[0].thinking, THOUGHT, 'thought');
    same(content[1].text, ANSWER);
  }

  async function citations(name, read) {
    const [block] = (await read(name)).content;
    same(block.text, ANSWER);
    same(block.citations?.[0]?.url, SOURCE.url, 'citation');
  }

  async function longHistory() {
    const messages = history().map(({ role, text }) => ({ role, content: text }));
    same((await ask('long-history', { messages })).content[0].text, ANSWER);
  }

  async function failing(call, status, type, words = '') {
    const error = await raised(call);
    same([error.status, error.error?.error?.type], [status, type]);
    holds(error.error.error.message.includes(words), `the message is ${error.error.error.message}`);
    return error;
  }

  return {
    chat: () => chat('chat', ask),
    stream: () => chat('stream', collect),
    tools: () => tools('tools', ask),
    'tools-streamed': () => tools('tools-streamed', collect),
    'parallel-tools': () => tools('parallel-tools', ask, { thinking: THINKING }),
    'parallel-tools-streamed': () => tools('parallel-tools-streamed', collect, { thinking: THINKING }),
    'tool-runner': toolRunner,
    structured,
    picture: () => withBytes('picture', 'image', 'image/png', PICTURE, 'I see 1 picture.'),
    file: () => withBytes('file', 'document', 'application/pdf', PDF, 'I read 1 file.'),
    reasoning: () => reasoning('reasoning', ask),
    'reasoning-streamed': () => reasoning('reasoning-streamed', collect),
    citations: () => citations('citations', ask),
    'citations-streamed': () => citations('citations-streamed', collect),
    'long-history': longHistory,
    'rate-limited': async () => {
      const error = await failing(() => ask('rate-limited'), 429, 'rate_limit_error');
      holds(error.headers.get('retry-after'), 'no Retry-After');
    },
    'too-long': async () => {
      await failing(() => ask('too-long'), 400, 'invalid_request_error', 'prompt is too long');
    },
    overloaded: async () => {
      await failing(() => ask('overloaded'), 529, 'overloaded_error');
    },
    cut: async () => {
      await raised(() => collect('cut'));
    },
    unauthorized: async () => {
      await failing(() => clientOf('sk-nothing').models.list(), 401, 'authentication_error');
    },
    'unknown-model': async () => {
      await failing(() => ask('chat', { model: 'no-such-model' }), 404, 'not_found_error');
    },
    models: async () => {
      const ids = [];
      for await (const { id } of client.models.list()) ids.push(id);
      holds(ids.includes(model), 'the model is not listed');
    },
  };
}
