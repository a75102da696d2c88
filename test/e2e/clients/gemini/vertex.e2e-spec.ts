import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { openGeminiFixture, type GeminiFixture } from './gemini.fixture.js';
import { candidate, reply, ScriptedGoogle, usage } from './scripted-google.js';

/** Vertex AI: service accounts, regions, and models of three houses. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
let fixture: GeminiFixture;
let tokens: ScriptedGoogle;
let grants = 0;

const account = (
  tokenUri: string,
  key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'our-project',
    client_email: 'gateway@our-project.example',
    private_key_id: 'key-1',
    private_key: key,
    token_uri: tokenUri,
  });

beforeAll(async () => {
  tokens = await ScriptedGoogle.start();
  tokens.on('', ({ text }) => {
    const assertion = new URLSearchParams(text).get('assertion') ?? '';
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    const isSigned = createVerify('RSA-SHA256')
      .update(`${header}.${claims}`)
      .verify(publicKey, signature, 'base64url');
    grants += 1;
    return isSigned
      ? { json: { access_token: `ya29.token-${grants}`, expires_in: 3599, token_type: 'Bearer' } }
      : { status: 400, json: { error: 'invalid_grant' } };
  });
  const uri = `${tokens.url}/token`;
  fixture = await openGeminiFixture([
    {
      type: 41,
      key: account(uri),
      other: JSON.stringify({ default: 'europe-west4', 'claude-haiku-4-5-20251001': 'us-east5' }),
      models: [
        'gemini-2.5-flash',
        'claude-haiku-4-5-20251001',
        'meta/llama3-405b-instruct-maas',
        'text-embedding-005',
      ],
    },
    { type: 41, key: account(uri, 'no key at all'), other: 'global', models: ['gemini-badkey'] },
    {
      type: 41,
      key: 'AIzaExpressKey0000000',
      other: 'global',
      models: ['gemini-express'],
      settings: '{"vertex_key_type":"api_key"}',
    },
  ]);
});
afterAll(async () => {
  await fixture?.close();
  await tokens?.close();
});

const question = { messages: [{ role: 'user' as const, content: 'Hi' }] };
const PREFIX = '/v1/projects/our-project/locations';

describe('Vertex AI', () => {
  it('exchanges the account’s key for a token once, and calls the model in its region', async () => {
    fixture.vendor.on('gemini-2.5-flash', () => ({
      json: reply([candidate([{ text: 'Hello.' }], { finishReason: 'STOP' })], usage(10, 5)),
    }));
    const ask = () =>
      fixture.clients.openai.chat.completions.create({ model: 'gemini-2.5-flash', ...question });
    const [first] = await Promise.all([ask(), ask(), ask()]);
    expect(first?.choices[0]?.message.content).toBe('Hello.');
    expect(grants).toBe(1);
    const seen = fixture.vendor.last('gemini-2.5-flash');
    expect(seen.path).toBe(
      `${PREFIX}/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent`,
    );
    expect(seen.headers['authorization']).toBe('Bearer ya29.token-1');
    expect(seen.headers['x-goog-user-project']).toBe('our-project');
    expect(tokens.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const claims = new URLSearchParams(tokens.seen[0]?.text).get('assertion')?.split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'gateway@our-project.example',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${tokens.url}/token`,
    });
  });

  it('streams to Google’s own client, without ids of calls', async () => {
    fixture.vendor.on('gemini-2.5-flash', () => ({
      frames: [reply([candidate([{ text: 'Hi' }], { finishReason: 'STOP' })], usage(10, 5))],
    }));
    const stream = await fixture.clients.google.models.generateContentStream({
      model: 'gemini-2.5-flash',
      contents: [
        { role: 'user', parts: [{ text: 'Go' }] },
        { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'x' } } }] },
      ],
    });
    for await (const chunk of stream) expect(chunk.text).toBe('Hi');
    const { text, query } = fixture.vendor.last('gemini-2.5-flash');
    expect(query.get('alt')).toBe('sse');
    expect(text).not.toContain('"id"');
  });

  it('uses Claude’s API format for Claude, untouched except for Google’s changes', async () => {
    const answer = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5-20251001',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    fixture.vendor.on('claude-haiku-4-5@20251001', () => ({ json: answer }));
    const client = new Anthropic({ apiKey: fixture.clients.key, baseURL: fixture.app.url, maxRetries: 0 });
    const message = await client.messages.create({
      model: 'claude-haiku-4-5-20251001',
      max_tokens: 100,
      metadata: { user_id: 'u' },
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(message.content).toEqual(answer.content);
    const seen = fixture.vendor.last('claude-haiku-4-5@20251001');
    expect(seen.path).toBe(
      `${PREFIX}/us-east5/publishers/anthropic/models/claude-haiku-4-5%4020251001:rawPredict`,
    );
    expect(seen.body).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const chat = await fixture.clients.openai.chat.completions.create({
      model: 'claude-haiku-4-5-20251001',
      ...question,
    });
    expect(chat.choices[0]?.message.content).toBe('Hello.');
  });

  it('uses OpenAI’s API format for open models', async () => {
    const model = 'meta/llama3-405b-instruct-maas';
    fixture.vendor.on(model, () => ({
      json: {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      },
    }));
    await fixture.clients.openai.chat.completions.create({ model, ...question });
    expect(fixture.vendor.last(model).path).toBe(
      '/v1beta1/projects/our-project/locations/europe-west4/endpoints/openapi/chat/completions',
    );
  });

  it('embeds by prediction, and charges the tokens of each text', async () => {
    fixture.vendor.on('text-embedding-005', () => ({
      json: {
        predictions: [3, 4].map((tokenCount) => ({
          embeddings: { values: [0.5, 1], statistics: { token_count: tokenCount, truncated: false } },
        })),
      },
    }));
    const charge = await fixture.chargeOf(async ({ openai }) => {
      const answer = await openai.embeddings.create({
        model: 'text-embedding-005',
        input: ['a', 'b'],
        dimensions: 2,
      });
      expect(answer.usage.prompt_tokens).toBe(7);
      expect(answer.data).toHaveLength(2);
    });
    expect(charge).toBe(7);
    expect(fixture.vendor.last('text-embedding-005').body).toEqual({
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 2 },
    });
  });

  it('takes an API key in place of an account', async () => {
    fixture.vendor.on('gemini-express', () => ({
      json: reply([candidate([{ text: 'ok' }], { finishReason: 'STOP' })], usage(1, 1)),
    }));
    await fixture.clients.openai.chat.completions.create({ model: 'gemini-express', ...question });
    const seen = fixture.vendor.last('gemini-express');
    expect(seen.path).toBe('/v1/publishers/google/models/gemini-express:generateContent');
    expect(seen.query.get('key')).toBe('AIzaExpressKey0000000');
    expect(seen.headers['authorization']).toBeUndefined();
  });

  it('reports an unusable key, and nothing of it', async () => {
    const call = fixture.clients.openai.chat.completions.create({ model: 'gemini-badkey', ...question });
    await expect(call).rejects.toThrow(/key of the channel cannot be used: private_key/);
    await expect(call).rejects.not.toThrow(/no key at all/);
  });
});
