import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { mayHoldThoughts, writeThoughts } from './passed-thoughts.js';

const USER = '{ "role":"user","content":"\\"reasoning_content\\""}';
const written = (...messages: readonly string[]): string =>
  writeThoughts(Buffer.from(`{"messages":[${messages.join(',')}]}`), 'thinking parts', false).toString();

describe('writeThoughts', () => {
  it('writes thoughts as a part in front of the text; other messages keep their bytes', () => {
    expect(written(USER, '{"role":"assistant","content":"a","reasoning_content":"Hm."}', USER)).toBe(
      `{"messages":[${USER},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}],"closed":true},{"type":"text","text":"a"}]},${USER}]}`,
    );
  });

  it('writes thoughts of a turn that only calls tools', () => {
    expect(written('{"role":"assistant","content":null,"reasoning":"Hm.","tool_calls":[]}')).toBe(
      '{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}],"closed":true}],"tool_calls":[]}]}',
    );
  });

  it('takes out empty thoughts', () => {
    expect(
      written('{"role":"assistant","content":"a","reasoning_content":null,"reasoning_details":[]}'),
    ).toBe('{"messages":[{"role":"assistant","content":"a"}]}');
  });

  it.each([
    ['reasoning', 'reasoning_content', '{"role":"assistant","content":"a","reasoning":"Hm."}'],
    ['reasoning', 'reasoning', '{"role":"assistant","content":"a","reasoning":"Hm."}'],
    ['none', 'reasoning_content', '{"role":"assistant","content":"a"}'],
    ['none', 'reasoning', '{"role":"assistant","content":"a"}'],
  ] as const)('writes thoughts in the form `%s` from the member `%s`', (form, member, turn) => {
    const sent = `{"role":"assistant","content":"a","${member}":"Hm.","reasoning_details":[]}`;
    const body = writeThoughts(Buffer.from(`{"messages":[${USER},${sent}]}`), form, false);
    expect(body.toString()).toBe(`{"messages":[${USER},${turn}]}`);
  });

  it.each([
    ['a turn with thoughts', '{"messages":[{"role":"assistant","reasoning_content":"Hm."}]}', true],
    ['a switch of reasoning outside', '{"reasoning_effort":"high","messages":[]}', false],
    ['no messages', '{}', false],
  ])('looks for thoughts in %s', (_name, body, expected) => {
    const document = scanObject(Buffer.from(body));
    if (typeof document === 'string') throw new Error(document);
    expect(mayHoldThoughts(document)).toBe(expected);
  });
});
