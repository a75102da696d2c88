import { describe, expect, it } from '@jest/globals';
import { aClientCall, clientRouteOf } from '../../../test/support/relay-calls.js';
import { MemoryPorts } from '../../../test/support/memory-ports.js';
import { MemoryReply } from '../../../test/support/memory-sides.js';
import { openai } from '../dialects/openai.js';
import type { RelayPorts } from './context/relay-ports.js';
import { runCall } from './run-call.js';

const BODY = { model: 'gpt-test', max_tokens: 50, messages: [{ role: 'user', content: 'hello there' }] };
const ANSWER = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

function start(ports: RelayPorts) {
  const reply = new MemoryReply();
  const call = aClientCall({
    headers: { authorization: 'Bearer sk-test' },
    body: Buffer.from(JSON.stringify(BODY)),
  });
  return { reply, done: runCall(ports, call, openai, clientRouteOf(openai, 'chat'), reply) };
}

/** Ports whose hold is there at once, as with the pools of a single process. */
function immediatePorts(): { readonly memory: MemoryPorts; readonly ports: RelayPorts } {
  const memory = new MemoryPorts();
  memory.quota.answersAtOnce = true;
  return { memory, ports: memory };
}

describe('a call whose hold is there at once', () => {
  it('records it before it leaves, settles it once and answers it', async () => {
    const { memory, ports } = immediatePorts();
    memory.sender.scripts = [(exchange) => void exchange.json(200, ANSWER)];
    const { reply, done } = start(ports);
    expect(memory.sender.exchanges).toHaveLength(0);
    expect(memory.quota.dispatches).toHaveLength(1);
    await done;
    expect(reply.status).toBe(200);
    expect(memory.quota.settled).toMatchObject([{ evidence: 'reported' }]);
    expect(memory.quota.holds.size).toBe(0);
    expect(memory.quota.released).toEqual([]);
  });

  it('tries the next channel only when the failed attempt is put away', async () => {
    const { memory, ports } = immediatePorts();
    memory.sender.scripts = [
      (exchange) => {
        exchange.head(500).breakWith({ kind: 'reset', cause: new Error('gone') });
        expect(memory.sender.exchanges).toHaveLength(1);
      },
      (exchange) => void exchange.json(200, ANSWER),
    ];
    const { reply, done } = start(ports);
    await done;
    expect(reply.status).toBe(200);
    expect(memory.quota.dispatches.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(memory.quota.settled[0]?.attempts).toHaveLength(2);
    expect(memory.quota.holds.size).toBe(0);
  });

  it('refuses it for a moment, and holds it against no channel, when no connection can be opened [F-53]', async () => {
    const { memory, ports } = immediatePorts();
    memory.sender.scripts = [(exchange) => void exchange.breakWith({ kind: 'no-room' })];
    const { reply, done } = start(ports);
    await done;
    expect(reply.status).toBe(503);
    expect(memory.sender.exchanges).toHaveLength(1);
    expect(memory.health.failures.filter(({ kind }) => kind !== 'unavailable')).toEqual([]);
    expect(memory.quota.settled).toEqual([]);
    expect(memory.quota.holds.size).toBe(0);
  });
});

const bug = (): never => {
  throw new TypeError('a bug');
};

describe('a bug in a stage', () => {
  it.each<[string, (ports: MemoryPorts) => void]>([
    ['6, choosing a channel', (ports) => void (ports.channels.pick = bug)],
    ['9, counting the answer', (ports) => void (ports.retries.refund = bug)],
    ['before the first attempt', (ports) => void (ports.retries.countCall = bug)],
  ])('%s is told, and nothing stays held', async (_, breakPorts) => {
    const { memory, ports } = immediatePorts();
    breakPorts(memory);
    memory.sender.scripts = [(exchange) => void exchange.json(200, ANSWER)];
    await expect(start(ports).done).rejects.toThrow('a bug');
    expect(memory.quota.holds.size).toBe(0);
    expect(memory.quota.released).toEqual(['call-1']);
    expect(memory.quota.settled).toEqual([]);
  });

  it('leaves the charge as it is at place 11, after the end was reported', async () => {
    const { memory, ports } = immediatePorts();
    memory.health.recordSuccess = bug;
    memory.sender.scripts = [(exchange) => void exchange.json(200, ANSWER)];
    const { reply, done } = start(ports);
    await expect(done).rejects.toThrow('a bug');
    expect(reply.status).toBe(200);
    expect(memory.quota.settled).toHaveLength(1);
    expect(memory.quota.released).toEqual([]);
  });

  it('reports a settlement that cannot be written, and returns the hold', async () => {
    const { memory, ports } = immediatePorts();
    memory.quota.settle = () => Promise.reject(new Error('the spool is full'));
    memory.sender.scripts = [(exchange) => void exchange.json(200, ANSWER)];
    const { reply, done } = start(ports);
    await expect(done).rejects.toThrow('the spool is full');
    expect(reply.isCommitted).toBe(false);
    expect(memory.quota.released).toEqual(['call-1']);
  });
});
