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

async function warningsOf(content: readonly unknown[]): Promise<string | null> {
  const response = await fetch(`${fixture.app.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': fixture.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-x',
      max_tokens: 50,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
        { role: 'user', content: 'go on' },
      ],
    }),
  });
  expect(response.status).toBe(200);
  return response.headers.get('x-tollgate-warnings');
}

describe('what a history loses on its way to a vendor', () => {
  it('reports thoughts left out for a vendor that takes none back, and nothing without thoughts', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
    answerChat(fixture.gpt, { content: 'ok' }, 'stop', usage);
    const words = { type: 'text', text: 'hello' };
    expect(await warningsOf([words])).toBeNull();
    expect(await warningsOf([{ type: 'thinking', thinking: 'hm', signature: 'c2ln' }, words])).toBe(
      'reasoning',
    );
  });
});
