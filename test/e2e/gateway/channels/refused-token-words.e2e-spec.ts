import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { RelayClient } from '../../../support/relay-client.js';

const VERTEX = 41;
const SAID = 'Account 4711: operation not allowed';
const PEM = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const KEY_LINE = PEM.split('\n')[1] as string;
/** Refusals of token services: RFC 6749, Google's own interfaces, and proxies in front of them. */
const FORMS: Readonly<Record<string, (sentence: string, status: number) => string>> = {
  oauth: (sentence) => JSON.stringify({ error: 'invalid_grant', error_description: sentence }),
  google: (message, code) => JSON.stringify({ error: { code, message, status: 'PERMISSION_DENIED' } }),
  page: (sentence) => `<html><body>${sentence}</body></html>`,
};
const CASES = Object.keys(FORMS).flatMap((form) =>
  [400, 401, 403, 429, 500, 503].map((status) => [form, status] as const),
);

describe('a service account that gets no access token', () => {
  let service: Server;
  let app: TestApp;
  let admin: GatewayConsole;
  let client: RelayClient;
  const url = () => `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const modelOf = (form: string, status: number) => `gemini-${form}-${status}`;

  beforeAll(async () => {
    service = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [, form = '', status = ''] = (request.url ?? '').split('/');
        const sent = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
        const sentence = `${SAID} (${KEY_LINE} ${sent.get('assertion')})`;
        response.writeHead(Number(status), {
          'content-type': form === 'page' ? 'text/html' : 'application/json',
        });
        response.end(FORMS[form]?.(sentence, Number(status)));
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    app = await startTestApp();
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions({
      ...FX_PRICES(CASES.map(([form, status]) => modelOf(form, status))),
      AutomaticDisableChannelEnabled: true,
      AutomaticDisableStatusCodes: '599',
    });
    client = new RelayClient(app.url, (await admin.addToken()).key);
  });
  afterAll(async () => {
    client?.close();
    await app?.close();
    service.close();
  });

  it.each(CASES)(
    'shows the operator the message of the token service, without secrets (%s, status %i)',
    async (form, status) => {
      const model = modelOf(form, status);
      const key = JSON.stringify({
        type: 'service_account',
        project_id: 'our-project',
        client_email: 'a@our-project.example',
        private_key: PEM,
        token_uri: `${url()}/${form}/${status}`,
      });
      const id = await admin.addChannel({
        type: VERTEX,
        base_url: url(),
        key,
        other: 'global',
        models: [model],
      });
      const answer = await client.chat(model);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain('Account 4711');

      const sentence = `The provider answered ${status}: ${SAID} (*** ***)`;
      const channel = () => admin.send<{ status: number; other_info: string }>('GET', `/api/channel/${id}`);
      const fallen = await admin.waitFor(channel, (row) => row.status === 3);
      const { status_reason: reason } = JSON.parse(fallen.other_info) as { status_reason: string };
      expect(reason).toBe(sentence);
      const test = await admin.sendRaw<{ message: string }>('GET', `/api/channel/test/${id}?model=${model}`);
      expect(test.message).toBe(sentence);
      const lines = (path: string) => () =>
        admin.send<{ items: { other: string }[] }>('GET', `${path}?type=5&model_name=${model}`);
      const { items } = await admin.waitFor(lines('/api/log/'), (page) => page.items.length > 0);
      expect(items[0]?.other).toContain(sentence);
      expect((await lines('/api/log/self/')()).items[0]?.other).not.toContain('Account 4711');
      const audit = await admin.send<{ items: { target_id: string; detail: string }[] }>(
        'GET',
        '/api/audit?action=channel.auto-off',
      );
      expect(audit.items.find(({ target_id }) => target_id === String(id))?.detail).toContain(sentence);
    },
  );
});
