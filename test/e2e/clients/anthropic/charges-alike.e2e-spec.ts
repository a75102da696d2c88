import { describe, expect, it } from '@jest/globals';
import { anthropic } from '../../../../server/relay-core/dialects/anthropic.js';
import { runCall } from '../../../../server/relay-core/pipeline/run-call.js';
import { aRoute, MemoryPorts, someOptions } from '../../../support/memory-ports.js';
import { MemoryReply } from '../../../support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../support/relay-calls.js';
import { frame } from '../../../support/strict-vendors/claude-rules.js';

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };
const start: Frame = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    usage: { input_tokens: 4, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 },
  },
};
const text: readonly Frame[] = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 👋' } },
  { type: 'content_block_stop', index: 0 },
];
const call: readonly Frame[] = [
  { type: 'content_block_start', index: 1, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking: 'Hm' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'signature_delta', signature: 's' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
  { type: 'content_block_stop', index: 2 },
];
const end = (stop_reason: string, output_tokens: number): readonly Frame[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
  { type: 'message_stop' },
];
const error: Frame = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

const STREAMS: readonly (readonly [string, readonly Frame[]])[] = [
  ['a text', [start, { type: 'ping' }, ...text, ...end('end_turn', 9)]],
  ['thoughts and a call', [start, ...text, ...call, ...end('tool_use', 20)]],
  ['a failure at once', [error]],
  ['a failure after words', [start, ...text, error]],
  ['figures that cannot be true', [start, ...text, ...end('end_turn', -9)]],
];

/** One stream to one caller: untouched, or by way of the neutral model. */
async function play(chunks: readonly Buffer[], isTranslated: boolean, breaks: boolean) {
  const ports = new MemoryPorts();
  ports.prices.models.add('claude-x');
  ports.options.value = someOptions({ retryTimes: 0 });
  ports.channels.routes[0] = aRoute({ channelType: 14, settings: { forceFormat: isTranslated } });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head();
      for (const chunk of chunks) upstream.bytes(chunk);
      if (breaks) upstream.breakWith({ kind: 'reset' });
      else upstream.end();
    },
  ];
  const reply = new MemoryReply();
  const body = {
    model: 'claude-x',
    max_tokens: 100,
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  };
  await runCall(
    ports,
    aClientCall({ path: '/v1/messages', body: Buffer.from(JSON.stringify(body)) }),
    anthropic,
    clientRouteOf(anthropic, 'chat'),
    reply,
  );
  if (ports.quota.holds.size > 0) throw new Error('a hold outlived its call');
  const [settled] = ports.quota.settled;
  const { usage, evidence, outcome, priced, note } = settled ?? {};
  return {
    charge: { usage, evidence, outcome, priced, note },
    status: reply.status,
    isClean: reply.text.includes('data: {"type":"message_stop"}'),
    text: reply.text,
  };
}

describe('a Messages stream is charged alike, untouched and translated', () => {
  it.each(STREAMS)('%s, cut, broken off and ended early at every byte', async (_name, frames) => {
    const bytes = Buffer.from(frames.map(frame).join(''));
    const { text: whole, ...first } = await play([bytes], false, false);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const head = bytes.subarray(0, cut);
      const deliveries = [
        { chunks: [head, bytes.subarray(cut)], breaks: false },
        { chunks: [head], breaks: true },
        { chunks: [head], breaks: false },
      ];
      for (const { chunks, breaks } of deliveries) {
        const { text: passed, ...untouched } = await play(chunks, false, breaks);
        const { text: _text, ...translated } = await play(chunks, true, breaks);
        expect({ cut, ...untouched }).toEqual({ cut, ...translated });
        if (chunks.length > 1) expect({ passed, ...untouched }).toEqual({ passed: whole, ...first });
      }
    }
  });

  it('passes the vendor’s, byte by byte', async () => {
    const bytes = [start, ...text, ...call, ...end('tool_use', 20)].map(frame).join('');
    expect((await play([Buffer.from(bytes)], false, false)).text).toBe(bytes);
  });
});
