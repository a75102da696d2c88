import { ClaudeThreads } from './claude-threads.js';
import { faultOf, frame, signatureOf, type ClaudeRequest } from './claude-rules.js';
import {
  checkBase64,
  checkMagic,
  list,
  object,
  pieces,
  refuse,
  SPENT,
  text,
  type Json,
  type Story,
  type Turn,
} from './story.js';
import { requestSchemas } from '../schemas/check-schema.js';
import { checkClaudeSchema, checkPublished } from './schema-rules.js';
import { sendJson, type StrictGrammar, type Wanted } from './strict-grammar.js';

const hiddenData = (index: number): string => Buffer.from(`hidden ${index}`).toString('base64');

function checkBlock(block: Json, place: string): void {
  const type = text(block['type']);
  const source = object(block['source']);
  if (source['type'] === 'base64') {
    checkBase64(text(source['data']), `${place}.${type}.source.base64`);
    checkMagic(text(source['media_type']), text(source['data']), `${place}.${type}.source.base64`);
  }
}

function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
}
const joined = (blocks: readonly Json[]): string =>
  blocks
    .filter(({ type }) => type === 'text')
    .map((block) => text(block['text']))
    .join('');

/**
 * The vendor combines neighbours of one role (https://docs.claude.com/en/api/messages, read 2026-11-25): results that came in
 * messages of their own are those of one turn. Nothing else that leaves here is to rest on it.
 */
function joinResults(messages: readonly Json[]): readonly Json[] {
  const joined: Json[] = [];
  const holdsResults = (message: Json | undefined): boolean =>
    message?.['role'] === 'user' && list(message['content']).some(({ type }) => type === 'tool_result');
  for (const message of messages) {
    const before = joined.at(-1);
    if (before !== undefined && holdsResults(before) && holdsResults(message))
      joined.splice(-1, 1, {
        ...before,
        content: [...blocksOf(before['content']), ...blocksOf(message['content'])],
      });
    else joined.push(message);
  }
  return joined;
}

function turnsOf(messages: readonly Json[], story: Story): Turn[] {
  const turns: {
    text: string;
    calls: Turn['calls'];
    results: { id: string; text: string }[];
    signatures: number;
  }[] = [];
  for (const [at, message] of messages.entries()) {
    if (message['role'] === messages[at - 1]?.['role'])
      refuse('messages: roles must alternate between "user" and "assistant"');
    const blocks = blocksOf(message['content']);
    for (const [index, block] of blocks.entries()) checkBlock(block, `messages.${at}.content.${index}`);
    if (message['role'] === 'assistant') turns.push(turnOf(blocks, turns.length, at, story));
    else
      for (const block of blocks)
        if (block['type'] === 'tool_result')
          turns
            .at(-1)
            ?.results.push({ id: text(block['tool_use_id']), text: joined(blocksOf(block['content'])) });
  }
  return turns;
}

function turnOf(blocks: readonly Json[], index: number, at: number, story: Story) {
  const step = story.stepAt(index);
  const thoughts = blocks.filter(({ type }) => /thinking/.test(text(type)));
  for (const thought of story.isForeign === true ? [] : thoughts) {
    const isKept = story.isHidden(index)
      ? thought['data'] === hiddenData(index)
      : thought['thinking'] === step.thought;
    if (!isKept || blocks[0] !== thought)
      refuse(
        `messages.${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
      );
  }
  return {
    text: joined(blocks),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map((block) => ({ id: text(block['id']), name: text(block['name']), args: object(block['input']) })),
    results: [],
    signatures: thoughts.length,
  };
}

function checkTools(body: Json): void {
  for (const tool of list(body['tools'])) {
    if (tool['input_schema'] === undefined && tool['type'] !== undefined && tool['type'] !== 'custom')
      continue;
    if (object(tool['input_schema'])['type'] !== 'object')
      refuse('tools.0.custom.input_schema.type: Field required');
    if (tool['strict'] === true) checkClaudeSchema(tool['input_schema'], 'tools.0.custom');
  }
  const isForced = ['any', 'tool'].includes(text(object(body['tool_choice'])['type']));
  if (isForced && object(body['thinking'])['type'] === 'enabled')
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  const format = object(body['output_format'] ?? object(body['output_config'])['format']);
  if (format['type'] === 'json_schema') checkClaudeSchema(format['schema'], 'output_config.format.schema');
}

const threads = new ClaudeThreads();

/** Anthropic's Messages (https://docs.claude.com/en/api/messages, read 2026-11-21). */
export const messagesGrammar: StrictGrammar = {
  restore: (body) => threads.restore(body),
  understand: ({ thread: _thread, ...sent }, { headers }, story) => {
    const body: Json = { ...sent, messages: joinResults(list(sent['messages'])) };
    if (headers['anthropic-version'] === undefined) refuse('anthropic-version: header is required');
    // Clients that enable beta features may use their fields.
    const schema =
      headers['anthropic-beta'] === undefined ? 'CreateMessageParams' : 'BetaCreateMessageParams';
    checkPublished(requestSchemas.anthropic(), schema, body);
    // The vendor's rules of form; thoughts it hid are no part of them.
    const fault = faultOf(body as unknown as ClaudeRequest);
    if (fault !== undefined) refuse(fault);
    checkTools(body);
    const turns = turnsOf(list(body['messages']), story);
    return {
      turns,
      isHidden: story.isHidden(turns.length),
      isStreamed: body['stream'] === true,
      isThinking: ['enabled', 'adaptive'].includes(text(object(body['thinking'])['type'])),
      marks: JSON.stringify(body).split('"cache_control":{').length - 1,
      pictures: JSON.stringify(body['messages']).split('"type":"image"').length - 1,
      files: JSON.stringify(body['messages']).split('"type":"document"').length - 1,
    };
  },
  answer: (wanted, response) => {
    const message = threads.keep(wanted.body, messageOf(wanted));
    if (!wanted.isStreamed) return sendJson(response, message);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(eventsOf(message).map(frame).join(''));
  },
  refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  // https://docs.claude.com/en/api/errors, read 2026-11-25.
  failures: {
    'rate-limited': {
      status: 429,
      headers: { 'retry-after': '7' },
      body: errorOf(
        'rate_limit_error',
        "This request would exceed your organization's rate limit of 50 requests per minute.",
      ),
    },
    'too-long': {
      status: 400,
      body: errorOf('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    },
    overloaded: { status: 529, body: errorOf('overloaded_error', 'Overloaded') },
  },
};

function errorOf(type: string, message: string): Json {
  return { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' };
}

const USAGE = {
  input_tokens: SPENT.fresh,
  cache_read_input_tokens: SPENT.cached,
  cache_creation_input_tokens: SPENT.written,
  output_tokens: SPENT.output,
};

export const messageOf = (wanted: Wanted): Json => ({
  id: `msg_${wanted.step.index}`,
  type: 'message',
  role: 'assistant',
  model: wanted.body['model'],
  content: contentOf(wanted),
  stop_reason: wanted.step.calls.length === 0 ? 'end_turn' : 'tool_use',
  stop_sequence: null,
  usage: USAGE,
});

function contentOf({ step, isThinking, isHidden }: Wanted): Json[] {
  const thought =
    isHidden === true
      ? { type: 'redacted_thinking', data: hiddenData(step.index) }
      : { type: 'thinking', thinking: step.thought, signature: signatureOf(step.thought) };
  return [
    ...(isThinking ? [thought] : []),
    ...(step.text === '' ? [] : [{ type: 'text', text: step.text, ...citationsOf(step) }]),
    ...step.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ];
}

function citationsOf({ text: said, sources }: Wanted['step']): Json {
  if (sources === undefined) return {};
  const citations = sources.map(({ url, title }) => ({
    type: 'web_search_result_location',
    cited_text: said,
    url,
    title,
    encrypted_index: Buffer.from(url).toString('base64'),
  }));
  return { citations };
}

type Event = Json & { readonly type: string };

export function eventsOf(message: Json): Event[] {
  const events: Event[] = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
    },
    { type: 'ping' },
  ];
  for (const [index, block] of list(message['content']).entries()) {
    const [start, deltas] = grow(block);
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  }
  events.push(
    {
      type: 'message_delta',
      delta: { stop_reason: message['stop_reason'], stop_sequence: null },
      usage: USAGE,
    },
    { type: 'message_stop' },
  );
  return events;
}

function grow(block: Json): [Json, Json[]] {
  switch (block['type']) {
    case 'text':
      return [
        { type: 'text', text: '', ...(block['citations'] === undefined ? {} : { citations: [] }) },
        [
          ...list(block['citations']).map((citation) => ({ type: 'citations_delta', citation })),
          ...pieces(text(block['text'])).map((piece) => ({ type: 'text_delta', text: piece })),
        ],
      ];
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        [
          ...pieces(text(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      ];
    case 'tool_use':
      return [
        { ...block, input: {} },
        ['', ...pieces(JSON.stringify(block['input']))].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ];
    default:
      return [block, []];
  }
}
