import { describe, expect, it } from '@jest/globals';
import { chatAnswer, oneCall } from '../../../../../test/support/one-answer.js';

const ANSWER = chatAnswer({ content: '{}' }, 'stop');
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const ASKED = { role: 'user', content: 'q' };
const sentFor = async (response_format: unknown) => {
  const over = { channelType: 43, upstreamModel: 'deepseek-v4-pro', isModelMapped: true };
  const more = { messages: [{ role: 'system', content: 'S' }, ASKED], response_format };
  return (await oneCall({ api: 'chat', over, more, answer: ANSWER })).sent;
};

describe('DeepSeek', () => {
  it('gets the schema of a chat that asks for a form in the prompt, and plain JSON as the form', async () => {
    const sent = await sentFor({ type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } });
    expect(sent['response_format']).toEqual({ type: 'json_object' });
    expect(sent['messages']).toEqual([
      { role: 'system', content: expect.stringContaining(JSON.stringify(SCHEMA)) as unknown },
      ASKED,
    ]);
  });

  it.each(['json_object', 'text'])('gets the form %s as it came', async (type) => {
    const sent = await sentFor({ type });
    expect(sent['response_format']).toEqual({ type });
    expect(sent['messages']).toEqual([{ role: 'system', content: 'S' }, ASKED]);
  });
});
