import { describe, expect, it } from '@jest/globals';
import { aCaller, aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import { type MemoryExchange } from '../../../test/support/memory-sides.js';
import { anthropic } from '../dialects/anthropic.js';
import { gemini } from '../dialects/gemini.js';
import { openai } from '../dialects/openai.js';
import {
  PROMPT,
  delta,
  completion,
  USAGE,
  USAGE_CHARGE,
  start,
  startStream,
  errorOf,
  expectNothingLeft,
} from '../../../test/support/fixtures/run-call.fixture.js';

describe('failures of the upstream', () => {
  it.each([
    [400, 1],
    [422, 1],
    [504, 1],
    [401, 3, 502],
    [402, 3, 502],
    [403, 3, 502],
    [404, 3],
    [429, 3],
    [500, 3],
    [503, 3],
  ])('status %i is tried on %i channels', async (status, attempts, shown = status) => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }), aRoute({ channelId: 3 }));
    const refuse = (upstream: { json(status: number, body: unknown): unknown }) =>
      upstream.json(status, { error: { message: 'no', type: 'some_error', code: 'some_code' } });
    ports.sender.scripts = [refuse, refuse, refuse];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(shown);
    expect(ports.sender.exchanges).toHaveLength(attempts);
    expect(ports.quota.balance).toBe(1_000_000);
    expect(ports.quota.settled).toHaveLength(0);
    expect(ports.journal.failures).toHaveLength(1);
    expectNothingLeft(ports);
  });

  it('never retries a pinned caller', async () => {
    const ports = new MemoryPorts();
    ports.callers.known.set('sk-pinned', aCaller({ pinnedChannelId: 1 }));
    ports.sender.scripts = [(upstream) => upstream.json(500, {})];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT }, { key: 'sk-pinned' });
    await done;
    expect(reply.status).toBe(500);
    expect(ports.sender.exchanges).toHaveLength(1);
  });

  it('applies the status mapping to failures first: the retry rules see the mapped status', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({ statusMapping: new Map([[404, 400]]) });
    ports.channels.routes.push(aRoute({ channelId: 2 }));
    ports.sender.scripts = [(upstream) => upstream.json(404, { error: { message: 'no' } })];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(400);
    expect(ports.sender.exchanges).toHaveLength(1);
  });

  it.each([openai, anthropic, gemini])(
    'a channel with a bad key does not look like a caller with one, unless the operator says so: $id',
    async (dialect) => {
      const refuse = (upstream: { json(status: number, body: unknown): unknown }) =>
        upstream.json(401, {
          error: { message: 'no', type: 'authentication_error', code: 'invalid_api_key' },
        });
      for (const [statusMapping, shown] of [
        // Google's clients repeat every 502 for a minute.
        [undefined, dialect === gemini ? 400 : 502],
        [new Map([[401, 403]]), 403],
      ] as const) {
        const ports = new MemoryPorts();
        ports.channels.routes[0] = aRoute({ statusMapping });
        ports.sender.scripts = [refuse, refuse, refuse];
        const body =
          dialect === gemini
            ? { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
            : { model: 'gpt-test', max_tokens: 5, messages: PROMPT };
        const { reply, done } = start(ports, body, { dialect });
        await done;
        expect(reply.status).toBe(shown);
        expect(reply.text).toContain("refused the channel's credentials");
        expect(reply.text).not.toMatch(/invalid_api_key|authentication_error|UNAUTHENTICATED/);
      }
    },
  );

  it('shows neither the key nor addresses of the upstream [UP-06]', async () => {
    const ports = new MemoryPorts();
    const message =
      'bad key sk-upstream-credential-0001 at https://10.0.0.3:8443/v1 for host inner.example.com';
    ports.sender.scripts = [
      (upstream) => upstream.json(400, { error: { message, type: 'x', code: 'y', param: 'z' } }),
    ];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.text).not.toMatch(/credential-0001|10\.0\.0\.3|inner\.example/);
    expect(errorOf(reply)).toMatchObject({ type: 'x', code: 'y', param: 'z' });
  });

  it.each([0, 1, 3])('tries as many other channels as RetryTimes: %i', async (retryTimes) => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ retryTimes });
    for (let channelId = 2; channelId <= 6; channelId += 1) ports.channels.routes.push(aRoute({ channelId }));
    const refuse = (upstream: MemoryExchange) => void upstream.json(503, { error: { message: 'busy' } });
    ports.sender.scripts = [refuse, refuse, refuse, refuse, refuse, refuse];
    const { done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(ports.sender.exchanges).toHaveLength(1 + retryTimes);
    expectNothingLeft(ports);
  });

  it('a redirect is a failure, not a success [UP-02]', async () => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ retryTimes: 0 });
    ports.sender.scripts = [(upstream) => upstream.head(302, { location: 'https://thief.example' }).end()];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(502);
    expect(reply.text).not.toContain('thief');
  });

  it('answers 504 when nothing comes within the first-byte time, and gives the hold back', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    const upstream = await arrived;
    ports.clock.advance(60_000);
    await done;
    expect(reply.status).toBe(504);
    expect(upstream.isAborted).toBe(true);
    expect(ports.quota.released).toEqual(['call-1']);
    expectNothingLeft(ports);
  });

  it.each([
    ['never comes', (ports: MemoryPorts, _upstream: MemoryExchange) => ports.clock.advance(5_000)],
    ['breaks off', (_ports: MemoryPorts, upstream: MemoryExchange) => upstream.breakWith({ kind: 'reset' })],
  ])('a failed status counts though its body %s', async (_name, happens) => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    const upstream = await arrived;
    upstream.head(400, { 'content-type': 'application/json' }).bytes('{"error":');
    happens(ports, upstream);
    await done;
    expect(reply.status).toBe(400);
    expectNothingLeft(ports);
  });

  it('a head that comes late leaves the body its own time', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    const upstream = await arrived;
    ports.clock.advance(50_000);
    upstream.head(200, { 'content-type': 'application/json' });
    ports.clock.advance(20_000);
    upstream.bytes(JSON.stringify(completion('hi', USAGE))).end();
    await done;
    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toMatchObject([{ priced: USAGE_CHARGE }]);
  });

  it('stops retrying when every channel fails [RLY-11]', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }), aRoute({ channelId: 3 }));
    const calls = 200;
    for (let call = 0; call < calls; call += 1) {
      const fail = (upstream: { json(status: number, body: unknown): unknown }) => upstream.json(500, {});
      ports.sender.scripts = [fail, fail, fail];
      await start(ports, { model: 'gpt-test', messages: PROMPT }).done;
    }
    // 10 retries in hand and one earned per ten calls
    expect(ports.sender.exchanges.length).toBeLessThanOrEqual(calls * 1.1 + 10);
  });

  it('a stream that has begun does not count against the retries of the calls beside it [RLY-11]', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }));
    for (let call = 0; call < 40; call += 1) {
      const begun = Promise.withResolvers<void>();
      ports.sender.scripts = [
        (upstream) => upstream.json(500, {}),
        (upstream) => {
          upstream.head().events(delta('one'));
          begun.resolve();
        },
      ];
      startStream(ports);
      await begun.promise;
    }
    expect(ports.sender.exchanges).toHaveLength(80);
  });
});
