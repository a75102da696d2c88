import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { GatewayConsole, missing } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';
import { until } from '../../../support/until.js';

/** Thinking tokens a vendor reports before the first text; the others report at the end only, which does not come. */
const TOLD = 700;
const PROMPT = 5;
/** So little that what the vendor may make is capped by what the account can pay: the cap is what was held for. */
const BALANCE = 20_000;
/** Answers at once: bytes sent before its request have been read when its answer is there. */
const QUICK = 'fx-quick';
const event = (document: object, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(document)}\n\n`;

interface Thinker {
  readonly type: number;
  readonly told: number;
  readonly begin: readonly string[];
  readonly capOf: (body: Record<string, unknown>) => unknown;
}

const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };

const THINKERS: Readonly<Record<string, Thinker>> = {
  'o3-mini': {
    type: 1,
    told: 0,
    begin: [
      event({
        ...CHUNK,
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      }),
    ],
    capOf: (body) => body['max_completion_tokens'] ?? body['max_tokens'],
  },
  'gemini-2.5-flash': {
    type: 24,
    told: TOLD,
    begin: [
      event({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] } }],
        usageMetadata: {
          promptTokenCount: PROMPT,
          thoughtsTokenCount: TOLD,
          totalTokenCount: PROMPT + TOLD,
        },
      }),
    ],
    capOf: (body) => (body['generationConfig'] as { maxOutputTokens?: number } | undefined)?.maxOutputTokens,
  },
  'claude-opus-4-6': {
    type: 14,
    told: 0,
    begin: [
      event(
        {
          type: 'message_start',
          message: {
            id: 'msg',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: PROMPT, output_tokens: 1 },
          },
        },
        'message_start',
      ),
      event(
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'thinking', thinking: '', signature: '' },
        },
        'content_block_start',
      ),
    ],
    capOf: (body) => body['max_tokens'],
  },
};

const CLIENT_ROUTES: Readonly<Record<string, (model: string) => object>> = {
  '/v1/chat/completions': (model) => ({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  '/v1/messages': (model) => ({
    model,
    stream: true,
    max_tokens: 4_000,
    messages: [{ role: 'user', content: 'Hi' }],
  }),
  '/v1/responses': (model) => ({ model, stream: true, input: 'Hi' }),
};
const CALLS = Object.keys(THINKERS).flatMap((model) =>
  Object.keys(CLIENT_ROUTES).map((path) => [model, path] as const),
);

describe('a client that leaves a stream before its first word, while the model thinks unseen', () => {
  let vendor: Server;
  let app: TestApp;
  let root: GatewayConsole;
  let client: RelayClient;
  let begun: Record<string, unknown>[];
  let left: number;
  let accounts = 0;

  beforeAll(async () => {
    begun = [];
    left = 0;
    vendor = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
        const model = Object.keys(THINKERS).find(
          (name) => body['model'] === name || request.url?.includes(name) === true,
        );
        if (model === undefined) {
          const message = { role: 'assistant', content: 'Yes' };
          const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
          response.setHeader('content-type', 'application/json');
          response.end(
            JSON.stringify({
              ...CHUNK,
              object: 'chat.completion',
              choices: [{ index: 0, message, finish_reason: 'stop' }],
              usage,
            }),
          );
          return;
        }
        response.on('close', () => (left += 1));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write((THINKERS[model] ?? missing()).begin.join(''), () => begun.push(body));
      });
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    app = await startTestApp();
    root = new GatewayConsole(app.url);
    await root.setUp();
    const names = Object.keys(THINKERS);
    const all = (value: number) => Object.fromEntries([...names, QUICK].map((name) => [name, value]));
    await root.setOptions({ ModelRatio: all(1), CompletionRatio: all(2) });
    const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    for (const name of names)
      await root.addChannel({ type: (THINKERS[name] ?? missing()).type, base_url, models: [name] });
    await root.addChannel({ base_url, models: [QUICK] });
    client = new RelayClient(app.url, (await root.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await app?.close();
    vendor.closeAllConnections();
    vendor.close();
  });

  it.each(CALLS)('charges known output (%s, %s), and never more than was held', async (model, path) => {
    const { told, capOf } = THINKERS[model] ?? missing();
    const owner = await root.addUser(`thinker${(accounts += 1)}`, BALANCE);
    const { id: userId } = await owner.send<{ id: number }>('GET', '/api/user/self');
    const leaving = new RelayClient(app.url, (await owner.addToken()).key);
    const settlements = app.dataSource.getRepository(SettlementEntity);
    const [begunBefore, leftBefore] = [begun.length, left];
    const { request } = leaving.open({ path, body: (CLIENT_ROUTES[path] ?? missing())(model) });
    request.on('error', () => undefined).on('response', (response) => response.resume());
    await until(() => begun.length > begunBefore);
    await client.chat(QUICK);
    request.destroy();
    await until(() => left > leftBefore);
    leaving.close();
    await until(async () => (await settlements.countBy({ userId })) > 0);
    const [row = missing()] = await settlements.findBy({ userId });
    expect(row.outcome).toBe('client_abort');
    const cap = capOf(begun.at(-1) ?? missing());
    expect(cap).toBeGreaterThan(TOLD);
    // A prompt of one word; dialects may wrap it.
    expect(row.charged).toBeGreaterThanOrEqual(1 + 2 * told);
    expect(row.charged + row.writeoff).toBeLessThanOrEqual(50 + 2 * Number(cap));
    expect(await checkMoney(app.dataSource, { isQuiet: false })).toEqual([]);
  });
});
