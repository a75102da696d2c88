import type { Answer } from './matrix-answer.js';
import { VENDOR_CHAT_ANSWERS } from './matrix-vendor-chat-answers.js';

const ARGUMENTS = '{"city":"Oslo"}';
const INPUT = { city: 'Oslo' };

const chatUsage = {
  prompt_tokens: 40,
  completion_tokens: 20,
  total_tokens: 60,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const chatCall = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: ARGUMENTS } };
const chunk = (delta: object, more: object = {}): object => ({
  id: 'g',
  object: 'chat.completion.chunk',
  created: 1,
  choices: [{ index: 0, delta, ...more }],
});

const messagesUsage = { input_tokens: 40, output_tokens: 20 };
const messagesEvents: readonly object[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_g',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 40, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Looking.' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ARGUMENTS } },
  { type: 'content_block_stop', index: 2 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: messagesUsage,
  },
  { type: 'message_stop' },
];

const responseItems = [
  { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
  {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Looking.', annotations: [] }],
  },
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'weather',
    arguments: ARGUMENTS,
  },
] as const;
const response = {
  id: 'resp_g',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: responseItems,
  usage: {
    input_tokens: 40,
    output_tokens: 20,
    total_tokens: 60,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 5 },
  },
};
const [thought, message, call] = responseItems;
const begun = { ...response, status: 'in_progress', output: [], usage: null };
const responseEvents: readonly object[] = [
  { type: 'response.created', response: begun },
  { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
  {
    type: 'response.reasoning_summary_part.added',
    item_id: 'rs_1',
    output_index: 0,
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  },
  {
    type: 'response.reasoning_summary_text.delta',
    item_id: 'rs_1',
    output_index: 0,
    summary_index: 0,
    delta: 'Hm.',
  },
  { type: 'response.output_item.done', output_index: 0, item: thought },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...message, status: 'in_progress', content: [] },
  },
  {
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index: 1,
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  },
  {
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    output_index: 1,
    content_index: 0,
    delta: 'Looking.',
  },
  { type: 'response.output_item.done', output_index: 1, item: message },
  {
    type: 'response.output_item.added',
    output_index: 2,
    item: { ...call, status: 'in_progress', arguments: '' },
  },
  {
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_1',
    output_index: 2,
    delta: ARGUMENTS,
  },
  { type: 'response.output_item.done', output_index: 2, item: call },
  { type: 'response.completed', response },
];

/** A reply of Gemini's grammar. */
export const generated = (parts: readonly object[], more: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: {
    promptTokenCount: 40,
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 60,
  },
  modelVersion: 'm',
  responseId: 'g',
});
const geminiCall = { functionCall: { name: 'weather', args: INPUT }, thoughtSignature: 'c2ln' };

const converseUsage = { inputTokens: 40, outputTokens: 20, totalTokens: 60 };
const cohereUsage = {
  billed_units: { input_tokens: 40, output_tokens: 20 },
  tokens: { input_tokens: 40, output_tokens: 20 },
};
export const CHAT_ANSWERS: Readonly<Record<string, Answer>> = {
  'openai-chat': {
    whole: {
      id: 'g',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Looking.',
            reasoning_content: 'Hm.',
            tool_calls: [chatCall],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: chatUsage,
    },
    events: [
      chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
      chunk({ content: 'Looking.' }),
      chunk({ tool_calls: [{ index: 0, ...chatCall }] }),
      chunk({}, { finish_reason: 'tool_calls' }),
      { id: 'g', object: 'chat.completion.chunk', created: 1, choices: [], usage: chatUsage },
    ],
    framing: 'sse-done',
  },
  'openai-completions': {
    whole: {
      id: 'g',
      object: 'text_completion',
      created: 1,
      model: 'm',
      usage: chatUsage,
      choices: [{ index: 0, text: 'Looking.', finish_reason: 'stop' }],
    },
    events: [
      { id: 'g', object: 'text_completion', choices: [{ index: 0, text: 'Looking.', finish_reason: null }] },
      { id: 'g', object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
      { id: 'g', object: 'text_completion', choices: [], usage: chatUsage },
    ],
    framing: 'sse-done',
    isPlain: true,
  },
  'openai-responses': {
    whole: response,
    events: responseEvents.map((event, index) => ({ ...event, sequence_number: index })),
    framing: 'sse-named',
  },
  'anthropic-messages': {
    whole: {
      id: 'msg_g',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: INPUT },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: messagesUsage,
    },
    events: messagesEvents,
    framing: 'sse-named',
  },
  'gemini-generate': {
    whole: generated([{ text: 'Hm.', thought: true }, { text: 'Looking.' }, geminiCall], {
      finishReason: 'STOP',
    }),
    events: [
      generated([{ text: 'Hm.', thought: true }]),
      generated([{ text: 'Looking.' }]),
      generated([geminiCall], { finishReason: 'STOP' }),
    ],
    framing: 'sse',
  },
  'bedrock-converse': {
    whole: {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
            { text: 'Looking.' },
            { toolUse: { toolUseId: 't1', name: 'weather', input: INPUT } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: converseUsage,
    },
    events: [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { contentBlockDelta: { contentBlockIndex: 1, delta: { text: 'Looking.' } } },
      { contentBlockStop: { contentBlockIndex: 1 } },
      {
        contentBlockStart: {
          contentBlockIndex: 2,
          start: { toolUse: { toolUseId: 't1', name: 'weather' } },
        },
      },
      { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: ARGUMENTS } } } },
      { contentBlockStop: { contentBlockIndex: 2 } },
      { messageStop: { stopReason: 'tool_use' } },
      { metadata: { usage: converseUsage } },
    ],
    framing: 'aws',
  },
  'cohere-chat': {
    whole: {
      id: 'g',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Looking.' },
        ],
        tool_calls: [chatCall],
      },
      usage: cohereUsage,
    },
    events: [
      { type: 'message-start', id: 'g', delta: { message: { role: 'assistant' } } },
      {
        type: 'content-start',
        index: 0,
        delta: { message: { content: { type: 'thinking', thinking: '' } } },
      },
      { type: 'content-delta', index: 0, delta: { message: { content: { thinking: 'Hm.' } } } },
      { type: 'content-end', index: 0 },
      { type: 'content-start', index: 1, delta: { message: { content: { type: 'text', text: '' } } } },
      { type: 'content-delta', index: 1, delta: { message: { content: { text: 'Looking.' } } } },
      { type: 'content-end', index: 1 },
      {
        type: 'tool-call-start',
        index: 0,
        delta: {
          message: { tool_calls: { ...chatCall, function: { name: 'weather', arguments: '' } } },
        },
      },
      {
        type: 'tool-call-delta',
        index: 0,
        delta: { message: { tool_calls: { function: { arguments: ARGUMENTS } } } },
      },
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: cohereUsage } },
    ],
    framing: 'sse',
  },
  ...VENDOR_CHAT_ANSWERS,
};
