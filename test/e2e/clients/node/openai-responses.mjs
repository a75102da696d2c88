/** The official OpenAI package, Responses. */
import OpenAI from 'openai';
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
  { type: 'function', name: 'lookup', description: 'Weather', parameters: LOOKUP_SCHEMA, strict: false },
  { type: 'function', name: 'now', description: 'Time', parameters: NO_ARGUMENTS, strict: false },
];

export function openaiResponsesScenarios(place) {
  const { model } = place;
  const client = new OpenAI({ apiKey: place.key, baseURL: `${place.url}/v1`, ...noRetries });
  const ask = (name, more = {}) => client.responses.create({ model, input: question(name), ...more });
  const collect = (name, more = {}) =>
    client.responses.stream({ model, input: question(name), ...more }).finalResponse();

  function usageOf({ usage }) {
    holds(Number.isInteger(usage.output_tokens_details.reasoning_tokens), 'no count of reasoning');
    holds(Number.isInteger(usage.input_tokens_details.cached_tokens), 'no count of what was cached');
    return [usage.input_tokens, usage.output_tokens];
  }

  async function chat(name, read) {
    const answer = await read(name);
    same(answer.output_text, ANSWER);
    same(answer.status, 'completed');
    holds(Number.isInteger(answer.created_at), 'created_at is no whole number');
    return usageOf(answer);
  }

  async function tools(name, read) {
    const input = [{ role: 'user', content: question(name) }];
    const more = { tools: TOOLS, store: false, include: ['reasoning.encrypted_content'] };
    const first = await read(name, { input, ...more });
    const calls = first.output.filter(({ type }) => type === 'function_call');
    same(
      calls.map((call) => [call.name, JSON.parse(call.arguments)]),
      callsOf(name),
      'calls',
    );
    // Members added by the package's own parser are no members of an item that goes back.
    const said = first.output.map(({ parsed_arguments: _parsed, ...item }) => item);
    const results = calls.map(({ call_id }) => ({
      type: 'function_call_output',
      call_id,
      output: TOOL_RESULT,
    }));
    const last = await read(name, { input: [...input, ...said, ...results], ...more });
    same(last.output_text, ANSWER);
    return usageOf(last);
  }

  async function structured() {
    const format = { type: 'json_schema', name: 'form', schema: FORM_SCHEMA, strict: true };
    same(JSON.parse((await ask('structured', { text: { format } })).output_text), FORM);
  }

  async function withPart(name, part, words) {
    const content = [{ type: 'input_text', text: question(name) }, part];
    same((await ask(name, { input: [{ role: 'user', content }] })).output_text, words);
  }

  async function reasoning(name, read) {
    const answer = await read(name, { reasoning: { effort: 'low', summary: 'auto' } });
    same(answer.output_text, ANSWER);
    if (place.upstream === 'chat') return;
    const thoughts = answer.output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
    same(thoughts.map(({ text }) => text).join(''), THOUGHT, 'thought');
  }

  async function citations(name, read) {
    const answer = await read(name);
    same(answer.output_text, ANSWER);
    const parts = answer.output.flatMap((item) => (item.type === 'message' ? item.content : []));
    same(parts[0].annotations[0]?.url, SOURCE.url, 'annotation');
  }

  async function longHistory() {
    const input = history().map(({ role, text }) => ({ role, content: text }));
    same((await ask('long-history', { input })).output_text, ANSWER);
  }

  async function failing(call, status, code) {
    const error = await raised(call);
    same(error.status, status, 'status');
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
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PICTURE}` },
        'I see 1 picture.',
      ),
    file: () =>
      withPart(
        'file',
        { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        'I read 1 file.',
      ),
    reasoning: () => reasoning('reasoning', ask),
    'reasoning-streamed': () => reasoning('reasoning-streamed', collect),
    citations: () => citations('citations', ask),
    'citations-streamed': () => citations('citations-streamed', collect),
    'long-history': longHistory,
    'rate-limited': async () => {
      const error = await failing(() => ask('rate-limited'), 429);
      holds(error.headers.get('retry-after'), 'no Retry-After');
    },
    'too-long': async () => {
      await failing(() => ask('too-long'), 400, 'context_length_exceeded');
    },
    overloaded: async () => {
      await failing(() => ask('overloaded'), 503);
    },
    cut: async () => {
      await raised(async () => drain(await ask('cut', { stream: true })));
    },
    'unknown-model': async () => {
      await failing(() => ask('chat', { model: 'no-such-model' }), 404, 'model_not_found');
    },
  };
}
