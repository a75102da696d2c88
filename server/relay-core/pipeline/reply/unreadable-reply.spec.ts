import { describe, expect, it } from '@jest/globals';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { aRoute, MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { openai } from '../../dialects/openai.js';
import { runCall } from '../run-call.js';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 8, output_tokens: 2 },
};
const WHOLE = JSON.stringify(MESSAGE);

async function ask(answer: string) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  ports.channels.routes[0] = aRoute({ channelType: 14, upstreamModel: 'claude-sonnet-4-5' });
  ports.sender.scripts = [
    (upstream) => void upstream.head(200, { 'content-type': 'application/json' }).bytes(answer).end(),
  ];
  const reply = new MemoryReply();
  const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] };
  const headers = { authorization: 'Bearer sk-test' };
  const call = aClientCall({ headers, body: Buffer.from(JSON.stringify(body)) });
  await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
  return { reply, ports };
}

/** Its meter steps over bytes and sees an answer there; its translation sees none. */
describe('a whole reply that is metered and cannot be read', () => {
  it.each([
    ['no content', JSON.stringify({ ...MESSAGE, content: undefined })],
    ['a broken escape', WHOLE.replace('"hi"', '"\\x"')],
    ['a number no JSON has', WHOLE.replace('8', '08')],
  ])('blames the upstream for one with %s, without a charge', async (_what, answer) => {
    const { reply, ports } = await ask(answer);
    expect(reply.status).toBe(502);
    expect(ports.quota.settled).toHaveLength(0);
    expect(ports.quota.holds.size).toBe(0);
    expect(ports.journal.failures).toMatchObject([{ error: { kind: 'upstream-malformed' } }]);
  });

  it('charges it when it can be read', async () => {
    const { reply, ports } = await ask(WHOLE);
    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toHaveLength(1);
  });
});
