import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { RelayClient } from '../../support/relay-client.js';
import { json, VendorServer } from './vendor-server.js';

interface Row {
  readonly vendor: string;
  readonly channel: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** The first piece of an answer, as it stands in the stream. */
  readonly piece: string;
}

const line = (document: unknown): string => `data: ${JSON.stringify(document)}\n\n`;
const WORDS = 'Rain in the north, and';
const ROWS: readonly Row[] = [
  {
    vendor: 'Baidu',
    channel: { type: 15, key: 'client|secret' },
    path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/baidu-model',
    piece: line({ id: 'as', sentence_id: 0, is_end: false, result: WORDS }),
  },
  {
    vendor: 'Spark',
    channel: { type: 18, key: 'app|secret|key', other: 'v3.5' },
    path: '/v1/chat/completions',
    piece: line({ code: 0, sid: 's', choices: [{ index: 0, delta: { role: 'assistant', content: WORDS } }] }),
  },
  {
    vendor: 'AI Proxy library',
    channel: { type: 21, key: 'sk-library', other: 'library' },
    path: '/api/library/ask',
    piece: line({ content: WORDS, finish: false, model: 'm' }),
  },
  {
    vendor: 'Tencent',
    channel: { type: 23, key: '1|id|secret' },
    path: '/',
    piece: line({ Id: 't', Choices: [{ Delta: { Role: 'assistant', Content: WORDS } }] }),
  },
  {
    vendor: 'Coze',
    channel: { type: 49, key: 'pat_x', other: 'bot' },
    path: '/v3/chat',
    piece: `event: conversation.message.delta\n${line({ id: 'm', chat_id: 'c', type: 'answer', content: WORDS })}`,
  },
];
const modelOf = ({ vendor }: Row): string => `${vendor.toLowerCase().replaceAll(' ', '-')}-model`;

let vendor: VendorServer;
let gateway: GatewayProcess;
let admin: GatewayConsole;
let client: RelayClient;
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-killed-'));

interface Line {
  readonly model_name: string;
  readonly request_id: string;
  readonly quota: number;
}

const linesOf = async (model: string): Promise<readonly Line[]> =>
  (
    await admin.send<{ items: readonly Line[] }>(
      'GET',
      `/api/log/?p=1&page_size=20&type=2&model_name=${model}`,
    )
  ).items;

async function expectRightBooks(): Promise<void> {
  const check = await admin.waitFor(
    () => gateway.checkMoney(),
    ({ exitCode }) => exitCode === 0,
    60_000,
  );
  expect(check.output).toContain('right');
}

beforeAll(async () => {
  vendor = await VendorServer.start();
  gateway = await GatewayProcess.start({ dataDir });
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(ROWS.map(modelOf)), RetryTimes: 0 });
  for (const row of ROWS)
    await admin.addChannel({ base_url: vendor.url, ...row.channel, models: [modelOf(row)] });
  vendor.on('/oauth/2.0/token', json({ access_token: '24.token', expires_in: 2_592_000 }));
  const { key } = await admin.addToken();
  client = new RelayClient(gateway.url, key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  gateway?.removeData();
  await vendor?.close();
});

describe('streams of vendors with interfaces of their own', () => {
  it('charges them once when they are cut, and the books are right at once', async () => {
    for (const row of ROWS) {
      vendor.on(row.path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(row.piece, () => response.socket?.destroy());
      });
      const stream = await client.openStream(modelOf(row));
      expect((await stream.readAll()).text).toContain('error');
      const lines = await admin.waitFor(
        () => linesOf(modelOf(row)),
        ({ length }) => length > 0,
      );
      expect(lines.map(({ quota }) => quota > 0)).toEqual([true]);
    }
    await expectRightBooks();
  });

  it('charges them once when the gateway is killed in their middle, and the books are right after the start', async () => {
    const before = await admin.balance();
    const streams = [];
    for (const row of ROWS) {
      // The stream stops after its first piece.
      vendor.on(row.path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(row.piece);
      });
      const stream = await client.openStream(modelOf(row));
      expect(await stream.readEvents(1)).toContain('data: {');
      streams.push(stream.readAll());
    }
    await gateway.kill();
    for (const stream of streams) expect((await stream).isCut).toBe(true);
    gateway = await GatewayProcess.start({ dataDir });
    admin = new GatewayConsole(gateway.url);
    await admin.signIn();
    await expectRightBooks();
    let charged = 0;
    for (const row of ROWS) {
      const lines = await admin.waitFor(
        () => linesOf(modelOf(row)),
        ({ length }) => length > 1,
      );
      expect({ vendor: row.vendor, calls: new Set(lines.map((one) => one.request_id)).size }).toEqual({
        vendor: row.vendor,
        calls: 2,
      });
      expect(lines).toHaveLength(2);
      charged += lines[0]?.quota ?? 0;
    }
    await admin.waitFor(
      () => admin.balance(),
      (balance) => before - balance === charged,
    );
  });
});
