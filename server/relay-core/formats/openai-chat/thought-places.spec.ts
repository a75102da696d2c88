import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { documentsIn } from '../../../../test/support/gather-streams.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';
import { AT_START, inPlace, placesIn } from './thought-places.js';

type Json = Record<string, unknown>;
const API = apiNamed('chat');
const thinking = (word: string): Json => ({
  type: 'thinking',
  thinking: word,
  signature: Buffer.from(word).toString('base64'),
});
const called = (at: number): Json => ({ type: 'tool_use', id: `toolu_${at}`, name: 'f', input: { at } });
/** Order of Claude's interleaved thoughts. */
const CONTENT: readonly Json[] = [
  thinking('one'),
  { type: 'text', text: 'Grüezi 👋.' },
  called(1),
  thinking('two'),
  called(2),
  thinking('three'),
  { type: 'text', text: ' And on.' },
  called(3),
];
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null };
const USAGE = { input_tokens: 3, output_tokens: 5 };
const WHOLE = JSON.stringify({ ...MESSAGE, content: CONTENT, stop_reason: 'tool_use', usage: USAGE });

function streamed(): string {
  const events: Json[] = [
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, usage: USAGE } },
  ];
  for (const [index, block] of CONTENT.entries()) {
    const { type, thinking: words, signature, text, input, ...rest } = block;
    const start = { type, ...rest, ...(type === 'tool_use' ? { input: {} } : { [type as string]: '' }) };
    events.push({ type: 'content_block_start', index, content_block: start });
    const deltas =
      type === 'thinking'
        ? [
            { type: 'thinking_delta', thinking: words },
            { type: 'signature_delta', signature },
          ]
        : type === 'text'
          ? [{ type: 'text_delta', text }]
          : [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  }
  events.push(
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  );
  return events
    .map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const TOOLS = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];

async function call(messages: readonly Json[], stream: boolean, answer: string) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  let sent: Json = {};
  const reply = await callCore(ports, {
    dialect: API.dialect,
    path: API.path,
    body: { model: 'gpt-test', reasoning_effort: 'high', messages, tools: TOOLS, stream },
    route: { ...FORMAT_ROUTES['messages'], upstreamModel: 'claude-sonnet-4-5' },
    script: (exchange) => {
      sent = JSON.parse(exchange.request.body?.toString() ?? '{}') as Json;
      exchange
        .head(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        .bytes(answer)
        .end();
    },
  });
  return { sent, text: reply.text };
}

/** The message a client makes of the chunks: texts grow, entries are kept in their order. */
function gathered(text: string): Json {
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  const details: unknown[] = [];
  let content = '';
  for (const { choices } of documentsIn(text))
    for (const { delta } of choices as { delta: Json }[]) {
      content += (delta['content'] as string | undefined) ?? '';
      details.push(...((delta['reasoning_details'] ?? []) as unknown[]));
      for (const piece of (delta['tool_calls'] ?? []) as { index: number; id?: string; function: Json }[]) {
        const made = piece.function as { name?: string; arguments: string };
        const known = calls[piece.index];
        if (known === undefined)
          calls.push({
            id: piece.id ?? '',
            type: 'function',
            function: { name: made.name ?? '', arguments: made.arguments },
          });
        else known.function.arguments += made.arguments;
      }
    }
  return { role: 'assistant', content, reasoning_details: details, tool_calls: calls };
}

describe('a chat with thoughts between words and calls', () => {
  it.each([false, true])('gives them back to Claude where they stood, streamed: %s', async (stream) => {
    const question = { role: 'user', content: 'x' };
    const first = await call([question], stream, stream ? streamed() : WHOLE);
    const message = stream
      ? gathered(first.text)
      : (JSON.parse(first.text) as { choices: { message: Json }[] }).choices[0]?.message;
    const results = [1, 2, 3].map((at) => ({ role: 'tool', tool_call_id: `toolu_${at}`, content: 'r' }));
    const { sent } = await call([question, message ?? {}, ...results], false, WHOLE);
    expect((sent['messages'] as Json[])[1]).toEqual({ role: 'assistant', content: CONTENT });
  });
});

describe('a turn with thoughts in their places', () => {
  const thought = (text: string) => ({ type: 'reasoning', text }) as const;
  const words = (text: string) => ({ type: 'text', text }) as const;
  const aCall = { type: 'tool-call', callId: 'c', name: 'f', json: '{}' } as const;

  it('holds those of the answer', () => {
    expect(placesIn([thought('a'), words('hi'), aCall, thought('b')])).toEqual([
      AT_START,
      { text: 2, calls: 1 },
    ]);
  });

  it('loses nothing of a turn that its client shortened', () => {
    const thoughts = [{ part: thought('b'), place: { text: 9, calls: 5 } }];
    expect(inPlace(thoughts, [words('hi')], [aCall])).toEqual([words('hi'), aCall, thought('b')]);
  });

  it('leaves the mark of the cache at the end of the words', () => {
    const thoughts = [{ part: thought('b'), place: { text: 1, calls: 0 } }];
    expect(inPlace(thoughts, [{ ...words('hi'), cache: { ttl: undefined } }], [])).toEqual([
      words('h'),
      thought('b'),
      { ...words('i'), cache: { ttl: undefined } },
    ]);
  });
});
