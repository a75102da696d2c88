import {
  checkDataUrl,
  list,
  object,
  onlyMembers,
  pieces,
  refuse,
  SPENT,
  text,
  type Json,
  type Story,
  type Turn,
} from './story.js';
import { OPENAI_FAILURES } from './openai-failures.js';
import { checkStrictSchema } from './schema-rules.js';
import { sendEvents, sendJson, type StrictGrammar, type Wanted } from './strict-grammar.js';

const MEMBERS = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'reasoning_effort',
  'response_format',
  'prompt_cache_key',
  'store',
  'verbosity',
  'temperature',
  'top_p',
  'metadata',
  'user',
  'safety_identifier',
  'service_tier',
  'n',
  'modalities',
  'prompt_cache_retention',
];
/** Members that models which do not reason take besides. */
const CLASSIC_MEMBERS = [
  'stop',
  'seed',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'frequency_penalty',
  'presence_penalty',
  'max_tokens',
  'functions',
  'function_call',
  'prediction',
  'audio',
  'web_search_options',
];
// `parsed` is what the vendor's own package puts there, and the vendor takes back.
const MESSAGE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'refusal', 'tool_calls', 'audio', 'annotations', 'parsed'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};

/** Kinds beside functions: OpenAI's, and Zhipu's knowledge (https://docs.bigmodel.cn/api-reference, read 2026-11-26). */
const OTHER_TOOLS: ReadonlySet<string> = new Set(['custom', 'retrieval']);

/** Text of a message, all parts joined. */
function textOf(message: Json, place: string): string {
  const { content } = message;
  if (typeof content === 'string' || content == null) return text(content);
  const known = PARTS[text(message['role'])] ?? ['text'];
  const parts = list(content);
  if (parts.length === 0)
    refuse(`Invalid '${place}.content': empty array. Expected an array with minimum length 1`);
  for (const { type } of parts)
    if (!known.includes(text(type)))
      refuse(`Invalid value: '${text(type)}'. Supported values are: ${known.join()}`);
  for (const part of parts) {
    const { url } = object(part['image_url']);
    // Moonshot's own store (https://platform.moonshot.ai/docs/api/files, read 2026-11-26).
    if (part['type'] === 'image_url' && !text(url).startsWith('ms://')) checkDataUrl(text(url), place);
    const { file_id: id, file_data: data } = object(part['file']);
    if (part['type'] === 'file' && id === undefined) checkDataUrl(text(data), place);
  }
  return parts.map((part) => text(part['text'])).join('');
}

function turnsOf(messages: readonly Json[], thinks: boolean, story: Story): Turn[] {
  const turns: {
    text: string;
    calls: Turn['calls'];
    results: { id: string; text: string }[];
    signatures: number;
  }[] = [];
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const place = `messages[${at}]`;
    const role = text(message['role']);
    const known =
      MESSAGE_MEMBERS[role] ?? refuse(`Invalid value: '${role}'. Supported values are: 'system', …`);
    onlyMembers(
      message,
      role === 'assistant' && thinks ? [...known, 'reasoning_content'] : known,
      (name) => `Additional properties are not allowed ('${name}' was unexpected) - '${place}'`,
    );
    const words = textOf(message, place);
    if (role === 'tool') {
      const id = text(message['tool_call_id']);
      if (!open.includes(id))
        refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      open = open.filter((one) => one !== id);
      turns.at(-1)?.results.push({ id, text: words });
      continue;
    }
    if (open.length > 0)
      refuse(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
      );
    if (role !== 'assistant') continue;
    const calls = list(message['tool_calls']).map((call) => callOf(call, place));
    if ('tool_calls' in message && calls.length === 0) refuse(`Invalid '${place}.tool_calls': empty array.`);
    if (calls.length === 0 && words === '' && message['audio'] === undefined)
      refuse(`Invalid value for 'content': expected a string, got null.`);
    open = calls.map(({ id }) => id);
    const thought = message['reasoning_content'];
    const isKnown = story.knowsThought ?? ((index, words) => words === story.stepAt(index).thought);
    if (thought !== undefined && !isKnown(turns.length, thought))
      refuse(`${place}.reasoning_content is not what the model thought: ${JSON.stringify(thought)}`);
    turns.push({ text: words, calls, results: [], signatures: thought === undefined ? 0 : 1 });
  }
  if (open.length > 0) refuse(`An assistant message with 'tool_calls' must be followed by tool messages`);
  return turns;
}

function callOf(call: Json, place: string): Turn['calls'][number] {
  onlyMembers(
    call,
    ['id', 'type', 'function'],
    (name) => `Unknown parameter: '${place}.tool_calls[0].${name}'.`,
  );
  const { name, arguments: args } = object(call['function']);
  const id = text(call['id']);
  if (id === '' || id.length > 40) refuse(`Invalid '${place}.tool_calls[0].id': string too long.`);
  if (typeof args !== 'string') return refuse(`Invalid type for '${place}.tool_calls[0].function.arguments'`);
  return { id, name: text(name), args: object(JSON.parse(args)) };
}

function checkTools(body: Json): void {
  for (const tool of list(body['tools'])) {
    if (OTHER_TOOLS.has(text(tool['type']))) continue;
    onlyMembers(tool, ['type', 'function'], (name) => `Unknown parameter: 'tools[0].${name}'.`);
    const made = object(tool['function']);
    onlyMembers(
      made,
      ['name', 'description', 'parameters', 'strict'],
      (name) => `Unknown parameter: 'tools[0].function.${name}'.`,
    );
    if (!/^[\w-]{1,64}$/.test(text(made['name']))) refuse("Invalid 'tools[0].function.name'");
    if (made['strict'] === true) checkStrictSchema(made['parameters'], `function '${text(made['name'])}'`);
  }
  const format = object(body['response_format']);
  if (format['type'] !== 'json_schema') return;
  const form = object(format['json_schema']);
  onlyMembers(
    form,
    ['name', 'description', 'schema', 'strict'],
    (name) => `Unknown parameter: 'response_format.json_schema.${name}'.`,
  );
  if (!/^[\w-]{1,64}$/.test(text(form['name'])))
    refuse("Missing required parameter: 'response_format.json_schema.name'.");
  if (form['strict'] === true) checkStrictSchema(form['schema'], `response_format '${text(form['name'])}'`);
}

/**
 * OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat, read 2026-11-21).
 * @param thinks  an OpenAI-compatible provider that reports its thoughts and wants those of the open round back, whole
 */
export const chatGrammar = (thinks: boolean): StrictGrammar => ({
  understand: (body, _request, story) => {
    onlyMembers(
      body,
      story.isForeign === true
        ? [...MEMBERS, ...CLASSIC_MEMBERS, ...(/^gpt-\d/.test(text(body['model'])) ? [] : ['top_k'])]
        : thinks
          ? [...MEMBERS, 'max_tokens', 'top_k']
          : MEMBERS,
      (name) => `Unrecognized request argument supplied: ${name}`,
    );
    checkTools(body);
    const messages = list(body['messages']);
    const turns = turnsOf(messages, thinks, story);
    if (
      thinks &&
      turns.slice(turns.length - story.openRound(turns.length)).some(({ signatures }) => signatures === 0)
    )
      refuse('The `reasoning_content` in the thinking mode must be passed back to the API.');
    return {
      turns,
      isStreamed: body['stream'] === true,
      isThinking: thinks,
      marks: 0,
      pictures: JSON.stringify(messages).split('"image_url":{').length - 1,
      files: JSON.stringify(messages).split('"type":"file"').length - 1,
    };
  },
  answer: (wanted, response) => {
    if (wanted.isStreamed) sendEvents(response, chunksOf(wanted), 'data: [DONE]\n\n');
    else {
      const { step } = wanted;
      const message = {
        role: 'assistant',
        content: step.text === '' ? null : step.text,
        refusal: null,
        ...(thinks ? { reasoning_content: step.thought } : {}),
        ...(step.calls.length === 0 ? {} : { tool_calls: step.calls.map(wireCall) }),
        ...(step.sources === undefined ? {} : { annotations: annotationsOf(step) }),
      };
      sendJson(response, {
        ...headOf(wanted, 'chat.completion'),
        choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(wanted) }],
        usage: USAGE,
      });
    }
  },
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  failures: OPENAI_FAILURES,
});

const annotationsOf = ({ text: said, sources = [] }: Wanted['step']): Json[] =>
  sources.map(({ url, title }) => ({
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: said.length, url, title },
  }));

const USAGE = {
  prompt_tokens: SPENT.fresh + SPENT.cached,
  completion_tokens: SPENT.output,
  total_tokens: SPENT.fresh + SPENT.cached + SPENT.output,
  prompt_tokens_details: { cached_tokens: SPENT.cached },
  completion_tokens_details: { reasoning_tokens: SPENT.thinking },
};
const wireCall = ({ id, name, args }: Turn['calls'][number]): Json => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const reasonOf = ({ step }: Wanted): string => (step.calls.length === 0 ? 'stop' : 'tool_calls');
const headOf = ({ step, body }: Wanted, kind: string): Json => ({
  id: `chatcmpl-${step.index}`,
  object: kind,
  created: 1_800_000_000,
  model: body['model'],
});

function chunksOf(wanted: Wanted): Json[] {
  const { step, isThinking } = wanted;
  const head = headOf(wanted, 'chat.completion.chunk');
  const delta = (value: Json, reason: string | null = null): Json => ({
    ...head,
    choices: [{ index: 0, delta: value, logprobs: null, finish_reason: reason }],
  });
  const chunks = [delta({ role: 'assistant', content: '' })];
  if (isThinking) chunks.push(...pieces(step.thought).map((piece) => delta({ reasoning_content: piece })));
  chunks.push(...pieces(step.text).map((content) => delta({ content })));
  if (step.sources !== undefined) chunks.push(delta({ annotations: annotationsOf(step) }));
  for (const [index, { id, name, args }] of step.calls.entries()) {
    chunks.push(delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (const piece of pieces(JSON.stringify(args)))
      chunks.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  chunks.push(delta({}, reasonOf(wanted)));
  if (object(wanted.body['stream_options'])['include_usage'] === true)
    chunks.push({ ...head, choices: [], usage: USAGE });
  return chunks;
}
