import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import {
  PROMPT_TOKENS,
  delta,
  finish,
  usageFrame,
  completion,
  USAGE,
  USAGE_CHARGE,
  startStream,
  expectNothingLeft,
} from '../../../test/support/fixtures/run-call.fixture.js';

describe('streams', () => {
  it('passes whole events untouched, hides the usage frame we asked for, and settles before [DONE]', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    expect(upstream.body['stream_options']).toEqual({ include_usage: true });
    upstream.head().events(delta('one'), delta(' two'), finish, usageFrame(10, 5));
    const before = `data: ${delta('one')}\n\ndata: ${delta(' two')}\n\ndata: ${finish}\n\n`;
    expect(reply.text).toBe(before);
    ports.quota.onSettled = () => expect(reply.text).toBe(before);
    upstream.events('[DONE]', delta('after the end')).end();
    await done;
    expect(reply.text).toBe(`${before}data: [DONE]\n\n`);
    expect(ports.quota.settled).toMatchObject([
      { priced: USAGE_CHARGE, evidence: 'reported', outcome: 'ok' },
    ]);
    expectNothingLeft(ports);
  });

  it('cuts an upstream that does not close after its end marker', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head().events(delta('one'), finish, usageFrame(10, 5), '[DONE]');
    await done;
    expect(reply.isEnded).toBe(true);
    expect(upstream.isAborted).toBe(false);
    ports.clock.advance(1_000);
    expect(upstream.isAborted).toBe(true);
    expectNothingLeft(ports);
  });

  it('forwards the usage frame to a caller who asked for it', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) => upstream.head().events(delta('one'), finish, usageFrame(10, 5), '[DONE]').end(),
    ];
    const { reply, done } = startStream(ports, { stream_options: { include_usage: true } });
    await done;
    expect(reply.text).toContain('"usage"');
  });

  it('sends no status line before the first event that proves an answer', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }));
    const role = JSON.stringify({
      id: 'c1',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' } }],
    });
    ports.sender.scripts = [
      (upstream) =>
        upstream
          .head()
          .events(role, JSON.stringify({ error: { message: 'late', type: 'server_error' } }))
          .end(),
      (upstream) => upstream.head().events(delta('yes'), finish, usageFrame(10, 5), '[DONE]').end(),
    ];
    const { reply, done } = startStream(ports);
    await done;
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('late');
    expect(reply.text).toContain('yes');
    expect(ports.sender.exchanges[0]?.isAborted).toBe(true);
    expect(ports.quota.settled).toHaveLength(1);
  });

  it('a stream reset after output gets an error event, never a clean end, and is charged for what came [F-20]', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }));
    ports.sender.scripts = [
      (upstream) => upstream.head().events(delta('one two'), delta(' three')).breakWith({ kind: 'reset' }),
    ];
    const { reply, done } = startStream(ports);
    await done;
    expect(reply.text).toMatch(/data: \{"error":\{[^\n]+\}\}\n\n$/);
    expect(reply.text).not.toContain('[DONE]');
    expect(ports.sender.exchanges).toHaveLength(1);
    // 9 prompt + 3 words × 2
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'partial', priced: PROMPT_TOKENS + 6, evidence: 'counted' },
    ]);
    expect(ports.health.failures).toEqual([{ channelId: 1, kind: 'upstream-broken' }]);
    expectNothingLeft(ports);
  });

  it('an error event after output ends the stream with a scrubbed error', async () => {
    const ports = new MemoryPorts();
    const error = JSON.stringify({ error: { message: 'key sk-upstream-credential-0001 died', code: 500 } });
    ports.sender.scripts = [(upstream) => upstream.head().events(delta('one'), error, delta('more'))];
    const { reply, done } = startStream(ports);
    await done;
    expect(reply.text).not.toMatch(/credential|more/);
    expect(reply.text).toContain('"error"');
    expect(ports.quota.settled).toMatchObject([{ outcome: 'partial' }]);
  });

  it('appends [DONE] when the upstream forgot it after a finish, and not when it broke off without one', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) => upstream.head().events(delta('one'), finish).end(),
      (upstream) => upstream.head().events(delta('one')).end(),
    ];
    const complete = startStream(ports);
    await complete.done;
    expect(complete.reply.text).toMatch(/data: \[DONE\]\n\n$/);
    const broken = startStream(ports);
    await broken.done;
    expect(broken.reply.text).not.toContain('[DONE]');
    expect(broken.reply.text).toContain('"error"');
  });

  it('a client that leaves stops the upstream at once and pays for what was produced', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head().events(delta('one two three four'));
    reply.leave();
    expect(upstream.isAborted).toBe(true);
    await done;
    // 9 prompt + 4 words × 2
    expect(ports.quota.settled).toMatchObject([{ outcome: 'client_abort', priced: PROMPT_TOKENS + 8 }]);
    expectNothingLeft(ports);
  });

  it('a slow client pauses the upstream, and a drain resumes it', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head().events(delta('one'));
    reply.takes = false;
    upstream.events(delta(' two'));
    expect(upstream.isPaused).toBe(true);
    // Longer than the idle limit: the silence is the client's.
    ports.clock.advance(40_000);
    expect(reply.isEnded).toBe(false);
    reply.drain();
    expect(upstream.isPaused).toBe(false);
    upstream.events(finish, usageFrame(10, 5), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok', priced: USAGE_CHARGE }]);
    expectNothingLeft(ports);
  });

  it('cuts a client that takes nothing for a minute and charges what was produced', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head();
    reply.takes = false;
    upstream.events(delta('one two'));
    ports.clock.advance(62_000);
    await done;
    expect(reply.isCut).toBe(true);
    expect(upstream.isAborted).toBe(true);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'client_abort', priced: PROMPT_TOKENS + 4 }]);
    expectNothingLeft(ports);
  });

  it('comments alone do not keep a stream alive [RLY-09, F-24]', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head().events(delta('one'));
    for (let second = 0; second < 31; second += 1) {
      ports.clock.advance(1_000);
      upstream.bytes(': still here\n\n');
    }
    await done;
    expect(reply.text).toContain('upstream_timeout');
    expect(ports.quota.settled).toMatchObject([{ outcome: 'partial', priced: PROMPT_TOKENS + 2 }]);
    expectNothingLeft(ports);
  });

  it('an endless stream is ended by the total limit [RLY-09, F-24]', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports, { max_tokens: 100_000 });
    const upstream = await arrived;
    upstream.head();
    for (let minute = 0; minute < 241 && !upstream.isAborted; minute += 1) {
      upstream.events(delta('w '));
      ports.clock.advance(15_000);
    }
    await done;
    expect(upstream.isAborted).toBe(true);
    expect(reply.text).toContain('response_limit_reached');
    expect(ports.quota.settled).toMatchObject([{ outcome: 'limit' }]);
    expectNothingLeft(ports);
  });

  it('pings before the upstream answers, and between whole events', async () => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ pingEnabled: true });
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    ports.clock.advance(9_000);
    expect(reply.isCommitted).toBe(false);
    ports.clock.advance(2_000);
    expect(reply.text).toBe(': PING\n\n');
    upstream.head();
    ports.clock.advance(11_000);
    expect(reply.text).toBe(': PING\n\n: PING\n\n');
    const half = `data: ${delta('one')}`;
    upstream.bytes(half.slice(0, 20));
    ports.clock.advance(11_000);
    expect(reply.text).toBe(': PING\n\n: PING\n\n: PING\n\n');
    upstream.bytes(`${half.slice(20)}\n\n`);
    upstream.events(finish, usageFrame(10, 5), '[DONE]').end();
    await done;
    expect(reply.text).toBe(`${': PING\n\n'.repeat(3)}${half}\n\ndata: ${finish}\n\ndata: [DONE]\n\n`);
    expectNothingLeft(ports);
  });

  const pinged = async () => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ pingEnabled: true, retryTimes: 1 });
    ports.channels.routes.push(aRoute({ channelId: 2 }));
    const first = ports.sender.next();
    const { reply, done } = startStream(ports);
    const one = await first;
    ports.clock.advance(11_000);
    const second = ports.sender.next();
    one.json(503, { error: { message: 'busy' } });
    return { ports, reply, done, two: await second };
  };

  it('tries another channel after a ping, for nothing of an answer went out', async () => {
    const { ports, reply, done, two } = await pinged();
    two.head().events(delta('one'), finish, usageFrame(10, 5), '[DONE]').end();
    await done;
    expect(reply.text).toBe(`: PING\n\ndata: ${delta('one')}\n\ndata: ${finish}\n\ndata: [DONE]\n\n`);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok' }]);
    expectNothingLeft(ports);
  });

  it('reports a failure behind a ping as an event', async () => {
    const { ports, reply, done, two } = await pinged();
    two.json(503, { error: { message: 'busy, too' } });
    await done;
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^: PING\n\ndata: \{"error":/);
    expect(ports.quota.settled).toEqual([]);
    expectNothingLeft(ports);
  });

  it('writes a whole answer behind a ping as a stream', async () => {
    const { ports, reply, done, two } = await pinged();
    const message = { role: 'assistant', content: 'all of it' };
    two.json(200, {
      id: 'c',
      object: 'chat.completion',
      model: 'gpt-4o',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    await done;
    expect(reply.text).toMatch(/^: PING\n\ndata: .*all of it[^]*data: \[DONE\]\n\n$/);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok' }]);
    expectNothingLeft(ports);
  });

  it('extends the hold before it is used up, and writes checkpoints', async () => {
    const ports = new MemoryPorts();
    ports.prices.assumedOutput = 10;
    const arrived = ports.sender.next();
    const { done } = startStream(ports);
    const upstream = await arrived;
    upstream.head();
    for (let word = 0; word < 60; word += 1) {
      upstream.events(delta(`w${word} `));
      await Promise.resolve();
    }
    expect(ports.quota.extensions).toBe(1);
    expect(ports.quota.checkpoints.length).toBeGreaterThan(0);
    expect(ports.quota.checkpoints.at(-1)?.output.total).toBe(50);
    upstream.events(finish, '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([{ priced: PROMPT_TOKENS + 120, outcome: 'ok' }]);
    expect(ports.quota.balance).toBe(1_000_000 - PROMPT_TOKENS - 120);
  });

  it('stops at what is covered when no more can be held', async () => {
    const ports = new MemoryPorts();
    ports.prices.assumedOutput = 10;
    // The hold takes 9 + 20; nothing is left to extend it.
    ports.quota.balance = 29;
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports);
    const upstream = await arrived;
    upstream.head();
    for (let word = 0; word < 40 && !upstream.isAborted; word += 1) {
      upstream.events(delta('word '));
      await Promise.resolve();
      await Promise.resolve();
    }
    await done;
    expect(upstream.isAborted).toBe(true);
    expect(reply.text).toContain('insufficient_user_quota');
    expect(reply.text).not.toContain('[DONE]');
    const [settled] = ports.quota.settled;
    expect(settled?.outcome).toBe('limit');
    // 10 covered words plus the chunk in which the limit was reached
    expect(settled?.usage.output.total).toBeLessThanOrEqual(11);
    expectNothingLeft(ports);
  });

  it('three unreadable events end a stream, single ones are skipped', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) => upstream.head().events(delta('one'), '{broken', delta(' two'), '{', '{', '{', delta('x')),
    ];
    const { reply, done } = startStream(ports);
    await done;
    expect(reply.text).toContain(' two');
    expect(reply.text).not.toContain('{broken');
    expect(reply.text).toContain('"error"');
    expect(ports.quota.settled).toMatchObject([{ outcome: 'partial' }]);
  });

  it('turns a whole reply into a stream for a caller who asked for one', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('all at once', USAGE))];
    const { reply, done } = startStream(ports);
    await done;
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(reply.text).toContain('"content":"all at once"');
    expect(reply.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(ports.quota.settled).toMatchObject([{ priced: USAGE_CHARGE }]);
  });
});
