import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const base64 = Buffer.from(SVG).toString('base64');
const url = `data:image/svg+xml;base64,${base64}`;
const DOCUMENT: Json = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: SVG } };

/** A drawing as each client API has it. */
const ASKED: Readonly<Record<string, Json>> = {
  chat: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
  responses: { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
  gemini: {
    contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/svg+xml', data: base64 } }] }],
  },
};

describe('a drawing (SVG) for Claude, which takes none as an image', () => {
  it.each(Object.keys(ASKED))('becomes a document with its source: %s', async (api) => {
    const { body } = await sentTo(14, api, ASKED[api] ?? {}, { answer: MESSAGE });
    expect(list(object(list(body['messages'])[0])['content'])).toEqual([DOCUMENT]);
  });

  it('becomes one in the result of a tool too', async () => {
    const input = [
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: url }] },
    ];
    const { body } = await sentTo(14, 'responses', { input }, { answer: MESSAGE });
    const [result] = list(object(list(body['messages']).at(-1))['content']).map(object);
    expect(result?.['content']).toEqual([DOCUMENT]);
  });

  it('stays an image where it is one that Claude takes', async () => {
    const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==';
    const asked = { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: png } }] }] };
    const { text } = await sentTo(14, 'chat', asked, { answer: MESSAGE });
    expect(text).toContain('"media_type":"image/png"');
  });
});
