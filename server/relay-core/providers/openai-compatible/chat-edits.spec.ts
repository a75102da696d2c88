import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import { fitToVendor } from './chat-edits.js';

const signature = { by: 'google', data: 'c2lnbmF0dXJl' } as const;
const REQUEST: ChatRequest = {
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', signature },
        { type: 'tool-call', callId: 'call_1', name: 'lookup', json: '{}', signature },
      ],
    },
    { role: 'tool', callId: 'call_1', content: [{ type: 'text', text: '21' }] },
  ],
};
const signaturesIn = ({ messages }: ChatRequest): string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((part) => ('signature' in part && part.signature !== undefined ? [part.type] : [])),
  );

describe('signatures of other models go only to vendors that take them', () => {
  it.each([
    [{}, []],
    [{ signatures: true }, ['reasoning']],
    [{ callSignatures: true }, ['tool-call']],
    [{ signatures: true, callSignatures: true }, ['reasoning', 'tool-call']],
  ] as const)('sends them with %j to vendors that take them, and to no other', (profile, expected) => {
    const fitted = fitToVendor(REQUEST, { history: 'all', ...profile });
    expect(signaturesIn(fitted)).toEqual(expected);
    expect(fitted.messages[1]?.content.map(({ type }) => type)).toEqual(['reasoning', 'tool-call']);
  });
});
