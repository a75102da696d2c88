import { describe, expect, it } from '@jest/globals';
import { refusal } from '../model/refusals.js';
import { aCaller, aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import {
  completion,
  delta,
  expectNothingLeft,
  finish,
  PROMPT_TOKENS,
  start,
  startStream,
  PROMPT,
  usageFrame,
} from '../../../test/support/fixtures/run-call.fixture.js';
import { MAX_ABANDONED_BYTES } from './context/abandoned-reads.js';

/** A call whose answer may hide reasoning. */
const THINKS = { reasoning_effort: 'high' };
/** 10 × 1 + 900 × 2 */
const WHOLE = [10, 900] as const;
const WHOLE_CHARGE = 1_810;
/** Our own count of the prompt and of four words. */
const COUNTED = PROMPT_TOKENS + 8;

/** A stream whose client has read four words. */
async function begun(more: object = THINKS, ports = new MemoryPorts()) {
  ports.prices.assumedOutput = 5_000;
  const arrived = ports.sender.next();
  const { reply, done } = startStream(ports, more);
  const upstream = await arrived;
  upstream.head().events(delta('one two three four'));
  return { ports, reply, done, upstream };
}

describe('a stream whose client leaves', () => {
  it('charges the report that comes within the time', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.leave();
    expect(upstream.isAborted).toBe(false);
    ports.clock.advance(14_000);
    upstream.events(delta('five'), finish, usageFrame(...WHOLE), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'client_abort', evidence: 'reported', priced: WHOLE_CHARGE },
    ]);
    expect(reply.text).not.toContain('five');
    expect(ports.health.failures).toEqual([]);
    expect(ports.abandoned.count).toBe(0);
    expectNothingLeft(ports);
  });

  it('cancels it when the time is over, and charges an estimate', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.leave();
    ports.clock.advance(15_000);
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'client_abort', evidence: 'estimated', priced: COUNTED },
    ]);
    expectNothingLeft(ports);
  });

  it('reads it on for the time its channel sets', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.splice(0, 1, aRoute({ settings: { abandonedReadSeconds: 3 } }));
    const { reply, upstream, done } = await begun(THINKS, ports);
    reply.leave();
    ports.clock.advance(2_900);
    expect(upstream.isAborted).toBe(false);
    ports.clock.advance(100);
    expect(upstream.isAborted).toBe(true);
    await done;
  });

  it.each([
    [
      'the option is 0',
      (ports: MemoryPorts) => (ports.options.value = someOptions({ abandonedReadSeconds: 0 })),
    ],
    [
      'its channel has 0',
      (ports: MemoryPorts) =>
        ports.channels.routes.splice(0, 1, aRoute({ settings: { abandonedReadSeconds: 0 } })),
    ],
    ['the process stops', (ports: MemoryPorts) => ports.abandoned.close()],
    [
      'it is of the playground, where leaving is Stop',
      (ports: MemoryPorts) => ports.callers.known.set('sk-test', aCaller({ tokenId: null })),
    ],
  ])('cancels it at once when %s, and charges an estimate', async (_name, prepare) => {
    const ports = new MemoryPorts();
    prepare(ports);
    const { reply, upstream, done } = await begun(THINKS, ports);
    reply.leave();
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'estimated', priced: COUNTED }]);
    expectNothingLeft(ports);
  });

  it('cancels it at once before any content, and charges its prompt', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports, THINKS);
    const upstream = await arrived;
    upstream.head();
    reply.leave();
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'counted', priced: PROMPT_TOKENS }]);
  });

  it('cancels it at once where what came shows what was spent', async () => {
    const { ports, reply, done, upstream } = await begun({});
    reply.leave();
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'counted', priced: COUNTED }]);
  });

  it.each([{}, THINKS])('reads it on for the report alone when its text has ended (%j)', async (more) => {
    const { ports, reply, done, upstream } = await begun(more);
    upstream.events(finish);
    reply.leave();
    expect(upstream.isAborted).toBe(false);
    upstream.events(usageFrame(...WHOLE), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'reported', priced: WHOLE_CHARGE }]);
  });

  it('reads it on for the report in the playground, too, when its text has ended', async () => {
    const ports = new MemoryPorts();
    ports.callers.known.set('sk-test', aCaller({ tokenId: null }));
    const { reply, done, upstream } = await begun(THINKS, ports);
    upstream.events(finish);
    reply.leave();
    upstream.events(usageFrame(...WHOLE), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'reported', priced: WHOLE_CHARGE }]);
  });

  it('ends it at once when the report is there', async () => {
    const { ports, reply, done, upstream } = await begun();
    upstream.events(finish, usageFrame(...WHOLE));
    reply.leave();
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'reported', priced: WHOLE_CHARGE }]);
  });

  it('charges an estimate when the upstream breaks off', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.leave();
    upstream.breakWith({ kind: 'reset' });
    await done;
    expect(ports.quota.settled).toMatchObject([{ outcome: 'client_abort', evidence: 'estimated' }]);
    expectNothingLeft(ports);
  });

  it('ends it when its account or key is closed', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.leave();
    reply.leave(refusal('shutting-down'));
    expect(upstream.isAborted).toBe(true);
    await done;
    expect(ports.quota.settled).toMatchObject([{ outcome: 'client_abort', evidence: 'estimated' }]);
  });

  it('ends it when more than its share of bytes came', async () => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ maxResponseBytes: 4 * MAX_ABANDONED_BYTES });
    const { reply, done, upstream } = await begun(THINKS, ports);
    reply.leave();
    const comment = `: ${'x'.repeat(1024 * 1024 - 4)}\n\n`;
    for (let at = 0; at < MAX_ABANDONED_BYTES; at += comment.length) {
      expect(upstream.isAborted).toBe(false);
      upstream.bytes(comment);
    }
    upstream.bytes(comment);
    expect(upstream.isAborted).toBe(true);
    await done;
  });

  it('ends it when what is held is used up, and holds no more', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    ports.prices.assumedOutput = 50;
    const { reply, done } = startStream(ports, THINKS);
    const upstream = await arrived;
    upstream.head().events(delta('one two three four'));
    reply.leave();
    for (let word = 0; word < 400 && !upstream.isAborted; word += 1) upstream.events(delta(' word'));
    await done;
    expect(ports.quota.extensions).toBe(0);
    const [settled] = ports.quota.settled;
    expect(settled?.priced).toBeLessThanOrEqual((ports.quota.heldInTheEnd[0] ?? 0) + 2);
  });

  it('does not wait for the pause of a client that took nothing', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.takes = false;
    upstream.events(delta('five'));
    expect(upstream.isPaused).toBe(true);
    reply.leave();
    expect(upstream.isPaused).toBe(false);
    upstream.events(delta('six'), finish, usageFrame(...WHOLE), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([{ evidence: 'reported', priced: WHOLE_CHARGE }]);
  });

  it('reads it on when the client takes nothing for a minute and is cut', async () => {
    const { ports, reply, done, upstream } = await begun();
    reply.takes = false;
    upstream.events(delta('five'));
    ports.clock.advance(62_000);
    expect(reply.isCut).toBe(true);
    expect(upstream.isAborted).toBe(false);
    // Its socket closes after the cut.
    reply.leave();
    upstream.events(finish, usageFrame(...WHOLE), '[DONE]').end();
    await done;
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'client_abort', evidence: 'reported', priced: WHOLE_CHARGE },
    ]);
    expectNothingLeft(ports);
  });

  it('reads a whole answer on of which a part came', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT, ...THINKS });
    const upstream = await arrived;
    const usage = { prompt_tokens: 10, completion_tokens: 900, total_tokens: 910 };
    const body = JSON.stringify(completion('one two', usage));
    upstream.head(200, { 'content-type': 'application/json' }).bytes(body.slice(0, 30));
    reply.leave();
    expect(upstream.isAborted).toBe(false);
    upstream.bytes(body.slice(30)).end();
    await done;
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'client_abort', evidence: 'reported', priced: WHOLE_CHARGE },
    ]);
    expect(reply.text).toBe('');
  });
});
