import { describe, expect, it } from '@jest/globals';
import { FILE_NOTE } from '../../server/relay-core/pipeline/request/foreign-files.js';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const BYTES = 'iVBORw0KGgo=';
const ADDRESS = 'https://pics.example/a.png';
const DATA = `data:image/png;base64,${BYTES}`;
const inChat = (image: unknown): Json => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }, ...list([image])] }],
});
const imageUrl = (value: unknown): Json => ({ type: 'image_url', image_url: value });
const inResponses = (image: Json): Json => ({
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'q' },
        { type: 'input_image', ...image },
      ],
    },
  ],
});
const inMessages = (source: Json): Json => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'q' },
        { type: 'image', source },
      ],
    },
  ],
});
/** The image of the first turn, as it was sent. */
const imageIn = (body: Json): Json => {
  const [turn] = list(body['messages'] ?? body['input']);
  return object(list(object(turn)['content']).at(-1));
};

describe('a vendor that opens no addresses gets the bytes of an image', () => {
  const kimi = { upstreamModel: 'kimi-k2.6', files: { [ADDRESS]: BYTES } };

  it('become bytes in a chat that would pass, and in one that is translated', async () => {
    const passed = await sentTo(25, 'chat', inChat(imageUrl({ url: ADDRESS })), kimi);
    expect(imageIn(passed.body)).toEqual(imageUrl({ url: DATA }));
    const translated = await sentTo(25, 'responses', inResponses({ image_url: ADDRESS }), kimi);
    expect(imageIn(translated.body)).toEqual(imageUrl({ url: DATA }));
  });

  it('become bytes at its Messages address', async () => {
    const route = { ...kimi, answer: MESSAGE };
    const { body } = await sentTo(25, 'messages', inMessages({ type: 'url', url: ADDRESS }), route);
    expect(imageIn(body)['source']).toEqual({ type: 'base64', media_type: 'image/png', data: BYTES });
  });

  it('keeps bytes, and ids of its own store', async () => {
    for (const url of [DATA, 'ms://file-1'])
      expect(imageIn((await sentTo(25, 'chat', inChat(imageUrl({ url })), kimi)).body)).toEqual(
        imageUrl({ url }),
      );
  });

  it('refuses the call where the address cannot be opened', async () => {
    const route = { upstreamModel: 'kimi-k2.6', status: 400 };
    const { reply } = await sentTo(25, 'chat', inChat(imageUrl({ url: ADDRESS })), route);
    expect(reply).toContain('could not be fetched');
  });

  it('leaves the address to vendors that open it', async () => {
    const { body } = await sentTo(42, 'chat', inChat(imageUrl({ url: ADDRESS })));
    expect(imageIn(body)).toEqual(imageUrl({ url: ADDRESS }));
  });
});

describe('an image in the form of another API', () => {
  it.each([1, 17, 26, 42, 48])(
    'becomes an object with an address in a chat that passes, type %i',
    async (type) => {
      for (const [sent, url] of [
        [imageUrl(ADDRESS), ADDRESS],
        [{ type: 'input_image', image_url: DATA }, DATA],
        [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES } }, DATA],
        [{ type: 'image', source: { type: 'url', url: ADDRESS } }, ADDRESS],
      ] as const)
        expect(imageIn((await sentTo(type, 'chat', inChat(sent))).body)).toEqual(imageUrl({ url }));
    },
  );

  it('becomes a text in Responses, passed and translated', async () => {
    const sent = inResponses({ image_url: { url: DATA, detail: 'low' } });
    const passed = await sentTo(48, 'responses', sent, { answer: RESPONSE });
    expect(imageIn(passed.body)).toEqual({ type: 'input_image', image_url: DATA, detail: 'low' });
    const translated = await sentTo(40, 'responses', sent);
    expect(imageIn(translated.body)).toEqual(imageUrl({ url: DATA, detail: 'low' }));
  });

  it('keeps the bytes of a body whose images need nothing', async () => {
    const asked = inChat(imageUrl({ url: DATA, detail: 'low' }));
    const { text } = await sentTo(42, 'chat', asked);
    expect(text).toContain(JSON.stringify(asked['messages']));
  });
});

describe('a detail that the vendor does not know', () => {
  it.each([17, 25, 26, 42, 48])('becomes the nearest in a chat that passes, type %i', async (type) => {
    const route = { upstreamModel: type === 25 ? 'kimi-k2.6' : 'some-model' };
    const asked = inChat(imageUrl({ url: DATA, detail: 'original' }));
    const { body, warnings } = await sentTo(type, 'chat', asked, route);
    expect(imageIn(body)).toEqual(imageUrl({ url: DATA, detail: 'high' }));
    expect(warnings).toBe('detail');
  });

  it.each([17, 20, 48])('becomes the nearest at the Responses address, type %i', async (type) => {
    const asked = inResponses({ image_url: DATA, detail: 'original' });
    const { body } = await sentTo(type, 'responses', asked, { answer: RESPONSE });
    expect(imageIn(body)['detail']).toBe('high');
  });

  it('disappears where no word is near', async () => {
    const asked = inChat(imageUrl({ url: DATA, detail: 'sharpest' }));
    expect(imageIn((await sentTo(26, 'chat', asked)).body)).toEqual(imageUrl({ url: DATA }));
  });

  it('stays at OpenAI', async () => {
    const asked = inResponses({ image_url: DATA, detail: 'original' });
    const { body, warnings } = await sentTo(1, 'responses', asked, { baseUrl: '', answer: RESPONSE });
    expect(imageIn(body)['detail']).toBe('original');
    expect(warnings).toBe('');
  });
});

describe('a file that another vendor keeps', () => {
  it.each<[string, number, Json]>([
    ['responses', 40, inResponses({ file_id: 'file-2' })],
    ['responses', 14, inResponses({ file_id: 'file-2' })],
    ['responses', 24, inResponses({ file_id: 'file-2' })],
    ['messages', 1, inMessages({ type: 'file', file_id: 'file-9' })],
  ])('gets a refusal in the question, %s to type %i', async (api, type, asked) => {
    const { reply } = await sentTo(type, api, asked, { status: 400 });
    expect(reply).toContain('kept by another vendor');
  });

  it('becomes a note in earlier turns', async () => {
    const earlier = list(inMessages({ type: 'file', file_id: 'file-9' })['messages']);
    const messages = [...earlier, { role: 'assistant', content: 'a' }, { role: 'user', content: 'r' }];
    const { body, warnings } = await sentTo(40, 'messages', { messages }, { answer: ANSWER });
    expect(JSON.stringify(list(body['messages'])[0])).toContain(FILE_NOTE);
    expect(warnings).toBe('file_id');
  });

  it('passes to the vendor of the API itself', async () => {
    const asked = inResponses({ file_id: 'file-2' });
    const { body } = await sentTo(48, 'responses', asked, { answer: RESPONSE });
    expect(imageIn(body)['file_id']).toBe('file-2');
  });
});
