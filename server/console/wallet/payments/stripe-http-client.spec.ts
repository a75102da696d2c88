import { describe, expect, it } from '@jest/globals';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { StripeHttpClient } from './stripe.provider.js';

function client(
  reply: unknown = { ok: true, value: { status: 200, headers: {}, body: Buffer.from('{"id":"cs_1"}') } },
) {
  const sent: { caller: string; request: { url: string; body: Buffer | undefined; headers: object } }[] = [];
  const http = new StripeHttpClient({
    fetch: async (caller: string, request: (typeof sent)[number]['request']) => {
      sent.push({ caller, request });
      return reply;
    },
  } as unknown as OutboundClient);
  const make = (method: string, port = '443', headers: Record<string, string> = {}) =>
    http.makeRequest('api.stripe.com', port, '/v1/x', method, headers, 'a=1', 'https', 1_000);
  return { make, sent };
}

describe('StripeHttpClient', () => {
  it.each([
    ['443', 'https://api.stripe.com/v1/x'],
    ['', 'https://api.stripe.com/v1/x'],
    ['8443', 'https://api.stripe.com:8443/v1/x'],
  ])('calls by the rules for services of the settings, port %j', async (port, url) => {
    const { make, sent } = client();
    const reply = await make('POST', port);
    expect(sent[0]).toMatchObject({ caller: 'service', request: { url, body: Buffer.from('a=1') } });
    expect([reply.getStatusCode(), await reply.toJSON()]).toEqual([200, { id: 'cs_1' }]);
  });

  it('leaves lengths and connections to the client beneath', async () => {
    const { make, sent } = client();
    await make('GET', '443', {
      'Content-Length': '3',
      Connection: 'close',
      Host: 'x',
      'Stripe-Version': '1',
    });
    expect(sent[0]?.request).toMatchObject({ headers: { 'stripe-version': '1' }, body: undefined });
    expect(Object.keys(sent[0]?.request.headers ?? {})).toEqual(['stripe-version']);
  });

  it('makes no other requests than the package needs', async () => {
    const { make, sent } = client();
    await expect(make('DELETE')).rejects.toThrow('no DELETE requests');
    expect(sent).toEqual([]);
  });

  it('fails with the kind of fault', async () => {
    await expect(client({ ok: false, error: { kind: 'timeout' } }).make('GET')).rejects.toThrow(
      /reached: timeout/,
    );
  });
});
