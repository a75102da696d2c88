import { describe, expect, it } from '@jest/globals';
import {
  completion,
  delta,
  errorOf,
  expectNothingLeft,
  finish,
  PROMPT,
  PROMPT_TOKENS,
  start,
  startStream,
  USAGE,
  USAGE_CHARGE,
} from '../../../test/support/fixtures/run-call.fixture.js';
import { aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';

const BODY = { model: 'gpt-test', messages: PROMPT, max_tokens: 50 };
const MOST = PROMPT_TOKENS + 2 * 50;

/** Two channels, the first with a limit. */
function twoChannels(left: number): MemoryPorts {
  const ports = new MemoryPorts();
  ports.channels.routes.push(aRoute({ channelId: 2, channelName: 'second' }));
  ports.limits.left.set(1, left);
  ports.sender.scripts = [(upstream) => upstream.json(200, completion('Hi', USAGE))];
  return ports;
}

describe('limits of channels', () => {
  it('counts the maximum cost of an attempt until it is settled, and its charge from then on', async () => {
    const ports = twoChannels(MOST);
    await start(ports, BODY).done;
    expect(ports.limits.asked).toMatchObject([{ channelId: 1, model: 'gpt-test', most: { quota: MOST } }]);
    expect(ports.limits.settled).toEqual([{ quota: USAGE_CHARGE, inputTokens: 10, outputTokens: 5 }]);
    expect(ports.limits.left.get(1)).toBe(MOST - USAGE_CHARGE);
    expect(ports.quota.settled[0]?.channelMarks).toEqual({ owner: 'worker', limits: [[1, 0, 'quota']] });
    expectNothingLeft(ports);
  });

  it('pass over a channel without room, whose request never leaves, and name it on the record', async () => {
    const ports = twoChannels(MOST - 1);
    const { reply, done } = start(ports, BODY);
    await done;
    expect(reply.status).toBe(200);
    expect(ports.quota.dispatches).toEqual([{ channelId: 2, attempt: 0 }]);
    expect(ports.quota.settled[0]?.attempts).toMatchObject([
      { channelId: 1, failure: 'channels-full' },
      { channelId: 2 },
    ]);
    expect(ports.health.failures).toEqual([]);
    expect(ports.limits.left.get(1)).toBe(MOST - 1);
  });

  it('ask no channel that is known to be full', async () => {
    const ports = twoChannels(0);
    await start(ports, BODY).done;
    expect(ports.limits.asked).toEqual([]);
    expect(ports.quota.settled[0]?.channelId).toBe(2);
  });

  it('refuse a call with 503 until the first of its channels opens', async () => {
    const ports = twoChannels(0);
    ports.limits.left.set(2, 1);
    ports.limits.opensAtMs.set(1, ports.clock.nowMs() + 90_000);
    ports.limits.opensAtMs.set(2, ports.clock.nowMs() + 30_000);
    const { reply, done } = start(ports, BODY);
    await done;
    expect([reply.status, reply.headers['retry-after'], errorOf(reply).code]).toEqual([
      503,
      '30',
      'channels_full',
    ]);
    expect(JSON.stringify(reply.json)).not.toMatch(/limit|remaining/i);
    expect(ports.sender.exchanges).toHaveLength(0);
    expectNothingLeft(ports);
  });

  it('give back what a failed attempt held, and count its request', async () => {
    const ports = twoChannels(MOST);
    ports.sender.scripts = [
      (upstream) => upstream.json(500, { error: { message: 'broken' } }),
      (upstream) => upstream.json(200, completion('Hi', USAGE)),
    ];
    await start(ports, BODY).done;
    expect([ports.limits.left.get(1), ports.limits.requests]).toEqual([MOST, 1]);
    expect(ports.quota.settled[0]).toMatchObject({ channelId: 2 });
    expect(ports.quota.settled[0]?.channelMarks).toBeUndefined();
  });

  /** Sends words until the stream is cut, or `most` have left. */
  async function stream(ports: MemoryPorts, most: number) {
    ports.prices.assumedOutput = 10;
    ports.sender.scripts = [];
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head();
    for (let word = 0; word < most && !upstream.isAborted; word += 1) {
      upstream.events(delta('word '));
      await new Promise(setImmediate);
    }
    if (!upstream.isAborted) upstream.events(finish, '[DONE]').end();
    await done;
    return reply;
  }

  it('let a stream grow as far as its channel has room', async () => {
    const ports = twoChannels(1_000_000);
    await stream(ports, 60);
    expect(ports.quota.settled[0]).toMatchObject({ outcome: 'ok', priced: PROMPT_TOKENS + 120 });
    expect(ports.limits.left.get(1)).toBe(1_000_000 - PROMPT_TOKENS - 120);
  });

  it('end a stream whose channel has no room for more, and charge what came', async () => {
    const ports = twoChannels(PROMPT_TOKENS + 2 * 10);
    const reply = await stream(ports, 60);
    expect(reply.text).toContain('channels_full');
    expect(ports.quota.settled[0]).toMatchObject({ outcome: 'limit', channelId: 1 });
    expect(ports.quota.settled[0]?.usage.output.total).toBeLessThanOrEqual(12);
    expectNothingLeft(ports);
  });
});
