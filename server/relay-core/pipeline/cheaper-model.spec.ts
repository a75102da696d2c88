import { describe, expect, it } from '@jest/globals';
import { fail } from '../../common/result.js';
import { limitRefusal } from '../model/full-limit.js';
import type { RelayError } from '../model/relay-error.js';
import { openai } from '../dialects/openai.js';
import {
  completion,
  errorOf,
  expectNothingLeft,
  PROMPT,
  start,
  USAGE,
} from '../../../test/support/fixtures/run-call.fixture.js';
import { aClientCall, clientRouteOf } from '../../../test/support/relay-calls.js';
import { aCaller, aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../test/support/memory-sides.js';
import { runCall } from './run-call.js';

const REFUSAL = limitRefusal(
  {
    limitId: 1,
    name: 'a month of gpt-test',
    scope: 'token',
    measure: 'quota',
    amount: 1,
    period: 'month',
    opensAtMs: null,
    shared: false,
    channel: false,
  },
  0,
  500_000,
);
const AT_LIMIT: RelayError = { ...REFUSAL, fallbackModel: 'gpt-small' };
const BODY = { model: 'gpt-test', messages: PROMPT };

/** A key whose limit of gpt-test is full. */
function atLimit(models: readonly string[] = ['gpt-small']): MemoryPorts {
  const ports = new MemoryPorts();
  for (const model of models) ports.prices.models.add(model);
  const { reserve } = ports.quota;
  ports.quota.reserve = (input) =>
    input.quote.snapshot.model === 'gpt-test' ? fail(AT_LIMIT) : reserve.call(ports.quota, input);
  ports.channels.routes.splice(0, 1, aRoute({ upstreamModel: 'gpt-small' }));
  ports.sender.scripts = [
    (upstream) => upstream.json(200, { ...completion('Hi', USAGE), model: 'gpt-small' }),
  ];
  return ports;
}

describe('a call at a limit that names a cheaper model', () => {
  it('continues with that model, at its prices, with a warning', async () => {
    const ports = atLimit();
    const { reply, done } = start(ports, BODY);
    await done;
    expect([reply.status, reply.headers['x-tollgate-warnings']]).toEqual([200, 'model']);
    expect(reply.json).toMatchObject({ model: 'gpt-small' });
    expect(JSON.parse(String(ports.sender.exchanges[0]?.request.body))).toMatchObject({ model: 'gpt-small' });
    expect(ports.quota.settled[0]).toMatchObject({
      shape: { model: 'gpt-small' },
      snapshot: { model: 'gpt-small' },
      warnings: [{ setting: 'model' }],
    });
    expectNothingLeft(ports);
  });

  it.each([
    ['has no price', atLimit([]), aCaller()],
    ['may not be called by the key', atLimit(), aCaller({ modelLimits: new Set(['gpt-test']) })],
    ['is not wanted on a chosen channel', atLimit(), aCaller({ pinnedChannelId: 1 })],
  ])('refuses by the limit where the model %s', async (_name, ports, caller) => {
    ports.callers.known.set('sk-test', caller);
    const { reply, done } = start(ports, BODY);
    await done;
    expect([reply.status, errorOf(reply).code]).toEqual([403, 'limit_reached']);
    expect(errorOf(reply).message).toContain('a month of gpt-test');
    expect(JSON.stringify(reply.json)).not.toContain('gpt-small');
    expect(ports.sender.exchanges).toHaveLength(0);
    expectNothingLeft(ports);
  });

  it('refuses where no channel of the model takes the call', async () => {
    const ports = atLimit();
    ports.channels.routes.splice(0);
    const { reply, done } = start(ports, BODY);
    await done;
    expect(reply.status).toBe(403);
  });

  it('refuses by the first limit where the model is at one of its own: one hop', async () => {
    const ports = atLimit();
    ports.quota.reserve = () => fail({ ...AT_LIMIT, fallbackModel: 'gpt-small' });
    const { reply, done } = start(ports, BODY);
    await done;
    expect([reply.status, ports.sender.exchanges.length]).toEqual([403, 0]);
  });

  it('refuses where the caller wants no other model', async () => {
    const ports = atLimit();
    const reply = new MemoryReply();
    const call = aClientCall({
      headers: { authorization: 'Bearer sk-test', 'x-tollgate-no-fallback': '1' },
      body: Buffer.from(JSON.stringify(BODY)),
      receivedAtMs: ports.clock.nowMs(),
    });
    await runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply);
    expect([reply.status, errorOf(reply).code]).toEqual([403, 'limit_reached']);
  });
});
