import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { refusalOf, ScriptedOpenai } from './scripted-openai.js';

const AZURE_MODELS = ['azure-gpt', 'azure-codex'];

let gateway: GatewayProcess;
let upstream: ScriptedOpenai;
let client: OpenAI;

beforeAll(async () => {
  upstream = await ScriptedOpenai.start();
  gateway = await GatewayProcess.start();
  const admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(AZURE_MODELS));
  await admin.addChannel({
    name: 'azure',
    type: 3,
    base_url: upstream.url,
    other: '2025-03-01-preview',
    key: 'azure-key',
    models: AZURE_MODELS,
    model_mapping: JSON.stringify({ 'azure-gpt': 'my deployment', 'azure-codex': 'gpt-5-codex' }),
  });
  const { key } = await admin.addToken();
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

describe('Azure', () => {
  it('calls by deployment, version and its own key header', async () => {
    const whole = await client.chat.completions.create({
      model: 'azure-gpt',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(whole.choices[0]?.message.content).toBe('Saw 0 pictures.');
    expect(upstream.last.path).toBe(
      '/openai/deployments/my%20deployment/chat/completions?api-version=2025-03-01-preview',
    );
    expect(upstream.last.headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(upstream.last.headers).not.toHaveProperty('authorization');
  });

  it('serves Responses at their own address for every client API', async () => {
    const response = await client.responses.create({ model: 'azure-codex', input: 'Hello' });
    expect(response.output_text).toBe('Saw 0 pictures.');
    expect(upstream.last.path).toBe('/openai/v1/responses?api-version=preview');
    expect(upstream.last.body['model']).toBe('gpt-5-codex');
    const chat = await client.chat.completions.create({
      model: 'azure-codex',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(chat.choices[0]?.message.content).toBe('Saw 0 pictures.');
    expect(upstream.last.path).toContain('/openai/v1/responses');
  });

  it('shows what its filter refused in the vendor’s words', async () => {
    const error = await refusalOf(
      client.chat.completions.create({
        model: 'azure-gpt',
        messages: [{ role: 'user', content: 'forbidden words' }],
      }),
    );
    expect(error).toMatchObject({ status: 400, code: 'content_filter', param: 'prompt' });
  });
});
