import { describe, expect, it } from '@jest/globals';
import { aWireCall, clientRouteOf } from '../../../test/support/relay-calls.js';
import { aCaller, aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import { type MemoryExchange, MemoryReply } from '../../../test/support/memory-sides.js';
import { anthropic } from '../dialects/anthropic.js';
import type { Dialect } from '../dialects/dialect.js';
import { gemini } from '../dialects/gemini.js';
import { openai } from '../dialects/openai.js';
import type { Operation } from '../model/operation.js';
import { runCall } from './run-call.js';

const PROMPT = [{ role: 'user', content: 'hello there' }];
/** 3 to prime + 3 for the message + a token for each of the two short words. */
const PROMPT_TOKENS = 8;

const delta = (content: string): string =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content } }] });
const finish = JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const usageFrame = (prompt: number, completion: number): string =>
  JSON.stringify({
    id: 'c1',
    choices: [],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  });
const completion = (content: string, usage?: unknown) => ({
  id: 'c1',
  object: 'chat.completion',
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage === undefined ? {} : { usage }),
});
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
/** 10 × 1 + 5 × 2 */
const USAGE_CHARGE = 20;

function start(
  ports: MemoryPorts,
  body: unknown,
  options: { key?: string; operation?: Operation; dialect?: Dialect } = {},
) {
  const { dialect = openai } = options;
  const reply = new MemoryReply();
  const call = aWireCall({
    headers: { authorization: `Bearer ${options.key ?? 'sk-test'}` },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    pathModel: dialect === gemini ? 'gpt-test' : undefined,
    receivedAtMs: ports.clock.nowMs(),
  });
  const done = runCall(ports, call, dialect, clientRouteOf(dialect, options.operation ?? 'chat'), reply);
  return { reply, done };
}
const startStream = (ports: MemoryPorts, more: object = {}) =>
  start(ports, { model: 'gpt-test', stream: true, messages: PROMPT, ...more });

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string | null;
    readonly param: string | null;
  };
}
const errorOf = (reply: MemoryReply) => (reply.json as ErrorBody).error;

/** Whatever happened, no hold and no timer outlives a call. */
function expectNothingLeft(ports: MemoryPorts) {
  expect(ports.quota.holds.size).toBe(0);
  expect(ports.clock.waiting).toBe(0);
}

describe('refusals before anything goes upstream', () => {
  it('answers 401 for a missing or unknown key', async () => {
    const ports = new MemoryPorts();
    const { reply, done } = start(ports, {}, { key: 'sk-other' });
    await done;
    expect(reply.status).toBe(401);
    expect(errorOf(reply)).toMatchObject({ type: 'invalid_request_error', code: 'invalid_api_key' });
    expect(errorOf(reply).message).toMatch(/\(request id: call-1\)$/);
    expect(ports.sender.exchanges).toHaveLength(0);
  });

  it('BIL-04 names the model when no price is set, and holds nothing', async () => {
    const ports = new MemoryPorts();
    const { reply, done } = start(ports, { model: 'unpriced', messages: PROMPT });
    await done;
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ code: 'model_price_error' });
    expectNothingLeft(ports);
    expect(ports.journal.failures).toHaveLength(1);
  });

  it('refuses a model outside the token limits', async () => {
    const ports = new MemoryPorts();
    ports.callers.known.set('sk-narrow', aCaller({ modelLimits: new Set(['other']) }));
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT }, { key: 'sk-narrow' });
    await done;
    expect(reply.status).toBe(403);
  });

  it('RLY-07 refuses a prompt with an operator’s word, and records its number only', async () => {
    const ports = new MemoryPorts();
    ports.options.value = someOptions({ sensitiveWords: ['harmless', 'THERE'] });
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(400);
    expect(errorOf(reply).code).toBe('sensitive_words_detected');
    expect(ports.journal.failures[0]?.error.cause).toBe('sensitive word 2');
    expect(JSON.stringify(ports.journal.failures)).not.toContain('hello');
    expect(ports.quota.balance).toBe(1_000_000);
  });

  it('says that it is the key that has too little, where not even one token of an answer can be held', async () => {
    const ports = new MemoryPorts();
    const { reserve } = ports.quota;
    ports.quota.reserve = (input) =>
      input.affordable === true
        ? reserve.call(ports.quota, input)
        : {
            ok: false,
            error: { kind: 'quota-insufficient', blame: 'caller', scope: 'token', message: 'Small.' },
          };
    ports.quota.balance = PROMPT_TOKENS + 1;
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(403);
    expect(errorOf(reply).code).toBe('pre_consume_token_quota_failed');
    expectNothingLeft(ports);
    expect(ports.quota.balance).toBe(PROMPT_TOKENS + 1);
  });

  it('answers 403 insufficient_user_quota and logs no error', async () => {
    const ports = new MemoryPorts();
    ports.quota.balance = 3;
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT, max_tokens: 50 });
    await done;
    expect(reply.status).toBe(403);
    expect(errorOf(reply).code).toBe('insufficient_user_quota');
    expect(ports.journal.failures).toHaveLength(0);
    expect(ports.quota.balance).toBe(3);
  });

  it('answers 503 model_not_found without a channel and gives the hold back', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes.length = 0;
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(503);
    expect(errorOf(reply).code).toBe('model_not_found');
    expect(ports.quota.balance).toBe(1_000_000);
    expect(ports.quota.released).toEqual(['call-1']);
  });

  it('says which vendor is not implemented yet', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({ channelType: 2 });
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(501);
    expect(errorOf(reply).message).toContain('Midjourney');
    expect(ports.sender.exchanges).toHaveLength(0);
  });

  it('sends nothing when the dispatch cannot be recorded', async () => {
    const ports = new MemoryPorts();
    ports.quota.spoolFault = new Error('disk full');
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.text).not.toContain('disk');
    expect(ports.sender.exchanges).toHaveLength(0);
    expectNothingLeft(ports);
  });
});

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
    [
      'cached above prompt',
      { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 99 } },
    ],
  ])('UP-01 a %s usage is replaced by the own count', async (_name, usage) => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three', usage))];
    const { done } = start(ports, { model: 'gpt-test', messages: PROMPT, max_tokens: 50 });
    await done;
    const [settled] = ports.quota.settled;
    expect(settled?.evidence).toBe('counted');
    expect(settled?.usage.output.total).toBe(3);
    expect(settled?.note).not.toBe('');
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
    'UP-01 too much %s is replaced by the own count, passed through and translated',
    async (_name, usage, more) => {
      for (const translates of [false, true]) {
        const ports = new MemoryPorts();
        if (translates) ports.channels.routes[0] = aRoute({ settings: { forceFormat: true } });
        ports.sender.scripts = [(upstream) => upstream.json(200, completion('one two three', usage))];
        const { done } = start(ports, { model: 'gpt-test', messages: [{ ...PROMPT[0], ...more }] });
        await done;
        const [settled] = ports.quota.settled;
        expect(settled?.evidence).toBe('counted');
        expect(settled?.usage.input.total).toBeLessThan(20);
        expect(settled?.usage.output.total).toBe(3);
        expect(settled?.note).not.toBe('');
      }
    },
  );

  it.each(['{"status":"failed","trace":"/srv/secret"}', 'boom at /srv/secret', '{}'])(
    'UP-09 an event named error is one whatever its data: %s',
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

  it('UP-01 a false report of a stream that was cut bounds nothing', async () => {
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
    expect(ports.quota.settled).toMatchObject([{ priced: PROMPT_TOKENS + 6, evidence: 'counted' }]);
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
  ])('UP-01 takes a true report of %s', async (_name, messages, input, output) => {
    const ports = new MemoryPorts();
    const usage = { prompt_tokens: input, completion_tokens: output };
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('one', usage))];
    const { done } = start(ports, { model: 'gpt-test', messages });
    await done;
    expect(ports.quota.settled).toMatchObject([
      { evidence: 'reported', usage: { input: { total: input }, output: { total: output } } },
    ]);
  });

  it('BIL-07 an explicit zero with nothing produced costs nothing', async () => {
    const ports = new MemoryPorts();
    const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('', zero))];
    const { reply, done } = start(ports, { model: 'gpt-test', messages: PROMPT });
    await done;
    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toMatchObject([{ priced: 0, evidence: 'none' }]);
  });

  it('UP-09 an error inside a 200 and an empty answer are failures that are tried elsewhere', async () => {
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

  it('UP-06 shows neither the key nor addresses of the upstream', async () => {
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

  it.each([0, 1, 3])('tries as many other channels as RetryTimes says: %i', async (retryTimes) => {
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

  it('UP-02 a redirect is a failure, not a success', async () => {
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

  it('RLY-11 stops retrying when every channel fails for everybody', async () => {
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

  it('RLY-11 a stream that has begun does not count against the retries of the calls beside it', async () => {
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

  it('F-20 a stream reset after output gets an error event, never a clean end, and is charged for what came', async () => {
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

  it('RLY-09 F-24 comments alone do not keep a stream alive', async () => {
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

  it('RLY-09 F-24 an endless stream is ended by the total limit', async () => {
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

  it('tells a failure behind a ping as an event', async () => {
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

describe('what goes upstream', () => {
  it('sends the caller’s bytes with only the model renamed', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({ upstreamModel: 'mapped', isModelMapped: true });
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    const body =
      '{ "messages":[{"role":"user","content":"h\\u00e9"}],\n "model" : "gpt-test" , "x_unknown": 1.50 }';
    await start(ports, body).done;
    expect(ports.sender.exchanges[0]?.request.body?.toString()).toBe(body.replace('"gpt-test"', '"mapped"'));
    expect(ports.quota.settled[0]).toMatchObject({ shape: { model: 'gpt-test' }, upstreamModel: 'mapped' });
  });

  it('RLY-01 carries the channel’s address and key and nothing of the client’s', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    await start(ports, {
      model: 'gpt-test',
      messages: PROMPT,
      api_base: 'https://thief.example',
      base_url: 'x',
      proxy: 'y',
    }).done;
    const request = ports.sender.exchanges[0]?.request;
    expect(request?.url).toBe('https://upstream.example/v1/chat/completions');
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
      'accept',
      'authorization',
      'content-type',
      'user-agent',
      'via',
    ]);
    expect(request?.headers['authorization']).toBe('Bearer sk-upstream-credential-0001');
    expect(request?.body?.toString()).not.toMatch(/thief|base_url|proxy/);
  });

  it('RLY-03 a model written twice or with escapes is served as it is billed', async () => {
    for (const body of [
      '{"model":"cheap","messages":[{"role":"user","content":"x"}],"model":"gpt-test"}',
      '{"mod\\u0065l":"gpt-test","messages":[{"role":"user","content":"x"}]}',
    ]) {
      const ports = new MemoryPorts();
      ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
      await start(ports, body).done;
      expect(ports.quota.settled[0]?.shape.model).toBe('gpt-test');
      const sent = ports.sender.exchanges[0]?.request.body?.toString() ?? '';
      expect(sent.match(/"model"/g)).toHaveLength(1);
      expect(ports.sender.exchanges[0]?.body['model']).toBe('gpt-test');
    }
  });

  it('merges the parameter override, but never the model, the stream switch or a higher cap', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({
      paramOverride: { temperature: 0, model: 'dear', stream: true, max_tokens: 1_000_000, top_k: 5 },
    });
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    await start(ports, { model: 'gpt-test', messages: PROMPT, max_tokens: 20 }).done;
    expect(ports.sender.exchanges[0]?.body).toEqual({
      model: 'gpt-test',
      messages: PROMPT,
      max_tokens: 20,
      temperature: 0,
      top_k: 5,
    });
  });

  it('puts the channel’s system prompt first when the caller gave none', async () => {
    const ports = new MemoryPorts();
    ports.channels.routes[0] = aRoute({ settings: { systemPrompt: 'Be brief.' } });
    ports.sender.scripts = [(upstream) => upstream.json(200, completion('hi', USAGE))];
    await start(ports, { model: 'gpt-test', messages: PROMPT, x_unknown: true }).done;
    expect(ports.sender.exchanges[0]?.body).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, ...PROMPT],
      x_unknown: true,
    });
  });
});

describe('embeddings', () => {
  const reply = (usage?: object) => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
    model: 'gpt-test',
    ...(usage === undefined ? {} : { usage }),
  });

  it('charges them by the reported prompt', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, reply({ prompt_tokens: 4, total_tokens: 4 }))];
    const { reply: client, done } = start(
      ports,
      { model: 'gpt-test', input: ['a b', 'c'] },
      { operation: 'embed' },
    );
    await done;
    expect(client.status).toBe(200);
    expect(ports.sender.exchanges[0]?.request.url).toBe('https://upstream.example/v1/embeddings');
    expect(ports.quota.settled).toMatchObject([{ priced: 4, evidence: 'reported' }]);
  });

  it('charges them by the own estimate when nothing was reported', async () => {
    const ports = new MemoryPorts();
    ports.sender.scripts = [(upstream) => upstream.json(200, reply())];
    await start(ports, { model: 'gpt-test', input: [1, 2, 3, 4, 5] }, { operation: 'embed' }).done;
    expect(ports.quota.settled).toMatchObject([{ priced: 5, evidence: 'counted' }]);
  });

  it('refuse an empty input', async () => {
    const ports = new MemoryPorts();
    const { reply: client, done } = start(ports, { model: 'gpt-test', input: [] }, { operation: 'embed' });
    await done;
    expect(client.status).toBe(400);
    expect(errorOf(client).param).toBe('input');
  });
});
