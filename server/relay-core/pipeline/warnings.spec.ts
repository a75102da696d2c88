import { describe, expect, it } from '@jest/globals';
import { aWireCall, doorOf } from '../../../test/support/relay-calls.js';
import { aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../test/support/memory-sides.js';
import { writeLogOther } from '../../modules/billing/write-log-row.js';
import { openai } from '../dialects/openai.js';
import { knownWarnings, warningHeader } from '../model/warning.js';
import { runCall } from './run-call.js';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 8, output_tokens: 2 },
};

async function ask(more: object) {
  const ports = new MemoryPorts();
  ports.channels.routes[0] = aRoute({ channelType: 14, upstreamModel: 'claude-sonnet-4-5' });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(200, { 'content-type': 'application/json' });
      upstream.bytes(JSON.stringify(MESSAGE)).end();
    },
  ];
  const reply = new MemoryReply();
  const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }], ...more };
  const call = aWireCall({
    headers: { authorization: 'Bearer sk-test' },
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs: ports.clock.nowMs(),
  });
  await runCall(ports, call, openai, doorOf(openai, 'chat'), reply);
  return { reply, finished: ports.quota.settled[0] };
}

describe('what the upstream was not told', () => {
  it('is on the record, in the log line, and named to the caller', async () => {
    const { reply, finished } = await ask({ seed: 7, presence_penalty: 0.5 });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'x-tollgate-warnings': 'presence_penalty, seed' });
    const settings = finished?.warnings?.map(({ setting }) => setting);
    expect(settings).toEqual(['presence_penalty', 'seed']);
    if (finished === undefined) throw new Error('nothing was charged');
    expect(JSON.parse(writeLogOther(finished))).toMatchObject({ warnings: finished.warnings });
  });

  it('is not spoken of when there is nothing', async () => {
    const { reply, finished } = await ask({});
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('x-tollgate-warnings');
    expect(finished).not.toHaveProperty('warnings');
  });

  it('is said once, twenty times at most, and in a header by plain words only', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ setting: `s${index % 30}`, reason: 'none' }));
    expect(knownWarnings(many)).toHaveLength(20);
    const odd = [
      { setting: 'a\r\nset-cookie: b', reason: '' },
      { setting: 'seed', reason: '' },
      { setting: 'seed', reason: 'other' },
    ];
    expect(warningHeader(odd)).toEqual({ 'x-tollgate-warnings': 'seed' });
    expect(warningHeader(odd.slice(0, 1))).toEqual({});
  });
});
