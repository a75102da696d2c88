import { setTimeout as pause } from 'node:timers/promises';
import type { Behaviour, FakeExchange } from '../../../support/fake-upstream-exchange.js';
import { sendJson } from '../../../support/fake-upstream-behaviours.js';

const TOKENS = 50;
const GAP_MS = 5;
const PROMPT = 10;
const TOKEN = ' tok';
const TEXT = TOKEN.repeat(TOKENS);

/** Form of one answer of fifty tokens in a dialect, whole and in pieces. */
interface Tongue {
  readonly matches: RegExp;
  readonly whole: object;
  readonly begin: readonly object[];
  readonly piece: object;
  readonly end: readonly (object | string)[];
  /** Events have names beside their data. */
  readonly isNamed: boolean;
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fx-own' };
const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'fx-own' };
const COMPLETION = { id: 'cmpl_1', created: 1_700_000_000, model: 'fx-own' };
const chatUsage = { prompt_tokens: PROMPT, completion_tokens: TOKENS, total_tokens: PROMPT + TOKENS };
const responseUsage = { input_tokens: PROMPT, output_tokens: TOKENS, total_tokens: PROMPT + TOKENS };
const googleUsage = {
  promptTokenCount: PROMPT,
  candidatesTokenCount: TOKENS,
  totalTokenCount: PROMPT + TOKENS,
};
const outputText = { id: 'm', type: 'message', role: 'assistant', status: 'completed' };
const candidate = (text: string, finishReason?: string) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text }] },
      ...(finishReason === undefined ? {} : { finishReason }),
    },
  ],
});

const TONGUES: readonly Tongue[] = [
  {
    matches: /\/v1\/completions$/,
    whole: {
      ...COMPLETION,
      object: 'text_completion',
      usage: chatUsage,
      choices: [{ index: 0, text: TEXT, finish_reason: 'stop' }],
    },
    begin: [],
    piece: {
      ...COMPLETION,
      object: 'text_completion',
      choices: [{ index: 0, text: TOKEN, finish_reason: null }],
    },
    end: [
      { ...COMPLETION, object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
      { ...COMPLETION, object: 'text_completion', choices: [], usage: chatUsage },
      '[DONE]',
    ],
    isNamed: false,
  },
  {
    matches: /\/v1\/responses$/,
    whole: {
      ...RESPONSE,
      status: 'completed',
      usage: responseUsage,
      output: [{ ...outputText, content: [{ type: 'output_text', text: TEXT, annotations: [] }] }],
    },
    begin: [
      { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...outputText, content: [] } },
    ],
    piece: { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: TOKEN },
    end: [
      { type: 'response.output_item.done', output_index: 0, item: { ...outputText, content: [] } },
      {
        type: 'response.completed',
        response: { ...RESPONSE, status: 'completed', output: [], usage: responseUsage },
      },
    ],
    isNamed: true,
  },
  {
    matches: /\/v1\/messages$/,
    whole: {
      ...MESSAGE,
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      usage: { input_tokens: PROMPT, output_tokens: TOKENS },
    },
    begin: [
      {
        type: 'message_start',
        message: { ...MESSAGE, content: [], usage: { input_tokens: PROMPT, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    piece: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TOKEN } },
    end: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: TOKENS } },
      { type: 'message_stop' },
    ],
    isNamed: true,
  },
  {
    matches: /generateContent/i,
    whole: { ...candidate(TEXT, 'STOP'), usageMetadata: googleUsage },
    begin: [],
    piece: candidate(TOKEN),
    end: [{ ...candidate('', 'STOP'), usageMetadata: googleUsage }],
    isNamed: false,
  },
];

/** An upstream that answers in the dialect of the request: fifty tokens, one every 5 ms, in a stream if requested. */
export const inOwnTongue: Behaviour = async (exchange) => {
  const path = exchange.entry.path.split('?')[0] ?? '';
  const tongue = TONGUES.find(({ matches }) => matches.test(path));
  if (tongue === undefined) return sendJson(exchange, 404, { error: { message: `nobody speaks ${path}` } });
  if (exchange.entry.body['stream'] === true || path.includes('streamGenerateContent'))
    return stream(exchange, tongue);
  await pause(GAP_MS);
  exchange.claim(PROMPT, TOKENS);
  return sendJson(exchange, 200, tongue.whole);
};

async function stream(exchange: FakeExchange, tongue: Tongue): Promise<void> {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream' });
  exchange.response.flushHeaders();
  const text = (event: object | string): string => {
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    const name = tongue.isNamed ? `event: ${(event as { readonly type: string }).type}\n` : '';
    return `${name}data: ${data}\n\n`;
  };
  // The part before the text is no token: it travels with the first.
  let before = tongue.begin.map(text).join('');
  for (let index = 0; index < TOKENS; index += 1) {
    if (!(await exchange.write(before + text(tongue.piece)))) return;
    before = '';
    await pause(GAP_MS);
    if (exchange.isGone) return;
  }
  exchange.claim(PROMPT, TOKENS);
  exchange.response.end(tongue.end.map(text).join(''));
}
