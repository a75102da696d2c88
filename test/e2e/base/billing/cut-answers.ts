import type { RelayAsk } from '../../../support/relay-client.js';
import { event, type GatedAnswer } from './gated-vendor.js';

/** Last words of every answer. */
export const END_OF_TEXT = 'the end.';
const TEXT = `This is ${END_OF_TEXT}`;

/** An answer that costs far more than its text shows. */
export interface CutAnswer {
  readonly name: string;
  readonly model: string;
  /** Type of the channel. */
  readonly type: number;
  readonly ask: RelayAsk;
  readonly answer: GatedAnswer;
  /** Charge of the whole answer: input + 5 × output. */
  readonly charge: number;
}

const MESSAGES = [{ role: 'user', content: 'Hi' }];
const INPUT = 57;
const OUTPUT = 20_000;
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const SIGNATURE = 'S'.repeat(80_000);

const chatAnswer: GatedAnswer = {
  content: [
    event({
      ...CHUNK,
      choices: [{ index: 0, delta: { role: 'assistant', content: TEXT }, finish_reason: null }],
    }),
  ],
  end: [
    event({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({
      ...CHUNK,
      choices: [],
      usage: {
        prompt_tokens: INPUT,
        completion_tokens: OUTPUT,
        total_tokens: INPUT + OUTPUT,
        completion_tokens_details: { reasoning_tokens: OUTPUT - 5 },
      },
    }),
    'data: [DONE]\n\n',
  ],
};

const named = (document: { readonly type: string; readonly [member: string]: unknown }): string =>
  event(document, document.type);

const RESPONSE = { object: 'response', created_at: 1_700_000_000, model: 'm' };
export const responsesAnswer = (
  id: string,
  usage: { readonly input: number; readonly output: number; readonly reasoning: number },
  reasoning: object = { type: 'reasoning', id: `rs_${id}`, summary: [] },
): GatedAnswer => {
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed' };
  return {
    content: [
      named({
        type: 'response.created',
        response: { ...RESPONSE, id: `resp_${id}`, status: 'in_progress', output: [] },
      }),
      ...(usage.reasoning === 0
        ? []
        : [
            named({
              type: 'response.output_item.added',
              output_index: 0,
              item: { ...reasoning, encrypted_content: '' },
            }),
            named({ type: 'response.output_item.done', output_index: 0, item: reasoning }),
          ]),
      named({ type: 'response.output_item.added', output_index: 1, item: { ...message, content: [] } }),
      named({ type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: TEXT }),
    ],
    end: [
      named({ type: 'response.output_item.done', output_index: 1, item: { ...message, content: [] } }),
      named({
        type: 'response.completed',
        response: {
          ...RESPONSE,
          id: `resp_${id}`,
          status: 'completed',
          output: [],
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning },
            total_tokens: usage.input + usage.output,
          },
        },
      }),
    ],
  };
};

const messagesAnswer = (
  thought: readonly { readonly type: string; readonly [member: string]: unknown }[],
): GatedAnswer => ({
  content: [
    named({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: INPUT, output_tokens: 1 },
      },
    }),
    ...thought.map(named),
    named({ type: 'content_block_stop', index: 0 }),
    named({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    named({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: TEXT } }),
  ],
  end: [
    named({ type: 'content_block_stop', index: 1 }),
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: OUTPUT },
    }),
    named({ type: 'message_stop' }),
  ],
});

const OMITTED = [
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SIGNATURE } },
];
const REDACTED = [
  { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: SIGNATURE } },
];

const chat = (model: string, more: object = {}): RelayAsk => ({
  path: '/v1/chat/completions',
  body: { model, stream: true, messages: MESSAGES, ...more },
});
const messages = (model: string): RelayAsk => ({
  path: '/v1/messages',
  body: { model, stream: true, max_tokens: 30_000, messages: MESSAGES },
});
export const responses = (model: string, more: object = {}): RelayAsk => ({
  path: '/v1/responses',
  body: { model, stream: true, input: 'Hi', ...more },
});

const CHARGE = INPUT + 5 * OUTPUT;
const THOUGHT = { input: INPUT, output: OUTPUT, reasoning: OUTPUT - 5 };

export const CUT_ANSWERS: readonly CutAnswer[] = [
  {
    name: 'chat with hidden reasoning',
    model: 'o3-mini',
    type: 1,
    ask: chat('o3-mini'),
    answer: chatAnswer,
    charge: CHARGE,
  },
  {
    name: 'Responses with hidden reasoning',
    model: 'gpt-5-mini',
    type: 60,
    ask: responses('gpt-5-mini'),
    answer: responsesAnswer('a', THOUGHT),
    charge: CHARGE,
  },
  {
    name: 'Messages over chat with hidden reasoning',
    model: 'o3-mini',
    type: 1,
    ask: messages('o3-mini'),
    answer: chatAnswer,
    charge: CHARGE,
  },
  {
    name: 'Messages with thinking omitted',
    model: 'claude-opus-4-6',
    type: 14,
    ask: messages('claude-opus-4-6'),
    answer: messagesAnswer(OMITTED),
    charge: CHARGE,
  },
  {
    name: 'Messages with thinking redacted',
    model: 'claude-opus-4-6',
    type: 14,
    ask: messages('claude-opus-4-6'),
    answer: messagesAnswer(REDACTED),
    charge: CHARGE,
  },
  {
    name: 'a chat that heard sound',
    model: 'gpt-audio-fx',
    type: 1,
    ask: chat('gpt-audio-fx', {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'input_audio',
              input_audio: { data: Buffer.alloc(3_000, 7).toString('base64'), format: 'mp3' },
            },
          ],
        },
      ],
    }),
    answer: chatAnswer,
    charge: CHARGE,
  },
];
