import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { chatRequestSchema } from '../../openai-chat/schema.js';
import { schemaFault } from './schema-fault.js';

const faultOf = (schema: z.ZodType, body: unknown) => {
  const { error } = schema.safeParse(body);
  return error === undefined ? null : schemaFault(error);
};
const chat = (message: object) => ({ model: 'm', messages: [message] });

describe('what is wrong with a body', () => {
  it.each([
    [chat({ role: 'user', content: 7 }), 'messages.0.content', 'Invalid input: expected string or array'],
    [
      chat({ role: 'user', content: { type: 'text' } }),
      'messages.0.content',
      'Invalid input: expected string or array',
    ],
    [
      chat({
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 7, text: 'b' },
        ],
      }),
      'messages.0.content.1.type',
      'Invalid input: expected string, received number',
    ],
    [
      { ...chat({ role: 'user', content: 'a' }), tool_choice: { name: 'x' } },
      'tool_choice.type',
      'Invalid input: expected string, received undefined',
    ],
    [
      { ...chat({ role: 'user', content: 'a' }), temperature: 'hot' },
      'temperature',
      'Invalid input: expected number, received string',
    ],
  ])('names the place of the fault in %j: %s', (body, path, message) => {
    expect(faultOf(chatRequestSchema, body)).toEqual({ path, message });
  });

  it('names what a form lacks beside its type', () => {
    const schema = z.object({ stop: z.union([z.string().min(1, 'must not be empty'), z.array(z.string())]) });
    expect(faultOf(schema, { stop: '' })).toEqual({ path: 'stop', message: 'must not be empty' });
    expect(faultOf(z.union([z.string()]), 1)).toMatchObject({ path: '' });
  });
});
