import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../../model/chat.js';
import {
  FREEFORM_PARAMETERS,
  freeformInputOf,
  freeformToolsOf,
  withoutFreeformTools,
} from './freeform-tools.js';

const REQUEST: ChatRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
};
const SHELL = { type: 'function', name: 'shell', isFreeform: true } as const;
const PLAIN = { type: 'function', name: 'plain', parameters: { type: 'object' } } as const;

describe('freeformInputOf', () => {
  it.each([
    ['{"input":"ls -l"}', 'ls -l'],
    ['{"input":7}', '{"input":7}'],
    ['ls -l', 'ls -l'],
    ['', ''],
  ])('reads %j as %j', (json, input) => {
    expect(freeformInputOf(json)).toBe(input);
  });
});

describe('withoutFreeformTools', () => {
  it('gives the same request where there are none', () => {
    const request = { ...REQUEST, tools: [PLAIN] };
    expect(withoutFreeformTools(request)).toBe(request);
    expect(freeformToolsOf(request)).toBeUndefined();
  });

  it('makes functions of them with one text argument', () => {
    const request = { ...REQUEST, tools: [SHELL, PLAIN] };
    expect(freeformToolsOf(request)).toEqual(new Set(['shell']));
    expect(withoutFreeformTools(request).tools).toEqual([
      { type: 'function', name: 'shell', parameters: FREEFORM_PARAMETERS },
      PLAIN,
    ]);
  });

  it('puts the text of calls that were made into that argument, so that it can be read back', () => {
    const call = {
      type: 'tool-call',
      callId: 'c',
      name: 'shell',
      json: 'ls "-l"',
      isFreeform: true,
    } as const;
    const request: ChatRequest = { ...REQUEST, messages: [{ role: 'assistant', content: [call] }] };
    const [part] = withoutFreeformTools(request).messages[0]?.content ?? [];
    expect(part).toMatchObject({ isFreeform: false, json: '{"input":"ls \\"-l\\""}' });
    expect(freeformInputOf(part?.type === 'tool-call' ? part.json : '')).toBe(call.json);
  });
});
