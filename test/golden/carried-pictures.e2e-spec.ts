import { describe, expect, it } from '@jest/globals';
import { carry, CHAT_FORMATS, CHAT_PAIRS } from '../support/chat-formats.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xfb\xff\xfe', 'latin1').toString('base64');
const URL_SAFE = Buffer.from(PNG, 'base64').toString('base64url');
const DECLARED = ['image/jpeg', 'image/jpg', 'application/octet-stream', 'IMAGE/PNG; q=1'];

const call = { id: 'c1', name: 'look', args: {} };

/** An image in a question and another as a tool's result, in the form of each API. */
const ASKED: Readonly<Record<string, (type: string, data: string) => Record<string, unknown>>> = {
  'openai-chat': (type, data) => {
    const picture = { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
    const tool_calls = [{ id: call.id, type: 'function', function: { name: call.name, arguments: '{}' } }];
    return {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: call.id, content: [picture] },
      ],
    };
  },
  'openai-responses': (type, data) => {
    const picture = { type: 'input_image', image_url: `data:${type};base64,${data}` };
    return {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'See' }, picture] },
        { type: 'function_call', call_id: call.id, name: call.name, arguments: '{}' },
        { type: 'function_call_output', call_id: call.id, output: [picture] },
      ],
    };
  },
  'anthropic-messages': (type, data) => {
    const picture = { type: 'image', source: { type: 'base64', media_type: type, data } };
    return {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'See' }, picture] },
        { role: 'assistant', content: [{ type: 'tool_use', id: call.id, name: call.name, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: [picture] }] },
      ],
    };
  },
  'gemini-generate': (type, data) => {
    const inlineData = { mimeType: type, data };
    return {
      contents: [
        { role: 'user', parts: [{ text: 'See' }, { inlineData }] },
        { role: 'model', parts: [{ functionCall: { name: call.name, args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: call.name, response: { ok: true }, parts: [{ inlineData }] } }],
        },
      ],
    };
  },
};

describe('a picture is what its bytes are, in every format', () => {
  it('has a question in every API and formats to ask in', () => {
    expect(CHAT_FORMATS.length).toBeGreaterThanOrEqual(7);
    for (const { api } of CHAT_PAIRS) expect(ASKED).toHaveProperty(api.id);
  });

  it.each(CHAT_PAIRS)('$name', ({ api, format }) => {
    for (const type of DECLARED) {
      for (const data of [PNG, URL_SAFE]) {
        const carried = carry(api, format, ASKED[api.id]?.(type, data) ?? {});
        if ('refusal' in carried) {
          // An API format without images refuses them by name.
          expect(carried.refusal).toMatch(/image|picture|file/i);
          continue;
        }
        const json = JSON.stringify(carried.body);
        expect(json).toContain(PNG);
        expect(json).not.toContain(URL_SAFE);
        expect([...new Set(json.match(/image\/[a-z]+|octet-stream|"format":"[a-z]+"/gi) ?? [])]).toEqual(
          json.includes('"format":"') ? ['"format":"png"'] : json.includes('image/') ? ['image/png'] : [],
        );
      }
    }
  });
});
