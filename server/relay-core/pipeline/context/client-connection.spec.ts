import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { openai } from '../../dialects/openai.js';
import type { RelayError } from '../../model/relay-error.js';
import { runCall } from '../run-call.js';

const KEY_DISABLED: RelayError = {
  kind: 'unauthenticated',
  blame: 'caller',
  message: 'This API key is disabled.',
};
const DELTA = JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content: 'one two' } }] });

/** A stream whose reply is over after its first words. */
async function endEarly(ended: RelayError | undefined): Promise<MemoryPorts> {
  const ports = new MemoryPorts();
  const arrived = ports.sender.next();
  const reply = new MemoryReply();
  const call = aClientCall({
    headers: { authorization: 'Bearer sk-test' },
    body: Buffer.from(
      JSON.stringify({
        model: 'gpt-test',
        stream: true,
        messages: [{ role: 'user', content: 'hello there' }],
      }),
    ),
    receivedAtMs: ports.clock.nowMs(),
  });
  const done = runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
  const upstream = await arrived;
  upstream.head().events(DELTA);
  reply.leave(ended);
  await done;
  expect(upstream.isAborted).toBe(true);
  return ports;
}

describe('the end of a reply before its stream is over', () => {
  it('counts as the client’s doing when it left', async () => {
    const { quota } = await endEarly(undefined);
    expect(quota.settled).toMatchObject([
      {
        outcome: 'client_abort',
        note: 'the upstream reported no usage; The client closed the connection.',
        attempts: [{ failure: 'client-gone' }],
      },
    ]);
  });

  it('reports that the gateway ended it, and why', async () => {
    const { quota } = await endEarly(KEY_DISABLED);
    expect(quota.settled).toMatchObject([
      {
        outcome: 'limit',
        note: 'the upstream reported no usage; This API key is disabled.',
        attempts: [{ failure: 'unauthenticated' }],
      },
    ]);
  });

  it('costs the same either way', async () => {
    const left = await endEarly(undefined);
    const cut = await endEarly(KEY_DISABLED);
    expect(cut.quota.settled.map(({ priced }) => priced)).toEqual(
      left.quota.settled.map(({ priced }) => priced),
    );
  });
});
