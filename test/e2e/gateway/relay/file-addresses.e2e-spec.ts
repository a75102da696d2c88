import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerChat } from '../../clients/anthropic/chat-vendor.js';
import { openAnthropicFixture, type AnthropicFixture } from '../../clients/anthropic/anthropic.fixture.js';

let fixture: AnthropicFixture;

beforeAll(async () => {
  fixture = await openAnthropicFixture();
});
afterAll(async () => {
  await fixture?.close();
});

interface Refusal {
  readonly error: { readonly message: string; readonly param?: string };
}

async function ask(
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: Refusal }> {
  const response = await fetch(`${fixture.app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Refusal };
}

const CHAT = '/v1/chat/completions';
const picture = (model: string, url: string): unknown => ({
  model,
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});
const source = (model: string, url: string): unknown => ({
  model,
  max_tokens: 50,
  messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
});

describe('addresses of files that the upstream cannot open', () => {
  it.each(['gpt-x', 'sonnet'])(
    'refuses them before a request to %s, in both APIs and by their place',
    async (model) => {
      const asked = fixture.gpt.requests.length + fixture.claude.vendor.requests.length;
      for (const address of ['file:///etc/passwd', 'ftp://example.org/a.png', 's3://bucket/a.png']) {
        const chat = await ask(CHAT, picture(model, address));
        expect(chat.status).toBe(400);
        expect(chat.body.error.param).toBe('messages.0.content.0.image_url.url');
        const messages = await ask('/v1/messages', source(model, address));
        expect(messages.status).toBe(400);
        expect(messages.body.error.message).toContain('messages.0.content.0.source.url');
      }
      expect(fixture.gpt.requests.length + fixture.claude.vendor.requests.length).toBe(asked);
    },
  );

  it('gives the bytes of a data address to a vendor of another API', async () => {
    answerChat(fixture.gpt, { content: 'seen' }, 'stop', {
      prompt_tokens: 9,
      completion_tokens: 1,
      total_tokens: 10,
    });
    const data = 'data:image/png;base64,iVBORw0KGgo=';
    expect((await ask('/v1/messages', source('gpt-x', data))).status).toBe(200);
    expect(JSON.parse(fixture.gpt.last(CHAT).body.toString())).toMatchObject({
      messages: [{ content: [{ type: 'image_url', image_url: { url: data } }] }],
    });
  });
});
