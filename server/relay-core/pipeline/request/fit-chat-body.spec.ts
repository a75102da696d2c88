import { describe, expect, it } from '@jest/globals';
import type { ChatRules } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { scanObject, type ScannedObject } from '../../framing/json-splice.js';
import { fitChatBody, mayNeedChatRules } from './fit-chat-body.js';

function scanned(text: string | Buffer): ScannedObject {
  const document = scanObject(Buffer.from(text));
  if (typeof document === 'string') throw new Error(document);
  return document;
}

function fitted(
  body: unknown,
  rules: ChatRules,
  model = 'some-model',
): { readonly body: unknown; readonly left: readonly string[] } {
  const warnings: Warning[] = [];
  const sent = Buffer.from(JSON.stringify(body));
  const document = scanned(sent);
  const { bytes } = document;
  const written = fitChatBody(document, rules, model, warnings);
  // A call that the flags of the scan rule out is never changed.
  if (written !== bytes) expect(mayNeedChatRules(document, rules)).toBe(true);
  return { body: JSON.parse(written.toString()), left: warnings.map(({ setting }) => setting) };
}

const user = { role: 'user', content: 'q' };
const call = (args: string): unknown => ({
  id: 'c',
  type: 'function',
  function: { name: 'f', arguments: args },
});
const calls = { role: 'assistant', content: null, tool_calls: [call('{}')] };
const result = { role: 'tool', tool_call_id: 'c', content: 'r' };

describe('fitChatBody', () => {
  it('separates a user from a tool where the vendor asks for it', () => {
    const { body } = fitted({ messages: [user, calls, result, user] }, { separatesTools: true });
    expect(body).toEqual({ messages: [user, calls, result, { role: 'assistant', content: 'OK.' }, user] });
  });

  it.each([[''], [null], [[]], [[{ type: 'text', text: '' }]]])(
    'leaves a turn of the assistant out whose content is %j',
    (content) => {
      const turn = { role: 'assistant', content, reasoning_content: 'Hm.' };
      const { body, left } = fitted({ messages: [user, turn, user] }, { refusesEmptyTurns: true });
      expect(body).toEqual({ messages: [user, user] });
      expect(left).toEqual(['messages.1']);
    },
  );

  it.each([{ role: 'assistant', content: null, refusal: 'No.' }, { role: 'assistant', content: 'a' }, calls])(
    'keeps a turn of the assistant that has something: %j',
    (turn) => {
      expect(fitted({ messages: [user, turn] }, { refusesEmptyTurns: true })).toEqual({
        body: { messages: [user, turn] },
        left: [],
      });
    },
  );

  it('leaves empty texts out beside other parts, and nowhere else', () => {
    const image = { type: 'image_url', image_url: { url: 'https://files.example/a.png' } };
    const empty = { type: 'text', text: '' };
    const messages = [
      { role: 'user', content: [empty, image] },
      { role: 'user', content: [empty] },
      { role: 'user', content: '' },
    ];
    const { body } = fitted({ messages }, { dropsEmptyTexts: true });
    expect(body).toEqual({ messages: [{ role: 'user', content: [image] }, ...messages.slice(1)] });
  });

  it.each([[null], [[]], [[{ type: 'text', text: '' }]]])(
    'writes empty text beside calls for %j',
    (content) => {
      const { body } = fitted({ messages: [user, { ...calls, content }, result] }, { needsText: true });
      expect(body).toEqual({ messages: [user, { ...calls, content: '' }, result] });
    },
  );

  it('joins texts, and no other content', () => {
    const texts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const marked = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }];
    const image = [...texts, { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }];
    const turns = [texts, marked, image].map((content) => ({ role: 'user', content }));
    const { body } = fitted({ messages: turns }, { joinsTexts: true });
    expect(body).toEqual({ messages: [{ role: 'user', content: 'a\nb' }, ...turns.slice(1)] });
  });

  it('writes empty parameters', () => {
    const tool = { type: 'function', function: { name: 'f' } };
    const { body } = fitted({ messages: [user], tools: [tool] }, { needsParameters: true });
    expect(body).toEqual({
      messages: [user],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    });
  });

  it.each([
    ['{"a":', ['messages.1']],
    ['', []],
    ['null', ['messages.1']],
  ])('replaces arguments that are no object: %j', (args, left) => {
    const turn = { ...calls, tool_calls: [call(args), call('{"b":1}')] };
    expect(fitted({ messages: [user, turn] }, { needsWholeArguments: true })).toEqual({
      body: { messages: [user, { ...calls, tool_calls: [call('{}'), call('{"b":1}')] }] },
      left,
    });
  });

  it.each([
    [[user], [{ role: 'system', content: 'Answer in JSON.' }, user]],
    [
      [{ role: 'system', content: 'A' }, user],
      [{ role: 'system', content: 'A\n\nAnswer in JSON.' }, user],
    ],
    [[{ role: 'user', content: 'as Json' }], [{ role: 'user', content: 'as Json' }]],
  ])('names JSON where it is asked for: %j', (messages, wanted) => {
    const response_format = { type: 'json_object' };
    const { body } = fitted({ messages, response_format }, { needsWordJson: true });
    expect(body).toEqual({ messages: wanted, response_format });
  });

  const turn = (parts: Record<string, unknown>): unknown => ({ role: 'assistant', ...parts });

  it.each([
    ['a turn of a user', [user], false],
    ['a turn of the assistant', [user, turn({ content: 'a' })], false],
    ['a turn of parts', [user, turn({ content: [{ type: 'text', text: 'a' }] })], false],
    ['calls without text', [user, calls], false],
    ['a result of a tool', [user, calls, result], true],
    ['a turn without content', [user, turn({})], true],
    ['a turn with a member like content', [user, turn({ comment: 'a' })], true],
    ['an empty turn', [user, turn({ content: '' })], true],
    ['an empty list', [user, turn({ content: [] })], true],
    ['an empty text', [user, turn({ content: [{ type: 'text', text: '' }] })], true],
    ['no calls', [user, turn({ content: null, tool_calls: [] })], true],
  ])('decides by the scan of the body whether %s is looked at', (_name, messages, expected) => {
    const rules: ChatRules = { separatesTools: true, refusesEmptyTurns: true, needsParameters: true };
    for (const space of [0, 2])
      expect(mayNeedChatRules(scanned(JSON.stringify({ messages }, null, space)), rules)).toBe(expected);
  });

  it.each([
    ['content that is given twice', '{"role":"assistant","content":"a","content":""}', true],
    ['content in another object', '{"role":"assistant","audio":{"content":"a"}}', true],
    ['content before the role', '{"content":"a","role":"assistant"}', false],
    ['a role with an escape', String.raw`{"role":"\u0061ssistant","content":null}`, true],
    ['a key with an escape', String.raw`{"role":"assistant","c\u006fntent":null}`, true],
  ])('looks at a turn with %s', (_name, message, expected) => {
    const document = scanned(`{"messages":[${message}]}`);
    expect(mayNeedChatRules(document, { refusesEmptyTurns: true })).toBe(expected);
  });

  it('looks at calls without text where a vendor wants some', () => {
    const document = scanned(JSON.stringify({ messages: [user, calls] }));
    expect(mayNeedChatRules(document, { needsText: true })).toBe(true);
    expect(mayNeedChatRules(document, { refusesEmptyTurns: true })).toBe(false);
  });

  const THINKERS: ChatRules = { needsThoughts: /v4/ };

  it.each([
    ['a call without thoughts', { ...calls }],
    ['words without thoughts', { role: 'assistant', content: 'a' }],
    ['thoughts that are null', { ...calls, reasoning_content: null }],
    ['thoughts that are empty', { ...calls, reasoning_content: '' }],
    ['thoughts under the name of another vendor', { ...calls, reasoning: 'T' }],
  ])('gives a turn blank thoughts for a model that thinks: %s', (_name, turn) => {
    const { body, left } = fitted({ messages: [user, turn] }, THINKERS, 'v4-pro');
    expect(body).toEqual({ messages: [user, { ...turn, reasoning_content: ' ' }] });
    expect(left).toEqual([]);
  });

  it.each([
    ['thoughts of its own', { messages: [user, { ...calls, reasoning_content: 'T' }] }, 'v4-pro'],
    ['another model', { messages: [user, calls] }, 'v3'],
    ['thinking switched off', { messages: [user, calls], thinking: { type: 'disabled' } }, 'v4-pro'],
    ['turns of others', { messages: [{ role: 'system', content: 'A' }, user, result] }, 'v4-pro'],
  ])('leaves a chat as it is with %s', (_name, body, model) => {
    expect(fitted(body, THINKERS, model).body).toEqual(body);
  });

  it('keeps the buffer of a call that needs nothing', () => {
    const body = scanned(JSON.stringify({ messages: [user, calls, result], tools: [] }));
    const all: ChatRules = {
      separatesTools: true,
      refusesEmptyTurns: true,
      joinsTexts: true,
      needsParameters: true,
      needsWholeArguments: true,
      needsWordJson: true,
      needsThoughts: /v4/,
    };
    expect(fitChatBody(body, all, 'some-model', [])).toBe(body.bytes);
  });
});
