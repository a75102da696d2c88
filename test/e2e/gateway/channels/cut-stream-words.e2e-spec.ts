import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { RelayClient } from '../../../support/relay-client.js';

const KEY = 'sk-channel-0123456789abcdef';
const SAID = 'Account 4711: operation not allowed';
const SENTENCE = `${SAID} (key ${KEY})`;

interface Vendor {
  readonly type: number;
  /** Events of a stream that breaks off with a failure in the vendor's own form. */
  readonly events: readonly string[];
  /** Its refusal of a whole answer. */
  readonly refusal: unknown;
}
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const data = (document: object): string => `data: ${JSON.stringify(document)}\n\n`;
const chunk = (delta: object): string =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null }],
  });

const VENDORS: Readonly<Record<string, Vendor>> = {
  openai: {
    type: 1,
    events: [
      chunk({ role: 'assistant', content: 'Hel' }),
      chunk({ content: 'lo' }),
      data({ error: { message: SENTENCE, type: 'server_error', code: null } }),
    ],
    refusal: { error: { message: SENTENCE, type: 'server_error', code: null } },
  },
  anthropic: {
    type: 14,
    events: [
      event('message_start', {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      }),
      event('content_block_start', {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      event('content_block_delta', {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'Hello' },
      }),
      event('error', { type: 'error', error: { type: 'api_error', message: SENTENCE } }),
    ],
    refusal: { type: 'error', error: { type: 'api_error', message: SENTENCE } },
  },
  gemini: {
    type: 24,
    events: [
      data({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] } }] }),
      data({ error: { code: 500, message: SENTENCE, status: 'INTERNAL' } }),
    ],
    refusal: { error: { code: 500, message: SENTENCE, status: 'INTERNAL' } },
  },
};
const CASES = Object.keys(VENDORS).flatMap((vendor) =>
  ['/v1/chat/completions', '/v1/messages', '/v1/responses'].map((path) => [vendor, path] as const),
);
const modelOf = (vendor: string, path: string): string => `cut-${vendor}-${path.split('/').at(-1)}`;

describe('an answer that its vendor breaks off with words', () => {
  let upstream: Server;
  let app: TestApp;
  let admin: GatewayConsole;
  let client: RelayClient;

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (part: Buffer) => chunks.push(part));
      request.on('end', () => {
        const text = `${request.url} ${Buffer.concat(chunks).toString('utf8')}`;
        const vendor = VENDORS[/cut-([a-z]+)-/.exec(text)?.[1] ?? ''];
        const isStream = text.includes('"stream":true') || text.includes(':streamGenerateContent');
        if (!isStream) {
          response.writeHead(500, { 'content-type': 'application/json' });
          response.end(JSON.stringify(vendor?.refusal));
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const one of vendor?.events ?? []) response.write(one);
        response.end();
      });
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    app = await startTestApp();
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions({
      ...FX_PRICES(CASES.map(([vendor, path]) => modelOf(vendor, path))),
      AutomaticDisableChannelEnabled: true,
      AutomaticDisableStatusCodes: '599',
    });
    client = new RelayClient(app.url, (await admin.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await app?.close();
    upstream.close();
  });

  it.each(CASES)(
    '(%s, asked at %s) shows the message to the operator: line, switch-off, audit and test',
    async (vendor, path) => {
      const model = modelOf(vendor, path);
      const { port } = upstream.address() as AddressInfo;
      const id = await admin.addChannel({
        type: VENDORS[vendor]?.type,
        base_url: `http://127.0.0.1:${port}`,
        key: KEY,
        models: [model],
      });
      const body =
        path === '/v1/responses'
          ? { model, stream: true, input: 'Hi' }
          : { model, stream: true, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
      const answer = await client.ask({ path, body });
      expect(answer.text).toContain('Hel');
      expect(answer.text).not.toContain(KEY);

      // Received text is charged, and its line holds the reason of the end.
      const lines = (address: string) => () =>
        admin.send<{ items: { other: string }[] }>('GET', `${address}?type=2&model_name=${model}`);
      const { items } = await admin.waitFor(lines('/api/log/'), (page) => page.items.length > 0);
      const { admin_info: info } = JSON.parse(items[0]?.other ?? '') as {
        admin_info: { upstream_error: string };
      };
      expect(info.upstream_error).toMatch(/^The provider (said|answered 500): /);
      expect(info.upstream_error).toContain(`${SAID} (key ***)`);
      const own = await lines('/api/log/self/')();
      expect(own.items[0]?.other).toContain('"outcome":"partial"');
      expect(own.items[0]?.other).not.toContain('upstream_error');

      const channel = () => admin.send<{ status: number; other_info: string }>('GET', `/api/channel/${id}`);
      const fallen = await admin.waitFor(channel, (row) => row.status === 3);
      expect(fallen.other_info).toContain(`${SAID} (key ***)`);
      const audit = await admin.send<{ items: { target_id: string; detail: string }[] }>(
        'GET',
        '/api/audit?action=channel.auto-off',
      );
      expect(audit.items.find(({ target_id }) => target_id === String(id))?.detail).toContain(SAID);
      const test = await admin.sendRaw<{ message: string }>(
        'GET',
        `/api/channel/test/${id}?model=${model}&stream=true`,
      );
      expect(test.message).toBe(info.upstream_error);
    },
  );
});
