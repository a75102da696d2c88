import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const SCHEMA = { type: 'object', properties: {} };
const user = { role: 'user', content: 'q' };
const nameOf = (tool: unknown): unknown => object(object(tool)['function'] ?? tool)['name'];

describe('functions with the name of a tool that xAI runs', () => {
  const RENAMED = /^(?:web|tool)_search_[0-9a-f]{10}$/;
  const chatTool = (name: string): Json => ({ type: 'function', function: { name, parameters: SCHEMA } });
  const NAMES = ['web_search', 'tool_search', 'lookup'];
  const CALLS: Readonly<Record<string, { readonly asked: Json; readonly answer: (name: string) => Json }>> = {
    chat: {
      asked: {
        messages: [user],
        tools: NAMES.map(chatTool),
        tool_choice: { type: 'function', function: { name: 'web_search' } },
      },
      answer: (name) => ({
        ...ANSWER,
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    },
    messages: {
      asked: {
        messages: [user],
        tools: NAMES.map((name) => ({ name, input_schema: SCHEMA })),
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      answer: (name) => ({
        ...MESSAGE,
        content: [{ type: 'tool_use', id: 'c', name, input: {} }],
        stop_reason: 'tool_use',
      }),
    },
    responses: {
      asked: {
        input: 'q',
        tools: NAMES.map((name) => ({ type: 'function', name, parameters: SCHEMA })),
        tool_choice: { type: 'function', name: 'web_search' },
      },
      answer: (name) => ({
        ...RESPONSE,
        output: [
          { type: 'function_call', id: 'f', call_id: 'c', name, arguments: '{}', status: 'completed' },
        ],
      }),
    },
  };

  it.each(Object.entries(CALLS))(
    'get another name there, and their own in the answer: %s',
    async (api, { asked, answer }) => {
      const first = await sentTo(48, api, asked, { answer: answer('lookup') });
      const names = list(first.body['tools']).map(nameOf);
      expect(names).toEqual([expect.stringMatching(RENAMED), expect.stringMatching(RENAMED), 'lookup']);
      expect(JSON.stringify(first.body['tool_choice'])).toContain(`"${String(names[0])}"`);
      const { reply } = await sentTo(48, api, asked, { answer: answer(String(names[0])) });
      expect(reply).toContain('"web_search"');
      expect(reply).not.toContain(String(names[0]));
    },
  );

  it('keep it for other vendors, and the tools of xAI keep theirs', async () => {
    const tools = [chatTool('web_search')];
    for (const type of [43, 1]) {
      const { body } = await sentTo(type, 'chat', { messages: [user], tools });
      expect(body['tools']).toEqual(tools);
    }
    const own = { input: 'q', tools: [{ type: 'web_search' }] };
    const { body } = await sentTo(48, 'responses', own, { answer: RESPONSE });
    expect(body['tools']).toEqual(own.tools);
  });
});

describe('a union at the root of a function’s schema', () => {
  const path = { type: 'string' };
  const union = {
    anyOf: [
      { type: 'object', properties: { path }, required: ['path'] },
      { anyOf: [{ type: 'object', properties: { url: path }, required: ['url'] }] },
    ],
  };

  it.each([
    [48, 'grok-4-0709'],
    [43, 'deepseek-v4-pro'],
  ])(
    'becomes one object where the model refuses it, for bytes that pass: %i',
    async (type, upstreamModel) => {
      const tools = [{ type: 'function', function: { name: 'f', parameters: union } }];
      const { body, warnings } = await sentTo(type, 'chat', { messages: [user], tools }, { upstreamModel });
      const sent = object(object(list(body['tools'])[0])['function'])['parameters'];
      expect(sent).toMatchObject({ type: 'object', properties: { path, url: path } });
      expect(sent).not.toHaveProperty('anyOf');
      expect(warnings).toBe('tools');
    },
  );

  it('becomes one object at the Responses endpoint of xAI', async () => {
    const tools = [{ type: 'function', name: 'f', parameters: union }];
    const { body } = await sentTo(
      48,
      'responses',
      { input: 'q', tools },
      { upstreamModel: 'grok-4-0709', answer: RESPONSE },
    );
    expect(object(list(body['tools'])[0])['parameters']).toMatchObject({ type: 'object' });
    expect(JSON.stringify(body['tools'])).not.toContain('anyOf');
  });
});

describe('the word JSON for answers in JSON without a schema', () => {
  const asked = (text: string): Json => ({
    contents: [{ role: 'user', parts: [{ text }] }],
    systemInstruction: { parts: [{ text: 'Answer as JSON.' }] },
    generationConfig: { responseMimeType: 'application/json' },
  });

  it('appears in the messages of a chat, for callers of Gemini', async () => {
    const { systemInstruction: _own, ...plain } = asked('q');
    const { body } = await sentTo(42, 'gemini', plain);
    expect(body).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: 'Answer in JSON.' }, { role: 'user' }],
    });
  });

  it('appears where no message has it, and nowhere else', async () => {
    for (const [text, count] of [
      ['q', 1],
      ['q as json', 1],
    ] as const) {
      const { body } = await sentTo(42, 'gemini', asked(text));
      expect(JSON.stringify(body['messages']).match(/Answer (?:as|in) JSON/g)).toHaveLength(count);
    }
  });

  it('appears in the question at a Responses endpoint, where instructions do not count', async () => {
    const route = { baseUrl: 'https://upstream.example/v1/responses', answer: RESPONSE };
    const { body } = await sentTo(8, 'gemini', asked('q'), route);
    expect(JSON.stringify(body['input'])).toContain('Answer in JSON.');
    const { body: own } = await sentTo(8, 'gemini', asked('q as json'), route);
    expect(JSON.stringify(own['input'])).not.toContain('Answer in JSON.');
  });
});
