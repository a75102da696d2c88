import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../../model/chat.js';
import {
  callersToolNames,
  type ToolNameRule,
  USUAL_TOOL_NAMES,
  vendorToolNames,
  withToolNames,
} from './tool-names.js';

const asking = (names: readonly string[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  tools: names.map((name) => ({ type: 'function', name })),
  ...more,
});
const renamed = (names: readonly string[], rule: ToolNameRule = USUAL_TOOL_NAMES) =>
  Object.fromEntries(vendorToolNames(asking(names), rule) ?? []);

describe('names of tools for vendors', () => {
  it('keeps them where they are taken', () => {
    expect(vendorToolNames(asking(['weather', 'a-b_c', 'x'.repeat(64)]), USUAL_TOOL_NAMES)).toBeUndefined();
  });

  it('keeps their beginning and adds a mark made from all of the name', () => {
    const names = ['x'.repeat(65), `${'x'.repeat(65)}y`, 'a.b', 'a:b'];
    const short = renamed(names);
    expect(new Set(Object.values(short)).size).toBe(4);
    for (const name of Object.values(short)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(short['a.b']).toMatch(/^a_b_[0-9a-f]{10}$/);
    expect(renamed(['a.b'])).toEqual({ 'a.b': short['a.b'] });
  });

  it('begins them with a letter or an underscore where they must', () => {
    const rule = { ...USUAL_TOOL_NAMES, beginsWithLetter: true } as const;
    expect(renamed(['9lives', '_x', 'a'], rule)).toEqual({
      '9lives': expect.stringMatching(/^_9lives_[0-9a-f]{10}$/),
    });
  });

  it('never takes the name of another tool of the caller', () => {
    const usual = renamed(['a.b'])['a.b'] ?? '';
    const [other] = Object.values(renamed(['a.b', usual]));
    expect(other).not.toBe(usual);
    expect(other).toMatch(/^a_b_[0-9a-f]{10}$/);
  });

  it('changes them in the choice, in lists of what may be called, in earlier calls and in their results', () => {
    const value = { type: 'allowed_tools', tools: [{ type: 'function', name: 'a.b' }] };
    const request = asking(['a.b'], {
      toolChoice: { type: 'vendor', apiFormat: 'openai-responses', value },
      messages: [
        { role: 'assistant', content: [{ type: 'tool-call', callId: '1', name: 'a.b', json: '{}' }] },
        { role: 'tool', callId: '1', name: 'a.b', content: [{ type: 'text', text: 'a.b' }] },
        { role: 'user', name: 'a.b', content: [] },
      ],
    });
    const names = vendorToolNames(request, USUAL_TOOL_NAMES) ?? new Map<string, string>();
    const [short = ''] = names.values();
    expect(withToolNames(request, names)).toMatchObject({
      tools: [{ name: short }],
      toolChoice: { value: { tools: [{ name: short }] } },
      messages: [
        { content: [{ name: short }] },
        { name: short, content: [{ text: 'a.b' }] },
        { role: 'user', name: 'a.b' },
      ],
    });
    expect(callersToolNames(names).get(short)).toBe('a.b');
    const named = asking(['a.b'], { toolChoice: { type: 'named', name: 'a.b' } });
    expect(withToolNames(named, names)).toMatchObject({ toolChoice: { name: short } });
  });
});
