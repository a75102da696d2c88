import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';

/** Tokens the model thinks before its first text, unless the request caps it. */
const THOUGHTS = 30_000;
const PROMPT = 1;
const MODELS = { 'o3-mini': 1, 'mapped-name': 1, 'gemini-2.5-flash': 24 } as const;
const CALLS = Object.keys(MODELS).flatMap((model) =>
  ['/v1/chat/completions', '/v1/messages', '/v1/responses'].map((path) => [model, path] as const),
);
const MESSAGES = [{ role: 'user', content: 'Hi' }];
/** Calls whose format asks for a cap name none here. */
const bodyOf = (path: string, model: string): object =>
  path === '/v1/responses'
    ? { model, stream: true, input: 'Hi' }
    : { model, stream: true, messages: MESSAGES };

const event = (document: object): string => `data: ${JSON.stringify(document)}\n\n`;
const chat = (made: number): string[] => {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const usage = {
    prompt_tokens: PROMPT,
    completion_tokens: made,
    total_tokens: PROMPT + made,
    completion_tokens_details: { reasoning_tokens: made - 1 },
  };
  return [
    event({
      ...head,
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes' }, finish_reason: null }],
    }),
    event({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    event({ ...head, choices: [], usage }),
    'data: [DONE]\n\n',
  ];
};
const gemini = (made: number): string[] => [
  event({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: PROMPT,
      candidatesTokenCount: 1,
      thoughtsTokenCount: made - 1,
      totalTokenCount: PROMPT + made,
    },
  }),
];

describe('a stream without a cap to a model that thinks unseen', () => {
  let vendor: Server;
  let app: TestApp;
  let root: GatewayConsole;
  let made = 0;
  let caps: (number | undefined)[] = [];
  let names = 0;

  beforeAll(async () => {
    vendor = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          max_completion_tokens?: number;
          max_tokens?: number;
          generationConfig?: { maxOutputTokens?: number };
        };
        const isGemini = request.url?.includes('gemini') === true;
        const cap = isGemini
          ? body.generationConfig?.maxOutputTokens
          : (body.max_completion_tokens ?? body.max_tokens);
        const tokens = Math.min(cap ?? THOUGHTS, THOUGHTS);
        caps.push(cap);
        made += tokens;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const one of isGemini ? gemini(tokens) : chat(tokens)) response.write(one);
        response.end();
      });
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    app = await startTestApp();
    root = new GatewayConsole(app.url);
    await root.setUp();
    const all = (value: number) => Object.fromEntries(Object.keys(MODELS).map((name) => [name, value]));
    await root.setOptions({ ModelRatio: all(1), CompletionRatio: all(2) });
    const { port } = vendor.address() as AddressInfo;
    for (const [name, type] of Object.entries(MODELS))
      await root.addChannel({
        type,
        base_url: `http://127.0.0.1:${port}`,
        models: [name],
        ...(name === 'mapped-name' ? { model_mapping: '{"mapped-name":"o3-mini"}' } : {}),
      });
  });
  afterAll(async () => {
    await app?.close();
    vendor.close();
  });

  /** So many calls at once by a new account with so much. */
  const ask = async (path: string, model: string, balance: number, calls: number) => {
    [made, caps] = [0, []];
    const owner = await root.addUser(`thinker${(names += 1)}`, balance);
    const { id: userId } = await owner.send<{ id: number }>('GET', '/api/user/self');
    const client = new RelayClient(app.url, (await owner.addToken()).key);
    const body = bodyOf(path, model);
    const answers = await Promise.all(Array.from({ length: calls }, () => client.ask({ path, body })));
    client.close();
    const served = answers.filter(({ status }) => status === 200).length;
    const settlements = app.dataSource.getRepository(SettlementEntity);
    await root.waitFor(
      () => settlements.countBy({ userId }),
      (booked) => booked === served,
    );
    const rows = await settlements.findBy({ userId });
    const lines = await root.send<{ items: { content: string }[] }>(
      'GET',
      `/api/log/?type=2&username=thinker${names}`,
    );
    expect(await checkMoney(app.dataSource, { isQuiet: false })).toEqual([]);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      statuses: answers.map(({ status }) => status),
      charged: sum(rows.map(({ charged }) => charged)),
      writtenOff: sum(rows.map(({ writeoff }) => writeoff)),
      price: served * PROMPT + 2 * made,
      balance: await owner.balance(),
      overruns: lines.items.filter(({ content }) => content.includes('more than was set aside')).length,
    };
  };

  it.each(CALLS)('holds for all tokens the model may think (%s, %s)', async (model, path) => {
    const { statuses, charged, price, overruns } = await ask(path, model, 10_000_000, 3);
    expect(statuses).toEqual([200, 200, 200]);
    expect(charged).toBe(price);
    expect(overruns).toBe(0);
  });

  it.each(CALLS)('lets no model think further than the account can pay (%s, %s)', async (model, path) => {
    const { statuses, charged, writtenOff, price, balance } = await ask(path, model, 20_000, 5);
    if (model !== 'mapped-name') {
      expect(statuses).toContain(200);
      expect(caps[0]).toBeLessThan(10_000);
    }
    for (const status of statuses) expect([200, 403]).toContain(status);
    expect({ charged, writtenOff }).toEqual({ charged: price, writtenOff: 0 });
    expect(balance).toBe(20_000 - price);
  });
});
