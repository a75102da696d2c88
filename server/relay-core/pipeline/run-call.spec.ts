import { describe, expect, it } from '@jest/globals';
import { aCaller, aRoute, MemoryPorts, someOptions } from '../../../test/support/memory-ports.js';
import {
  PROMPT,
  PROMPT_TOKENS,
  completion,
  USAGE,
  start,
  errorOf,
  expectNothingLeft,
} from '../../../test/support/fixtures/run-call.fixture.js';

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

  it('names the model when no price is set, and holds nothing [BIL-04]', async () => {
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

  it('refuses a prompt with an operator’s word, and records its number only [RLY-07]', async () => {
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

  it('names the key as too small, where not even one token of an answer can be held', async () => {
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

  it('names the vendor that is not implemented', async () => {
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

  it('carries the channel’s address and key and nothing of the client’s [RLY-01]', async () => {
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

  it('a model written twice or with escapes is served as it is billed [RLY-03]', async () => {
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

  it('refuses an empty input', async () => {
    const ports = new MemoryPorts();
    const { reply: client, done } = start(ports, { model: 'gpt-test', input: [] }, { operation: 'embed' });
    await done;
    expect(client.status).toBe(400);
    expect(errorOf(client).param).toBe('input');
  });
});
