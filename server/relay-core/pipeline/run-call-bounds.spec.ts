import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import {
  completion,
  delta,
  expectNothingLeft,
  finish,
  PROMPT,
  PROMPT_TOKENS,
  start,
  startStream,
  usageFrame,
} from '../../../test/support/fixtures/run-call.fixture.js';

const LIE = 1_900_000;
const report = (output: number, reasoning?: number, input = 10) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
});

/** A whole answer of one word to a request, with that report. */
async function answered(usage: unknown, more: object = {}, route = {}, content = 'a') {
  const ports = new MemoryPorts();
  ports.quota.balance = 10_000_000;
  ports.channels.routes.splice(0, Infinity, aRoute(route));
  ports.sender.scripts = [(upstream) => upstream.json(200, completion(content, usage))];
  const { done } = start(ports, { model: 'gpt-test', messages: PROMPT, ...more });
  await done;
  expectNothingLeft(ports);
  return ports.quota.settled[0];
}

describe('an upper bound of a report', () => {
  it('charges the cap that was sent for a report of 1,900,000 beside one word', async () => {
    expect(await answered(report(LIE), { max_tokens: 20 })).toMatchObject({
      evidence: 'bounded',
      usage: { input: { total: 10 }, output: { total: 20 } },
      priced: 10 + 2 * 20,
      note: 'the upstream reported more output than the request allows',
    });
  });

  it('charges the cap of every answer that was asked for', async () => {
    expect(await answered(report(LIE), { max_tokens: 20, n: 3 })).toMatchObject({
      evidence: 'bounded',
      usage: { output: { total: 60 } },
    });
  });

  it('charges what came when no cap was sent', async () => {
    expect(await answered(report(LIE))).toMatchObject({
      evidence: 'bounded',
      usage: { output: { total: 1 } },
    });
  });

  it('charges what came when an upstream ignored the cap and delivered', async () => {
    const words = 'word '.repeat(6_000);
    expect(await answered(report(6_000), { max_tokens: 20 }, {}, words)).toMatchObject({
      evidence: 'reported',
      usage: { output: { total: 6_000 } },
    });
    expect(await answered(report(LIE), { max_tokens: 20 }, {}, words)).toMatchObject({
      evidence: 'bounded',
      usage: { output: { total: 6_000 } },
    });
  });

  it('believes reasoning within the cap, and what vendors count beside the text', async () => {
    expect(await answered(report(4_800, 4_790), { max_tokens: 4_096 })).toMatchObject({
      evidence: 'reported',
      usage: { output: { total: 4_800 } },
    });
    expect(await answered(report(900), { max_tokens: 20 })).toMatchObject({ evidence: 'reported' });
  });

  it('counts reasoning against the cap, but for a vendor whose cap does not cover it', async () => {
    const usage = report(30_010, 30_000);
    expect(await answered(usage, { max_tokens: 20 })).toMatchObject({
      evidence: 'bounded',
      usage: { output: { total: 20 } },
    });
    expect(await answered(usage, { max_tokens: 20 }, { channelType: 40 })).toMatchObject({
      evidence: 'reported',
      usage: { output: { total: 30_010 } },
    });
  });

  it('believes reasoning up to the largest answer of the model when no cap was sent', async () => {
    expect(await answered(report(131_010, 131_000))).toMatchObject({ evidence: 'reported' });
    expect(await answered(report(150_010, 150_000))).toMatchObject({ evidence: 'bounded' });
  });

  it('charges the prompt for an input far above what was sent, and the output as reported', async () => {
    expect(await answered(report(5, undefined, 900_000))).toMatchObject({
      evidence: 'bounded',
      usage: { input: { total: PROMPT_TOKENS }, output: { total: 5 } },
      note: 'the upstream reported more input than the request allows',
    });
    expect(await answered(report(LIE, undefined, 900_000), { max_tokens: 20 })).toMatchObject({
      note: 'the upstream reported more input and output than the request allows',
      priced: PROMPT_TOKENS + 40,
    });
  });

  it('bounds the report of a stream, and of one that is cut behind it', async () => {
    for (const isCut of [false, true]) {
      const ports = new MemoryPorts();
      ports.quota.balance = 10_000_000;
      ports.sender.scripts = [
        (upstream) => {
          upstream.head().events(delta('a'), usageFrame(10, LIE));
          if (isCut) upstream.breakWith({ kind: 'reset' });
          else upstream.events(finish, '[DONE]').end();
        },
      ];
      await startStream(ports, { max_tokens: 20 }).done;
      expect(ports.quota.settled).toMatchObject([
        { evidence: 'bounded', outcome: isCut ? 'partial' : 'ok', priced: 10 + 2 * 20 },
      ]);
      expectNothingLeft(ports);
    }
  });

  it('writes no checkpoint above the bound, and holds nothing for it', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { done } = startStream(ports, { max_tokens: 20 });
    const upstream = await arrived;
    upstream.head().events(usageFrame(900_000, LIE), ...Array.from({ length: 60 }, () => delta('a')));
    expect(ports.quota.checkpoints.length).toBeGreaterThan(0);
    for (const { input, output } of ports.quota.checkpoints) {
      expect(input.total).toBe(PROMPT_TOKENS);
      expect(output.total).toBeLessThanOrEqual(60);
    }
    expect(ports.quota.extensions).toBe(0);
    upstream.events(finish, '[DONE]').end();
    await done;
    expectNothingLeft(ports);
  });
});

describe('a stream that brings more than the request allows', () => {
  const call = (index: number) =>
    JSON.stringify({
      id: 'c1',
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '' } }] },
        },
      ],
    });

  async function flooded(events: readonly string[], more: object) {
    const ports = new MemoryPorts();
    ports.quota.balance = 100_000_000;
    ports.options.value = someOptions({ maxResponseBytes: 64 * 1024 * 1024 });
    const arrived = ports.sender.next();
    const { reply, done } = startStream(ports, more);
    const upstream = await arrived;
    upstream.head();
    // A hold that is topped up pauses the upstream for a turn.
    for (const event of events) {
      upstream.events(event);
      while (upstream.isPaused) await new Promise(setImmediate);
      if (upstream.isAborted) break;
    }
    upstream.end();
    await done;
    expectNothingLeft(ports);
    return { reply, upstream, settled: ports.quota.settled[0] };
  }

  it('stops it, and charges what came', async () => {
    const words = Array.from({ length: 10_000 }, () => delta(' word'));
    const { reply, upstream, settled } = await flooded(words, { max_tokens: 20 });
    expect(upstream.isAborted).toBe(true);
    expect(reply.text).toContain('The answer grew longer than the request allows.');
    expect(settled).toMatchObject({ outcome: 'limit', evidence: 'counted' });
    const output = settled?.usage.output.total ?? 0;
    expect(output).toBeGreaterThan(1_000);
    expect(output).toBeLessThan(1_100);
  });

  it('stops 100,000 empty tool calls at 10,000, and charges those', async () => {
    const { upstream, settled } = await flooded(
      Array.from({ length: 100_000 }, (_, at) => call(at)),
      {
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
    );
    expect(upstream.isAborted).toBe(true);
    expect(settled?.outcome).toBe('partial');
    // The name and the frame of each.
    expect(settled?.usage.output.total).toBeGreaterThan(7 * 9_990);
    expect(settled?.usage.output.total).toBeLessThan(8 * 10_010);
  });

  it('lets an answer within twice its cap pass, since our tokens are not the vendor’s', async () => {
    const words = Array.from({ length: 1_900 }, () => delta(' word'));
    const { upstream, settled } = await flooded([...words, finish, '[DONE]'], { max_tokens: 1_000 });
    expect(upstream.isAborted).toBe(false);
    expect(settled).toMatchObject({
      outcome: 'ok',
      evidence: 'counted',
      usage: { output: { total: 1_900 } },
    });
  });
});
