import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';
import { scanObject } from '../../framing/json-splice.js';
import { withoutBlankTexts } from './blank-texts.js';
import type { Json } from '../../../../test/support/strict-vendors/story.js';

const text = (words: string, more: Json = {}): Json => ({ type: 'text', text: words, ...more });
const user = (...content: Json[]): Json => ({ role: 'user', content });
const assistant = (...content: Json[]): Json => ({ role: 'assistant', content });
const result = (...content: Json[]): Json => ({ type: 'tool_result', tool_use_id: 'toolu_1', content });
const MARK = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { text: '' } };
const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };

const at = async (asked: Json, upstreamModel = 'claude-sonnet-4-5'): Promise<Json> =>
  (await sentTo(14, 'messages', asked, { upstreamModel, answer: MESSAGE })).body;
const messagesAt = async (...messages: Json[]): Promise<unknown> => (await at({ messages }))['messages'];

describe('texts of white space alone in a history that passes to the Messages API', () => {
  it.each([
    ['an empty text beside another', [user(text('Hi'), text(''))], [user(text('Hi'))]],
    ['a text of blanks and line ends', [user(text(' \n\r\t '), text('Hi'))], [user(text('Hi'))]],
    [
      'several in one message',
      [user(text(''), text('a'), text('\n'), text(''), text('b'), text(''))],
      [user(text('a'), text('b'))],
    ],
    [
      'a turn of the assistant of nothing else',
      [user(text('Hi')), assistant(text('')), user(text('Go on'))],
      [user(text('Hi')), user(text('Go on'))],
    ],
    [
      'an assistant’s empty string',
      [user(text('Hi')), { role: 'assistant', content: '' }],
      [user(text('Hi'))],
    ],
    [
      'an assistant’s string of blanks',
      [user(text('Hi')), { role: 'assistant', content: ' \n' }, user(text('Go on'))],
      [user(text('Hi')), user(text('Go on'))],
    ],
    ['a turn of the user of nothing else', [user(text(''))], [{ role: 'user', content: '...' }]],
    [
      'a user’s empty string',
      [{ role: 'user', content: '' }, user(text('Hi'))],
      [{ role: 'user', content: '...' }, user(text('Hi'))],
    ],
    [
      'a failed result that is an empty string',
      [user(text('Hi')), assistant(CALL), user({ ...result(), content: '', is_error: true })],
      [user(text('Hi')), assistant(CALL), user({ ...result(), content: '...', is_error: true })],
    ],
    [
      'a text in a result of a tool',
      [user(text('Hi')), assistant(CALL), user(result(text(''), text('Found')))],
      [user(text('Hi')), assistant(CALL), user(result(text('Found')))],
    ],
    [
      'a result of nothing else',
      [user(text('Hi')), assistant(CALL), user(result(text('')))],
      [user(text('Hi')), assistant(CALL), user({ ...result(), content: '' })],
    ],
    [
      'a failed result of nothing else',
      [user(text('Hi')), assistant(CALL), user({ ...result(text('')), is_error: true })],
      [user(text('Hi')), assistant(CALL), user({ ...result(), content: '...', is_error: true })],
    ],
    ['a mark, which moves to the block before', [user(text('Hi'), text('', MARK))], [user(text('Hi', MARK))]],
    [
      'two marks, of which the block before takes the first',
      [user(text('Hi'), text('', MARK), text('', { cache_control: { type: 'ephemeral' } }))],
      [user(text('Hi', MARK))],
    ],
    [
      'a mark behind thoughts, which take none',
      [user(text('Hi')), assistant(THOUGHT, text('', MARK), CALL), user(result(text('Found')))],
      [user(text('Hi')), assistant(THOUGHT, CALL), user(result(text('Found')))],
    ],
  ] satisfies [string, Json[], Json[]][])('leaves out %s', async (_name, sent, expected) => {
    expect(await messagesAt(...sent)).toEqual(expected);
  });

  it('leaves out an empty text of the instructions', async () => {
    const messages = [user(text('Hi'))];
    expect((await at({ system: [text(''), text('Be brief.')], messages }))['system']).toEqual([
      text('Be brief.'),
    ]);
    expect((await at({ system: [text('')], messages }))['system']).toBe('');
  });

  it('keeps every other byte', () => {
    const head =
      '{"model":"m",  "messages":[ {"content" : [{"type":"tool_use", "input":{"text":"","n":12345678901234567890}}';
    const body = Buffer.from(`${head} , {"type":"text","text":""} ],"role":"assistant"}]}`);
    const document = scanObject(body);
    if (typeof document === 'string') throw new Error(document);
    expect(withoutBlankTexts(body, document).toString()).toBe(`${head} ],"role":"assistant"}]}`);
  });

  it('returns the same buffer where the scan found none', () => {
    const body = Buffer.from('{"messages":[{"role":"user","content":[{"type":"text","text":"\\nHi"}]}]}');
    const document = scanObject(body);
    if (typeof document === 'string') throw new Error(document);
    expect(withoutBlankTexts(body, document)).toBe(body);
  });

  it('keeps white space around words', async () => {
    const messages = [user(text('\n\n Hi \n'))];
    expect(await messagesAt(...messages)).toEqual(messages);
  });

  it('leaves them out for Claude at a cloud', async () => {
    const { body } = await sentTo(
      33,
      'messages',
      { messages: [user(text('Hi'), text(''))] },
      {
        upstreamModel: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
        credential: 'key|us-east-1',
        answer: MESSAGE,
      },
    );
    expect(body['messages']).toEqual([user(text('Hi'))]);
  });
});
