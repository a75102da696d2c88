import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, PermissionDeniedError, RateLimitError } from 'openai';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';

/** A caller with the official packages reads from the exception which limit it was and when it starts anew. */
let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-std']));
  await admin.addChannel({ name: 'fake', base_url: upstream.url, models: ['fx-std'] });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

/** A token with one limit, whose period ends now, whatever the hour. */
async function limited(limit: Record<string, unknown>): Promise<string> {
  const { id, key } = await admin.addToken();
  await admin.send('POST', '/api/limits', { scope: 'token', subject: String(id), rolling: true, ...limit });
  return key;
}

const openai = (apiKey: string, maxRetries = 0) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries });
const anthropic = (apiKey: string) => new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
const ask = (client: OpenAI) =>
  client.chat.completions.create({
    model: 'fx-std',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 5,
  });
const askMessages = (client: Anthropic) =>
  client.messages.create({ model: 'fx-std', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 });
const caught = (asked: Promise<unknown>) =>
  asked.then(
    () => missing(),
    (error: unknown) => error,
  );
const inFuture = (text: unknown): boolean => Date.parse(String(text)) > Date.now();

describe('limits as the official packages show them', () => {
  it('raises a PermissionDeniedError of OpenAI at a limit of a day and does not repeat the call', async () => {
    const key = await limited({ name: 'CI', measure: 'requests', amount: 1, period: 'day' });
    await ask(openai(key));
    const before = upstream.journal.length;
    const error = await caught(ask(openai(key, 5)));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    const { status, code, error: body } = error as APIError & { error: { limit: Record<string, unknown> } };
    expect([status, code]).toEqual([403, 'limit_reached']);
    expect(body.limit).toMatchObject({
      name: 'CI',
      scope: 'token',
      measure: 'requests',
      amount: 1,
      unit: 'requests',
      period: 'day',
    });
    expect(inFuture(body.limit['resets_at'])).toBe(true);
    expect((error as APIError).message).toMatch(
      /The limit "CI" of 1 request a day for this API key is reached/,
    );
    expect(upstream.journal).toHaveLength(before);
  });

  it('raises a RateLimitError of OpenAI with the wait at a limit of a minute', async () => {
    const key = await limited({ name: 'burst', measure: 'requests', amount: 1, period: 'minute' });
    await ask(openai(key));
    const error = await caught(ask(openai(key)));
    expect(error).toBeInstanceOf(RateLimitError);
    const { headers, error: body } = error as APIError & { error: { limit: Record<string, unknown> } };
    const waitSeconds = Number(headers?.get('retry-after'));
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    // The second in which the call was made counts whole.
    expect(waitSeconds).toBeLessThanOrEqual(61);
    expect(body.limit).toMatchObject({ name: 'burst', period: 'minute' });
  });

  it('raises the errors of the Anthropic package at both limits', async () => {
    const day = await limited({ name: 'daily', measure: 'requests', amount: 1, period: 'day' });
    await askMessages(anthropic(day));
    const refused = await caught(askMessages(anthropic(day)));
    expect(refused).toBeInstanceOf(Anthropic.PermissionDeniedError);
    const { error: body } = refused as { error: { error: { details: Record<string, unknown> } } };
    expect(body.error.details).toMatchObject({ code: 'limit_reached', limit: { name: 'daily', amount: 1 } });
    expect(inFuture((body.error.details['limit'] as Record<string, unknown>)['resets_at'])).toBe(true);
    const minute = await limited({ name: 'burst', measure: 'requests', amount: 1, period: 'minute' });
    await askMessages(anthropic(minute));
    expect(await caught(askMessages(anthropic(minute)))).toBeInstanceOf(Anthropic.RateLimitError);
  });

  it('refuses a call that can never fit with the needed amount and no time', async () => {
    const key = await limited({ name: 'small', measure: 'tokens', amount: 3, period: 'minute' });
    const error = await caught(ask(openai(key, 5)));
    const {
      status,
      code,
      headers,
      error: body,
    } = error as APIError & {
      error: { limit: Record<string, number> };
    };
    expect([status, code]).toEqual([403, 'limit_below_call']);
    expect(headers?.get('retry-after')).toBeNull();
    expect(headers?.get('x-should-retry')).toBe('false');
    expect(body.limit['needed']).toBeGreaterThan(3);
  });

  it('sends the narrowest limits as headers that browsers may read, in the form of each client API', async () => {
    const key = await limited({ name: 'narrow', measure: 'requests', amount: 10, period: 'hour' });
    const { response } = await ask(openai(key)).withResponse();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('10');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('9');
    expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^1h\d+m\d+s$/);
    expect(response.headers.get('access-control-expose-headers')).toContain('x-ratelimit-remaining-requests');
    const messages = await askMessages(anthropic(key)).withResponse();
    expect(messages.response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('8');
    expect(inFuture(messages.response.headers.get('anthropic-ratelimit-requests-reset'))).toBe(true);
    expect(messages.response.headers.get('x-ratelimit-limit-requests')).toBeNull();
  });

  it('sends no headers of limits without limits', async () => {
    const { key } = await admin.addToken();
    const { response } = await ask(openai(key)).withResponse();
    expect([...response.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});
