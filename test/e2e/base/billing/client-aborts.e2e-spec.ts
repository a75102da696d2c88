import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { DataSource } from 'typeorm';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { FX_MESSAGES, RelayClient } from '../../../support/relay-client.js';
import { inOwnTongue } from './same-format-vendor.js';

/** Fifty tokens, one every 5 ms: prompt 10, answer 2 × 50. */
const MODEL = 'fx-json';
/** Takes a request and sends no answer. */
const SILENT = 'fx-silent';
/** The same two for an upstream with every dialect of its own, so that nothing is translated. */
const OWN = 'fx-own';
const OWN_SILENT = 'fx-own-silent';
const OWN_GEMINI = 'fx-own-gemini';
const OWN_GEMINI_SILENT = 'fx-own-gemini-silent';
/** A gateway behind ours, with the dialects of OpenAI and Anthropic, and Google itself. */
const [GATEWAY_TYPE, GOOGLE_TYPE] = [60, 24];
const FULL_CHARGE = 110;
/** Our own count of the prompt may differ a little from route to route. */
const MOST_PROMPT = 40;
const TEXT = FX_MESSAGES[0]?.content ?? '';

interface ClientRoute {
  readonly name: string;
  readonly talks?: string;
  readonly silent?: string;
  readonly path: (stream: boolean, model: string) => string;
  readonly body: (stream: boolean, model: string) => object;
}

const CLIENT_ROUTES: readonly ClientRoute[] = [
  {
    name: 'chat',
    path: () => '/v1/chat/completions',
    body: (stream, model) => ({ model, messages: FX_MESSAGES, stream }),
  },
  {
    name: 'Responses',
    path: () => '/v1/responses',
    body: (stream, model) => ({ model, input: TEXT, stream }),
  },
  {
    name: 'Anthropic',
    path: () => '/v1/messages',
    body: (stream, model) => ({ model, max_tokens: 200, messages: FX_MESSAGES, stream }),
  },
  {
    name: 'Gemini',
    path: (stream, model) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: TEXT }] }] }),
  },
];

const OWN_MODELS = [OWN, OWN_SILENT];
const GEMINI_MODELS = [OWN_GEMINI, OWN_GEMINI_SILENT];

const COMPLETIONS: ClientRoute = {
  name: 'completions',
  path: () => '/v1/completions',
  body: (stream, model) => ({ model, prompt: TEXT, stream, max_tokens: 200 }),
};

/** Every way from a caller to an upstream: translated, and byte by byte. */
const ROUTES: readonly ClientRoute[] = [
  ...CLIENT_ROUTES,
  ...[COMPLETIONS, ...CLIENT_ROUTES.filter(({ name }) => name !== 'chat')].map((clientRoute) => ({
    ...clientRoute,
    name: `${clientRoute.name}, untranslated`,
    talks: OWN,
    silent: OWN_SILENT,
    ...(clientRoute.name === 'Gemini' ? { talks: OWN_GEMINI, silent: OWN_GEMINI_SILENT } : {}),
  })),
];

/** Moment the client leaves, by the bytes the upstream has sent; `head` by those the client has seen. */
const STREAM_STAGES = [
  'before the head',
  'after the head',
  'in the middle',
  'before the end marker',
] as const;
type Stage = (typeof STREAM_STAGES)[number] | 'after the end';

interface Charge {
  readonly charged: number;
  readonly outcome: string;
}

describe.each(DATABASE_KINDS)('clients that leave, on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let upstream: FakeUpstream;
  let admin: GatewayConsole;
  let client: RelayClient;
  let books: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    upstream = await FakeUpstream.start();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    books = app.dataSource;
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES([MODEL, SILENT, ...OWN_MODELS, ...GEMINI_MODELS]));
    upstream.on(OWN, inOwnTongue);
    upstream.on(OWN_SILENT, () => undefined);
    // Gemini's model stands in the address.
    upstream.on('', (exchange) =>
      exchange.entry.path.includes(OWN_GEMINI_SILENT) ? undefined : inOwnTongue(exchange),
    );
    await admin.addChannel({ type: GATEWAY_TYPE, base_url: upstream.url, models: OWN_MODELS });
    await admin.addChannel({ type: GOOGLE_TYPE, base_url: upstream.url, models: GEMINI_MODELS });
    await admin.addChannel({ base_url: upstream.url, models: [MODEL, SILENT] });
    const user = await admin.addUser('carla', 1_000_000);
    client = new RelayClient(app.url, (await user.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await app?.close();
    await upstream?.close();
    await database?.drop();
  });

  const charges = async (): Promise<Charge[]> => {
    const rows: Record<string, unknown>[] = await books.query(
      'SELECT charged, outcome FROM settlements ORDER BY request_id',
    );
    return rows.map((row) => ({ charged: Number(row['charged']), outcome: String(row['outcome']) }));
  };

  /** One call whose client leaves at `stage`. @returns what it was charged, and how many tokens the upstream had sent */
  async function leaveAt(
    clientRoute: ClientRoute,
    stream: boolean,
    stage: Stage,
    model = clientRoute.talks ?? MODEL,
  ) {
    const before = (await charges()).length;
    const sentBefore = upstream.journal.length;
    const { request } = client.open({
      path: clientRoute.path(stream, model),
      body: clientRoute.body(stream, model),
    });
    request.on('error', () => undefined);
    const answered = once(request, 'response');
    answered.catch(() => undefined);
    const entry = await admin.waitFor(
      async () => upstream.journal.slice(sentBefore),
      (entries) => entries.length > 0,
    );
    const [call = missing()] = entry;
    if (stage === 'after the end') {
      const [response] = (await answered) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    } else {
      if (stage !== 'before the head') {
        const [response] = (await answered) as [IncomingMessage];
        response.on('error', () => undefined);
        response.resume();
      }
      const chunks = stage === 'in the middle' ? 20 : stage === 'before the end marker' ? 49 : 0;
      await admin.waitFor(
        async () => call.chunksSent,
        (sent) => sent >= chunks,
      );
    }
    request.destroy();
    const after = await admin.waitFor(charges, (rows) => rows.length > before);
    expect(after).toHaveLength(before + 1);
    return { charge: after.at(-1) ?? missing(), sentTokens: call.chunksSent };
  }

  const expectCleanBooks = async (): Promise<void> => {
    await admin.waitFor(
      () => checkMoney(books, { isQuiet: true, hasAllLogs: true }),
      (violations) => violations.length === 0,
    );
  };

  describe.each(ROUTES)('$name', (clientRoute) => {
    it.each(STREAM_STAGES)(
      'charges the received part once when the client of a stream leaves %s [BIL-06]',
      async (stage) => {
        const { charge, sentTokens } = await leaveAt(clientRoute, true, stage);
        // The last tokens and the end may have overtaken the client.
        if (stage === 'before the end marker' && charge.outcome === 'ok')
          expect(charge.charged).toBe(FULL_CHARGE);
        else expect(charge.outcome).toBe('client_abort');
        expect(charge.charged).toBeGreaterThan(0);
        // A few tokens may have been on their way, in either direction.
        expect(charge.charged).toBeLessThanOrEqual(2 * sentTokens + MOST_PROMPT);
        if (stage === 'in the middle') expect(charge.charged).toBeGreaterThanOrEqual(2 * 10);
        if (stage === 'before the end marker') expect(charge.charged).toBeGreaterThanOrEqual(2 * 35);
        await expectCleanBooks();
      },
    );

    it('charges a stream as reported when its client leaves after the end', async () => {
      const { charge } = await leaveAt(clientRoute, true, 'after the end');
      expect(charge).toEqual({ charged: FULL_CHARGE, outcome: 'ok' });
      await expectCleanBooks();
    });

    it('charges the prompt at most, once, when the client leaves before a plain answer', async () => {
      const { charge } = await leaveAt(clientRoute, false, 'before the head', clientRoute.silent ?? SILENT);
      expect(charge.outcome).toBe('client_abort');
      expect(charge.charged).toBeLessThanOrEqual(MOST_PROMPT);
      await expectCleanBooks();
    });

    it('charges a plain answer as reported when its client leaves after the end', async () => {
      const { charge } = await leaveAt(clientRoute, false, 'after the end');
      expect(charge).toEqual({ charged: FULL_CHARGE, outcome: 'ok' });
      await expectCleanBooks();
    });
  });

  it('charges a running call by the prices of its beginning when prices change [BIL-03]', async () => {
    const before = (await charges()).length;
    const stream = await client.openStream(MODEL);
    const others = [SILENT, ...OWN_MODELS, ...GEMINI_MODELS].map((model) => [model, 1] as const);
    const alike = Object.fromEntries(others);
    await admin.setOptions({ ModelRatio: { [MODEL]: 7, ...alike } });
    await stream.readAll();
    const after = await admin.waitFor(charges, (rows) => rows.length > before);
    expect(after.at(-1)).toEqual({ charged: FULL_CHARGE, outcome: 'ok' });
    await admin.setOptions({ ModelRatio: { [MODEL]: 1, ...alike } });
    await expectCleanBooks();
  });
});
