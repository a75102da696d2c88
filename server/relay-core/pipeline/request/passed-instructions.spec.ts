import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { mayMisplaceInstructions, placeInstructions } from './passed-instructions.js';

const HEAD = { developer: false, place: 'head' } as const;
const ROLES = { developer: false, place: 'anywhere' } as const;
const NEWEST = { developer: true, place: 'anywhere' } as const;
const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';
const MESSAGES = 'anthropic-messages';

function mayMisplace(
  body: string,
  format: string,
  rules: typeof HEAD | typeof NEWEST | typeof ROLES,
): boolean {
  const document = scanObject(Buffer.from(body));
  if (typeof document === 'string') throw new Error(document);
  return mayMisplaceInstructions(document, format, rules);
}

const placed = (body: string, format: string, rules: typeof HEAD | typeof ROLES = HEAD) => {
  const { body: bytes, moved } = placeInstructions(Buffer.from(body), format, rules);
  return { text: bytes.toString(), moved };
};

const USER = '{"role":"user" , "content":"q"}';

describe('mayMisplaceInstructions', () => {
  it.each([
    ['a developer', CHAT, `{"messages":[{"role":"developer","content":"B"},${USER}]}`],
    [
      'two instructions',
      CHAT,
      `{"messages":[{"role":"system","content":"A"},{"role":"system","content":"B"},${USER}]}`,
    ],
    ['an instruction between turns', CHAT, `{"messages":[${USER},{"role":"system","content":"A"}]}`],
    ['a developer in the input', RESPONSES, `{"input":[{"role":"developer","content":"B"}]}`],
    [
      'an instruction beside others',
      RESPONSES,
      `{"instructions":"A","input":[{"role":"system","content":"B"}]}`,
    ],
    ['an instruction among turns', MESSAGES, `{"messages":[${USER},{"role":"system","content":"A"}]}`],
  ])('finds %s', (_name, format, body) => {
    expect(mayMisplace(body, format, HEAD)).toBe(true);
    expect(mayMisplace(body, format, NEWEST)).toBe(false);
  });

  it.each([
    ['one at the head', CHAT, `{"messages":[{"role":"system","content":"A"},${USER}]}`],
    ['none', CHAT, `{"messages":[${USER}]}`],
    ['words about roles', CHAT, `{"messages":[{"role":"user","content":"\\"system\\" or \\"developer\\""}]}`],
    ['instructions outside', RESPONSES, `{"instructions":"A","input":"q"}`],
    ['a system outside', MESSAGES, `{"system":"A","messages":[${USER}]}`],
  ])('lets %s pass', (_name, format, body) => {
    expect(mayMisplace(body, format, HEAD)).toBe(false);
  });
});

describe('placeInstructions', () => {
  it('joins the instructions of a chat at the head; other messages keep their bytes', () => {
    const body = `{"model":"m","messages":[{"role":"system","content":"A"},{"role":"developer","content":"B"},${USER},{"role":"system","content":[{"type":"text","text":"C"}]},${USER}],"n":1}`;
    expect(placed(body, CHAT)).toEqual({
      text: `{"model":"m","messages":[{"role":"system","content":"A\\n\\nB\\n\\nC"},${USER},${USER}],"n":1}`,
      moved: 'messages.3',
    });
  });

  it('keeps marks of the cache in a list of parts', () => {
    const body = `{"messages":[{"role":"system","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}]},{"role":"developer","content":"B"}]}`;
    expect(placed(body, CHAT).text).toBe(
      `{"messages":[{"role":"system","content":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}},{"type":"text","text":"\\n\\nB"}]}]}`,
    );
  });

  it('renames the role alone where instructions may stand anywhere', () => {
    const body = `{"messages":[${USER},{"role":"developer","content":"B"}]}`;
    expect(placed(body, CHAT, ROLES).text).toBe(`{"messages":[${USER},{"role":"system","content":"B"}]}`);
  });

  it('joins the items of a Responses call in `instructions`', () => {
    const body = `{"instructions":"A","input":[{"role":"developer","content":[{"type":"input_text","text":"B"}]},${USER},{"type":"message","role":"system","content":"C"}]}`;
    expect(placed(body, RESPONSES)).toEqual({
      text: `{"instructions":"A\\n\\nB\\n\\nC","input":[${USER}]}`,
      moved: 'input.2',
    });
    expect(placed(`{"input":[{"role":"developer","content":"B"},${USER}]}`, RESPONSES)).toEqual({
      text: `{"input":[${USER}],"instructions":"B"}`,
      moved: undefined,
    });
  });

  it('joins turns of the Messages API in `system`, a text or a list of blocks', () => {
    const turns = `${USER},{"role":"system","content":"C"}`;
    expect(placed(`{"system":"A","messages":[${turns}]}`, MESSAGES).text).toBe(
      `{"system":"A\\n\\nC","messages":[${USER}]}`,
    );
    const block = '{"type":"text","text":"A","cache_control":{"type":"ephemeral"}}';
    expect(placed(`{"system":[${block}],"messages":[${turns}]}`, MESSAGES).text).toBe(
      `{"system":[${block},{"type":"text","text":"\\n\\nC"}],"messages":[${USER}]}`,
    );
  });

  it.each([
    ['a list that holds no objects', '{"messages":["system",1]}', CHAT],
    ['an input that is a text', '{"input":"a \\"developer\\""}', RESPONSES],
    ['a body without messages', '{}', MESSAGES],
    ['one at the head', `{"messages":[{"role":"system","content":"A"}]}`, CHAT],
  ])('leaves %s as it is', (_name, body, format) => {
    expect(placed(body, format)).toEqual({ text: body, moved: undefined });
  });
});
