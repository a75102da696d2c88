import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { openai } from '../../dialects/openai.js';
import { runCall } from '../run-call.js';

/** Body that leaves for a channel of this type for a client's request, as text. */
async function leaves(channelType: number, json: string) {
  const ports = new MemoryPorts();
  ports.channels.routes[0] = aRoute({ channelType });
  const reply = new MemoryReply();
  const call = aClientCall({ body: Buffer.from(json), receivedAtMs: ports.clock.nowMs() });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(400, { 'content-type': 'application/json' });
      upstream.bytes('{"error":{"message":"no"}}').end();
    },
  ];
  await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
  const sent = ports.sender.exchanges[0]?.request.body;
  return { text: Buffer.from(sent ?? '').toString('utf8'), headers: reply.headers };
}

const HALF = String.raw`a\ud83d b`;
const ARGUMENTS = JSON.stringify(String.raw`{"a":"\ud83d"}`);
const MESSAGES = `[
  {"role":"user","content":"${HALF}"},
  {"role":"assistant","content":"${HALF}","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${ARGUMENTS}}}]},
  {"role":"tool","tool_call_id":"c","content":"${HALF}"}]`;

describe('every text that leaves is well-formed Unicode', () => {
  // OpenAI (the bytes pass), Anthropic and Gemini.
  it.each([1, 14, 24])('mends it for a channel of type %i', async (channelType) => {
    const { text } = await leaves(channelType, `{"model":"gpt-test","messages":${MESSAGES}}`);
    expect(text).toContain('a');
    expect(text.replaceAll('\\\\ud83d', '')).not.toMatch(/\\ud83d/);
    expect(text.match(/\\ufffd|\ufffd/g)?.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(JSON.parse(text)).replaceAll('\\\\ud83d', '')).not.toMatch(/\\ud83d/);
  });
});
