import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { openai } from '../../dialects/openai.js';
import type { Route } from '../../ports/channel-picker.js';
import { runCall } from '../run-call.js';

const parameters = {
  type: 'object',
  properties: { route: { type: 'string' }, file: { type: 'string' } },
  anyOf: [{ required: ['route'] }, { required: ['file'] }],
};
const BODY = JSON.stringify({
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'q' }],
  tools: [{ type: 'function', function: { name: 'f', parameters } }],
});

/** Body that leaves for a channel, and the caller's warnings. */
async function leaves(route: Partial<Route>) {
  const ports = new MemoryPorts();
  ports.channels.routes[0] = aRoute({ channelType: 1, ...route });
  const reply = new MemoryReply();
  const call = aClientCall({ body: Buffer.from(BODY), receivedAtMs: ports.clock.nowMs() });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(200, { 'content-type': 'application/json' });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
      upstream.bytes(JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage })).end();
    },
  ];
  await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
  const sent = Buffer.from(ports.sender.exchanges[0]?.request.body ?? '').toString('utf8');
  return { sent, headers: JSON.stringify(reply.headers) };
}

describe('a tool whose root the model refuses, when the bytes pass', () => {
  it('mends it with a warning', async () => {
    const { sent, headers } = await leaves({ upstreamModel: 'gpt-4-turbo' });
    expect(sent).not.toContain('anyOf');
    expect(sent).toContain('"file":{"type":"string"}');
    expect(headers).toContain('tools');
  });

  it('stays where the operator passes bodies through', async () => {
    const { sent, headers } = await leaves({
      upstreamModel: 'gpt-4-turbo',
      settings: { passThrough: true },
    });
    expect(sent).toContain('anyOf');
    expect(headers).not.toContain('tools');
  });
});
