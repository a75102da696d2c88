import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { type MemoryExchange } from '../../../test/support/memory-sides.js';
import {
  PROMPT,
  PROMPT_TOKENS,
  delta,
  finish,
  usageFrame,
  completion,
  USAGE,
  USAGE_CHARGE,
  start,
  startStream,
  errorOf,
  expectNothingLeft,
} from '../../../test/support/fixtures/run-call.fixture.js';

describe('whole replies', () => {
  it('passes the bytes untouched and charges the reported usage', async () => {
    const ports = new MemoryPorts();
    const text = `{ "id":"x",  "choices":[{"index":0,"message":{"content":"hi \\u00e9"},"finish_reason":"stop"}], "usage":${JSON.stringify(USAGE)}, "extra":[1] }`;
    ports.sender.scripts = [
      (upstream) => upstream.head(200, { 'content-type': 'application/json' }).bytes(text).end(),
    ];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.text).toBe(text);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(ports.quota.settled).toMatchObject([
      { priced: USAGE_CHARGE, evidence: 'reported', outcome: 'ok' },
    ]);
    expect(ports.quota.balance).toBe(1_000_000 - USAGE_CHARGE);
    expect(ports.health.successes).toEqual([1]);
    expect(ports.admission.successes).toEqual([7]);
    expectNothingLeft(ports);
  });

  it('settles before the client has the last byte', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    let wasEndedAtSettlement = true;
    ports.quota.onSettled = () => {
      wasEndedAtSettlement = reply.isCommitted || reply.isEnded;
    };
    await done;
    expect(wasEndedAtSettlement).toBe(false);
    expect(reply.isEnded).toBe(true);
  });

  it('counts for itself when the usage is missing', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three'))];
    const { done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    // 9 prompt + 3 words × 2
    expect(ports.quota.settled).toMatchObject([{ priced: PROMPT_TOKENS + 6, evidence: 'counted' }]);
  });

  it.each([
    ['negative', { prompt_tokens: 10, completion_tokens: -1_000_000, total_tokens: 5 }],
    ['absurd', { prompt_tokens: 10, completion_tokens: 1e30, total_tokens: 5 }],
    ['text', { prompt_tokens: '10', completion_tokens: '12', total_tokens: 22 }],
    ['fractional', { prompt_tokens: 10, completion_tokens: 1.5 }],
    ['zero with content', { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }],
  ])('a %s usage is replaced by the own count [UP-01]', async (_name, usage) => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three', usage))];
    const { done } = start(ports, { model: 'gpt-test', messages: PROMPT, max_tokens: 50 });
    await done;
    const [settled] = ports.quota.settled;
    expect(settled?.evidence).toBe('counted');
    expect(settled?.usage.output.total).toBe(3);
    expect(settled?.note).not.toBe('');
  });

  it('charges a report with a part above its whole, and records how it was read', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 99 } };
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three', usage))];
    await start(ports, { model: 'gpt-test', messages: PROMPT, max_tokens: 50 }).done;
    expect(ports.quota.settled).toMatchObject([
      {
        evidence: 'reported',
        usage: { input: { total: 10, cacheRead: 10 }, output: { total: 3 } },
        note: 'the upstream reported parts above their whole: they were cut to it',
      },
    ]);
  });

  it.each([
    ['input for two words', { prompt_tokens: 100_000, completion_tokens: 3 }, {}],
    ['output for three words', { prompt_tokens: 10, completion_tokens: 3_000_000 }, {}],
    ['both', { prompt_tokens: 19_999_999, completion_tokens: 19_999_999 }, {}],
    [
      'input, although a picture is allowed for',
      { prompt_tokens: 200_000, completion_tokens: 3 },
      { image: 1 },
    ],
  ])(
    'bounds too much %s by what was sent and came, passed through and translated [UP-01]',
    async (_name, usage, more) => {
      for (const translates of [false, true]) {
        const ports = new MemoryPorts();
        if (translates) ports.channels.routes[0] = aRoute({ settings: { forceFormat: true } });
        ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three', usage))];
        const { done } = start(ports, { model: 'gpt-test', messages: [{ ...PROMPT[0], ...more }] });
        await done;
        const [settled] = ports.quota.settled;
        expect(settled?.evidence).toBe('bounded');
        expect(settled?.usage.input.total).toBeLessThan(20);
        expect(settled?.usage.output.total).toBe(3);
        expect(settled?.note).not.toBe('');
      }
    },
  );

  it.each(['{"status":"failed","trace":"/srv/secret"}', 'boom at /srv/secret', '{}'])(
    'an event named error is one whatever its data: %s [UP-09]',
    async (data) => {
      const ports = new MemoryPorts();
      const script = (upstream: MemoryExchange): void => {
        upstream
          .head(200, { 'content-type': 'text/event-stream' })
          .bytes(`event: error\ndata: ${data}\n\n`)
          .end();
      };
      ports.sender.scripts = [script, script, script, script];
      const { reply, done } = startStream(ports);
      await done;
      expect(reply.status).toBe(502);
      expect(reply.text).not.toContain('secret');
      expect(errorOf(reply).message).toContain('ended the answer with an error');
      expectNothingLeft(ports);
    },
  );

  it('charges what came for a false report of a stream that was cut [UP-01]', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) =>
        upstream
          .head(200, { 'content-type': 'text/event-stream' })
          .events(delta('one two three'), usageFrame(10_000_000, 10_000_000))
          .breakWith({ kind: 'reset' }),
    ];
    const { done } = startStream(ports);
    await done;
    expect(ports.quota.settled).toMatchObject([{ priced: PROMPT_TOKENS + 6, evidence: 'bounded' }]);
  });

  it.each([
    ['hidden reasoning', [{ role: 'user', content: 'hello' }], 20, 120_000],
    [
      'a picture',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }] }],
      48_000,
      3,
    ],
    ['a file', [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }], 800_000, 3],
  ])('takes a true report of %s [UP-01]', async (_name, messages, input, output) => {
    const ports = new MemoryPorts();
    const details = { completion_tokens_details: { reasoning_tokens: output - 1 } };
    const usage = { prompt_tokens: input, completion_tokens: output, ...details };
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one', usage))];
    const { done } = start(ports, { model: 'gpt-test', messages });
    await done;
    expect(ports.quota.settled).toMatchObject([
      { evidence: 'reported', usage: { input: { total: input }, output: { total: output } } },
    ]);
  });

  it('an explicit zero with nothing produced costs nothing [BIL-07]', async () => {
    const ports = new MemoryPorts();
    const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('', zero))];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toMatchObject([{ priced: 0, evidence: 'none' }]);
  });

  it('an error inside a 200 and an empty answer are failures that are tried elsewhere [UP-09]', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.push(aRoute({ channelId: 2 }), aRoute({ channelId: 3 }));
    ports.sender.scripts = [
      (upstream) => upstream.json(200, { error: { message: 'overloaded', type: 'server_error' } }),
      (upstream) => upstream.json(200, { id: 'x', choices: [] }),
      (upstream) => upstream.json(200, completion('hi', USAGE)),
    ];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(200);
    expect(ports.quota.dispatches.map(({ channelId }) => channelId)).toEqual([1, 2, 3]);
    expect(ports.quota.settled).toHaveLength(1);
    expect(ports.quota.settled[0]?.attempts.map(({ failure }) => failure)).toEqual([
      'upstream-overloaded',
      'upstream-malformed',
      undefined,
    ]);
    expect(ports.health.failures.map(({ channelId }) => channelId)).toEqual([1, 2]);
  });

  it('a stop with nothing in it is an empty answer, whole or streamed, and tried elsewhere', async () => {
    for (const stream of [false, true]) {
      const ports = new MemoryPorts();
      ports.channels.routes.push(aRoute({ channelId: 2 }));
      ports.sender.scripts = [
        (upstream) =>
          stream
            ? upstream.head().events(finish, usageFrame(10, 0), '[DONE]').end()
            : upstream.json(200, completion('', { prompt_tokens: 10, completion_tokens: 0 })),
        (upstream) =>
          stream
            ? upstream.head().events(delta('hi'), finish, usageFrame(10, 5), '[DONE]').end()
            : upstream.json(200, completion('hi', USAGE)),
      ];
      const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT, stream });
      await done;
      expect(reply.text).toContain('hi');
      expect(ports.quota.settled[0]?.attempts.map(({ failure }) => failure)).toEqual([
        'upstream-malformed',
        undefined,
      ]);
    }
  });

  it('holds what can be afforded and sends it upstream as the cap', async () => {
    const ports = new MemoryPorts();
    // Prompt 9, so (29 − 9) / 2 = 10 tokens can be paid.
    ports.quota.balance = 29;
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    const { done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(ports.sender.exchanges[0]?.body['max_tokens']).toBe(10);
  });

  it('turns a stream into a whole reply for a caller who asked for one', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [
      (upstream) =>
        upstream.head().events(delta('a '), delta('b'), finish, usageFrame(10, 5), '[DONE]').end(),
    ];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.json).toMatchObject({
      choices: [{ message: { content: 'a b' }, finish_reason: 'stop' }],
      usage: USAGE,
    });
    expect(ports.quota.settled).toMatchObject([{ priced: USAGE_CHARGE, evidence: 'reported' }]);
  });

  it('aborts and charges the prompt when the client leaves while the upstream works', async () => {
    const ports = new MemoryPorts();
    const arrived = ports.sender.next();
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    const upstream = await arrived;
    reply.leave();
    await done;
    expect(upstream.isAborted).toBe(true);
    expect(ports.quota.settled).toMatchObject([
      { outcome: 'client_abort', priced: PROMPT_TOKENS, evidence: 'counted' },
    ]);
    expectNothingLeft(ports);
  });
});
