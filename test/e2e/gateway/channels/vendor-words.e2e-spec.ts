import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { StrictServer } from '../../../support/strict-server.js';
import { RelayClient } from '../../../support/relay-client.js';

const KEY = 'sk-channel-0123456789abcdef';
const SAID = 'Account 4711: operation not allowed';
const STATUSES = [400, 401, 402, 403, 404, 429, 500, 503, 529] as const;
/** Channel types whose vendors write failures in forms of their own. */
const TYPES = { OpenAI: 1, Anthropic: 14, Gemini: 24, 'DeepSeek-like': 43 } as const;

const BODIES: Readonly<Record<string, (message: string, status: number) => unknown>> = {
  OpenAI: (message) => ({ error: { message, type: 'x', code: null } }),
  Anthropic: (message) => ({ type: 'error', error: { type: 'x_error', message } }),
  Gemini: (message, code) => ({ error: { code, message, status: 'UNKNOWN' } }),
  'DeepSeek-like': (message) => ({ message }),
};

interface Line {
  readonly type: number;
  readonly content: string;
  readonly other: string;
  readonly model_name: string;
}

describe("the provider's own words", () => {
  let upstream: StrictServer;
  let gateway: GatewayProcess;
  let admin: GatewayConsole;
  let client: RelayClient;

  /** Models are named VENDOR-STATUS-quote or VENDOR-STATUS-say; what a quoting one says is the prompt. */
  beforeAll(async () => {
    upstream = await StrictServer.start((request, sent, response) => {
      const text = sent.toString('utf8');
      const [, vendor = '', status = '', way] =
        /m-([A-Za-z]+(?:-like)?)-(\d{3})-(say|quote|page)/.exec(`${request.url} ${text}`) ?? [];
      const prompt = /"(?:content|text)":"([^"]*)"/.exec(text)?.[1] ?? '';
      const message = way === 'quote' ? `Cannot take: ${prompt}` : `${SAID} (key ${KEY})`;
      const body =
        way === 'page'
          ? `<html><style>b{}</style><body><h1>Blocked</h1>${message}</body></html>`
          : JSON.stringify(BODIES[vendor]?.(message, Number(status)));
      response.writeHead(Number(status), {
        'content-type': way === 'page' ? 'text/html' : 'application/json',
      });
      response.end(body);
    });
    gateway = await GatewayProcess.start();
    admin = new GatewayConsole(gateway.url);
    await admin.setUp();
    const models = Object.keys(TYPES).flatMap((vendor) =>
      STATUSES.flatMap((status) => ['say', 'quote', 'page'].map((way) => `m-${vendor}-${status}-${way}`)),
    );
    await admin.setOptions({
      ...FX_PRICES(models),
      AutomaticDisableChannelEnabled: true,
      AutomaticDisableStatusCodes: '599',
    });
    client = new RelayClient(gateway.url, (await admin.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await gateway?.stop();
    await upstream.close();
  });

  const add = (vendor: keyof typeof TYPES, model: string): Promise<number> => {
    return admin.addChannel({
      type: TYPES[vendor],
      base_url: upstream.url,
      key: KEY,
      models: [model],
    });
  };
  const channel = (id: number) =>
    admin.send<{ status: number; other_info: string }>('GET', `/api/channel/${id}`);

  const cases = Object.keys(TYPES).flatMap((vendor) =>
    STATUSES.map((status) => [vendor as keyof typeof TYPES, status] as const),
  );

  it.each(cases)(
    '%s, status %i: disables by a built-in phrase, and shows the operator the vendor’s message',
    async (vendor, status) => {
      const model = `m-${vendor}-${status}-say`;
      const id = await add(vendor, model);
      const answer = await client.chat(model);
      const shown = answer.text;
      if (status === 401 || status === 402) expect(shown).not.toContain('Account 4711');
      expect(shown).not.toContain(KEY);
      const fallen = await admin.waitFor(
        () => channel(id),
        (row) => row.status === 3,
      );
      const { status_reason: reason } = JSON.parse(fallen.other_info) as { status_reason: string };
      expect(reason).toContain(`${status}: ${SAID}`);
      expect(reason).not.toContain(KEY);
      const test = await admin.sendRaw<{ message: string }>('GET', `/api/channel/test/${id}?model=${model}`);
      expect(test.message).toBe(`The provider answered ${status}: ${SAID} (key ***)`);
      const { items } = await admin.waitFor(
        () => admin.send<{ items: Line[] }>('GET', `/api/log/?type=5&model_name=${model}`),
        (page) => page.items.length > 0,
      );
      expect(items[0]?.other).toContain(`The provider answered ${status}: ${SAID}`);
      const own = await admin.send<{ items: Line[] }>('GET', `/api/log/self/?type=5&model_name=${model}`);
      expect(own.items[0]?.other).not.toContain('The provider answered');
      const audit = await admin.send<{ items: { target_id: string; detail: unknown }[] }>(
        'GET',
        `/api/audit?action=channel.auto-off`,
      );
      expect(JSON.stringify(audit.items.find(({ target_id }) => target_id === String(id)))).toContain(
        `${status}: ${SAID}`,
      );
    },
  );

  it.each([400, 403, 429, 500] as const)(
    'status %i: a phrase that only a prompt brought disables nothing',
    async (status) => {
      const model = `m-OpenAI-${status}-quote`;
      const id = await add('OpenAI', model);
      const answer = await client.chat(model, {
        messages: [{ role: 'user', content: 'operation not allowed' }],
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      // The test of our own is over when a second one has been answered.
      await admin.sendRaw('GET', `/api/channel/test/${id}?model=${model}`);
      expect((await channel(id)).status).toBe(1);
    },
  );

  it('reads them from the page of a proxy as well, without its marks', async () => {
    const model = 'm-OpenAI-503-page';
    const id = await add('OpenAI', model);
    const test = await admin.sendRaw<{ message: string }>('GET', `/api/channel/test/${id}?model=${model}`);
    expect(test.message).toBe(`The provider answered 503: Blocked ${SAID} (key ***)`);
  });
});
