import type { Answer } from './matrix-answer.js';

const chatUsage = {
  prompt_tokens: 40,
  completion_tokens: 20,
  total_tokens: 60,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const INPUT = { city: 'Oslo' };

const ollamaEnd = { done: true, done_reason: 'stop', prompt_eval_count: 40, eval_count: 20 };
const ollamaCall = { function: { name: 'weather', arguments: INPUT } };
const difyUsage = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };
const dify: Answer = {
  whole: { event: 'message', message_id: 'm', answer: 'Looking.', metadata: { usage: difyUsage } },
  events: [
    { event: 'message', message_id: 'm', answer: 'Looking.' },
    { event: 'message_end', message_id: 'm', metadata: { usage: difyUsage } },
  ],
  framing: 'sse',
  isPlain: true,
};

const tencentUsage = { PromptTokens: 40, CompletionTokens: 20, TotalTokens: 60 };
const tencentHead = { Id: 't', Created: 1, Usage: tencentUsage };
const tencentWords = { Role: 'assistant', Content: 'Looking.' };
const tencentCall = {
  Id: 'c1',
  Type: 'function',
  Function: { Name: 'weather', Arguments: JSON.stringify(INPUT) },
};

/** Conversations, by the vendor's format. */
/** Answers of vendors whose chat has a format of its own. */
export const VENDOR_CHAT_ANSWERS: Readonly<Record<string, Answer>> = {
  'ollama-chat': {
    whole: {
      model: 'm',
      message: { role: 'assistant', content: 'Looking.', thinking: 'Hm.', tool_calls: [ollamaCall] },
      ...ollamaEnd,
    },
    events: [
      { model: 'm', message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
      { model: 'm', message: { role: 'assistant', content: 'Looking.' }, done: false },
      { model: 'm', message: { role: 'assistant', content: '', tool_calls: [ollamaCall] }, done: false },
      { model: 'm', message: { role: 'assistant', content: '' }, ...ollamaEnd },
    ],
    framing: 'lines',
  },
  'baidu-chat': {
    whole: {
      id: 'as-1',
      object: 'chat.completion',
      created: 1,
      result: 'Looking.',
      is_truncated: false,
      function_call: { name: 'weather', arguments: JSON.stringify(INPUT), thoughts: 'Hm.' },
      finish_reason: 'function_call',
      need_clear_history: false,
      usage: chatUsage,
    },
    events: [
      { id: 'as-1', sentence_id: 0, is_end: false, result: 'Looking.', usage: chatUsage },
      {
        id: 'as-1',
        sentence_id: 1,
        is_end: true,
        result: '',
        finish_reason: 'function_call',
        function_call: { name: 'weather', arguments: JSON.stringify(INPUT), thoughts: 'Hm.' },
        usage: chatUsage,
      },
    ],
    framing: 'sse',
  },
  'tencent-chat': {
    whole: {
      Response: {
        Id: 't',
        Created: 1,
        Usage: tencentUsage,
        RequestId: 'r',
        Choices: [
          {
            FinishReason: 'tool_calls',
            Message: { ...tencentWords, ReasoningContent: 'Hm.', ToolCalls: [tencentCall] },
          },
        ],
      },
    },
    events: [
      { ...tencentHead, Choices: [{ Delta: { Role: 'assistant', ReasoningContent: 'Hm.' } }] },
      { ...tencentHead, Choices: [{ Delta: tencentWords }] },
      { ...tencentHead, Choices: [{ Delta: { ToolCalls: [{ Index: 0, ...tencentCall }] } }] },
      { ...tencentHead, Choices: [{ Delta: { Content: '' }, FinishReason: 'tool_calls' }] },
    ],
    framing: 'sse',
  },
  'coze-chat': {
    // Whole answers are collected from a stream.
    events: [
      { event: 'conversation.chat.created', data: { id: 'c', conversation_id: 'k', status: 'created' } },
      {
        event: 'conversation.message.delta',
        data: { id: 'm', role: 'assistant', type: 'answer', content: '', reasoning_content: 'Hm.' },
      },
      {
        event: 'conversation.message.delta',
        data: { id: 'm', role: 'assistant', type: 'answer', content: 'Looking.' },
      },
      {
        event: 'conversation.message.completed',
        data: { id: 'm', role: 'assistant', type: 'answer', content: 'Looking.' },
      },
      {
        event: 'conversation.chat.completed',
        data: { id: 'c', usage: { token_count: 60, input_count: 40, output_count: 20 } },
      },
      { event: 'done', data: '[DONE]' },
    ],
    framing: 'sse-event',
    isPlain: true,
  },
  'library-chat': {
    whole: {
      success: true,
      answer: 'Looking.',
      documents: [{ title: 'Rain', url: 'https://a.example/rain' }],
    },
    events: [
      { content: 'Looking.', finish: false, model: 'm' },
      {
        content: '',
        finish: true,
        model: 'm',
        documents: [{ title: 'Rain', url: 'https://a.example/rain' }],
      },
    ],
    framing: 'sse',
    isPlain: true,
    isCounted: true,
  },
  'dify-chat': dify,
  'dify-completion': dify,
  'dify-workflow': {
    whole: {
      task_id: 't',
      data: {
        id: 'd',
        status: 'succeeded',
        outputs: { text: 'Looking.' },
        total_tokens: 60,
      },
    },
    events: [
      { event: 'text_chunk', task_id: 't', data: { text: 'Looking.' } },
      {
        event: 'workflow_finished',
        task_id: 't',
        data: {
          id: 'd',
          status: 'succeeded',
          outputs: { text: 'Looking.' },
          total_tokens: 60,
        },
      },
    ],
    framing: 'sse',
    isPlain: true,
    isCounted: true,
  },
};
