import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
import {
  modelOf,
  openAgentFixture,
  API_FORMATS,
  type AgentFixture,
  type FormatName,
} from './agent.fixture.js';
import { EDGE_CLIENTS, type ClientRoute, type EdgeClient } from './edge-clients.js';

/** Errors as every official client sees them, over every vendor. */
let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await openAgentFixture();
});
afterAll(async () => {
  await fixture?.close();
});
beforeEach(() => {
  for (const vendor of Object.values(fixture.vendors)) vendor.forget();
});

const NAMES = Object.keys(EDGE_CLIENTS);
const clientOf = (name: string): EdgeClient => {
  const client = EDGE_CLIENTS[name];
  if (client === undefined) throw new Error(`no client ${name}`);
  return client;
};
const CASES = NAMES.flatMap((client) => API_FORMATS.map((apiFormat) => ({ client, apiFormat })));
const clientRouteOf = (apiFormat: FormatName, more: Partial<ClientRoute> = {}): ClientRoute => ({
  url: fixture.url,
  key: fixture.key,
  model: modelOf(apiFormat),
  ...more,
});
const faultOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (fault: unknown) => fault,
  );

describe('refusals are errors of the client’s own class', () => {
  it.each(CASES)('$client over $apiFormat', async ({ client, apiFormat }) => {
    const official = clientOf(client);
    for (const status of [400, 429]) {
      fixture.vendors[apiFormat].failing = status;
      const fault = await faultOf(official.whole(clientRouteOf(apiFormat)));
      expect([status, official.statusOf(fault)]).toEqual([status, status]);
      const streamed = await faultOf(
        official.stream(clientRouteOf(apiFormat), () => undefined, new AbortController().signal),
      );
      expect([status, official.statusOf(streamed)]).toEqual([status, status]);
      if (status === 400) expect(String(fault)).toContain('vendor words 400');
    }
  });

  it.each(NAMES)('%s with a key that is none', async (name) => {
    const fault = await faultOf(clientOf(name).whole(clientRouteOf('chat', { key: 'sk-nothing' })));
    expect(clientOf(name).statusOf(fault)).toBe(401);
  });
});

describe('a stream that breaks off is an error for the client, never an end (known pains 23, 26)', () => {
  it.each(CASES)('$client over $apiFormat', async ({ client, apiFormat }) => {
    fixture.vendors[apiFormat].ending = 'cut';
    let pieces = 0;
    const fault = await faultOf(
      clientOf(client).stream(clientRouteOf(apiFormat), () => (pieces += 1), new AbortController().signal),
    );
    expect(fault).toBeInstanceOf(Error);
    expect(pieces).toBeGreaterThan(0);
  });
});

describe('a client that leaves ends the call at the vendor (known pain 28)', () => {
  // Replies that hide their cost are read on otherwise: test/e2e/base/billing/cut-streams.e2e-spec.ts.
  beforeAll(() => fixture.admin.setOptions({ AbandonedReadSeconds: 0 }));
  afterAll(() => fixture.admin.setOptions({ AbandonedReadSeconds: 15 }));

  it.each(CASES)('$client over $apiFormat', async ({ client, apiFormat }) => {
    const { vendor } = fixture.vendors[apiFormat];
    fixture.vendors[apiFormat].ending = 'stalled';
    const { cancelled } = vendor;
    const leaving = new AbortController();
    const asked = vendor.requests.length;
    await faultOf(clientOf(client).stream(clientRouteOf(apiFormat), () => leaving.abort(), leaving.signal));
    await vendor.until(() => vendor.cancelled > cancelled);
    expect(vendor.requests).toHaveLength(asked + 1);
  });
});

describe('clients that retry', () => {
  it.each(['openai chat', 'openai Responses', 'anthropic'])('%s asks again, as asked to', async (name) => {
    const { vendor } = fixture.vendors.chat;
    fixture.vendors.chat.failing = 503;
    const asked = vendor.requests.length;
    const call = clientOf(name).whole(clientRouteOf('chat', { retries: 2 }));
    await vendor.until(() => vendor.requests.length > asked);
    fixture.vendors.chat.failing = undefined;
    await call;
    expect(vendor.requests.length - asked).toBeGreaterThanOrEqual(2);
  });
});

describe('what is served', () => {
  it.each(NAMES)('%s lists the models', async (name) => {
    const ids = await clientOf(name).models(clientRouteOf('chat'));
    expect([...ids].sort()).toEqual(API_FORMATS.map(modelOf).sort());
  });

  it('takes the bearer token of Anthropic’s client', async () => {
    const client = new Anthropic({
      authToken: fixture.key,
      apiKey: null,
      baseURL: fixture.url,
      maxRetries: 0,
    });
    const body = { model: modelOf('gemini'), messages: [{ role: 'user' as const, content: 'Hi' }] };
    expect((await client.messages.countTokens(body)).input_tokens).toBeGreaterThan(0);
    expect((await client.messages.create({ ...body, max_tokens: 100 })).role).toBe('assistant');
  });
});
