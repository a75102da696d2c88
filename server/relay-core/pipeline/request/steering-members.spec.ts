import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { anthropic } from '../../dialects/anthropic.js';
import { openai } from '../../dialects/openai.js';
import { STEERING_FIELDS } from '../../formats/shared/fields/request-fields.js';
import { runCall } from '../run-call.js';

const ASKED = { model: 'gpt-test', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], kept: 'kept' };

/** Members that leave for a channel of this type. */
async function leaves(channelType: number, dialect: typeof openai): Promise<string[]> {
  const ports = new MemoryPorts();
  ports.channels.routes[0] = aRoute({ channelType });
  const steering = Object.fromEntries(STEERING_FIELDS.map((name) => [name, 'steered']));
  const body = Buffer.from(JSON.stringify({ ...ASKED, ...steering }));
  const call = aClientCall({ body, receivedAtMs: ports.clock.nowMs() });
  ports.sender.scripts = [
    (upstream) => {
      upstream.head(400, { 'content-type': 'application/json' });
      upstream.bytes('{"error":{"message":"no"}}').end();
    },
  ];
  await runCall(ports, call, dialect, clientRouteOf(dialect, 'chat'), new MemoryReply());
  const sent = Buffer.from(ports.sender.exchanges[0]?.request.body ?? '').toString('utf8');
  expect(sent).not.toContain('steered');
  return Object.keys(JSON.parse(sent) as object);
}

describe('members by which a gateway behind the upstream is steered', () => {
  // OpenAI, another gateway (both of whose formats pass as they are), Anthropic and Gemini.
  it.each([1, 59, 14, 24])(
    'stay here whatever API was called, for a channel of type %i',
    async (channelType) => {
      for (const dialect of [openai, anthropic]) {
        const names = await leaves(channelType, dialect);
        expect(names.length).toBeGreaterThan(0);
        expect(names.filter((name) => STEERING_FIELDS.includes(name))).toEqual([]);
      }
    },
  );
});
