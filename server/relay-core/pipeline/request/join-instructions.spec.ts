import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../model/chat.js';
import { joinInstructions } from './join-instructions.js';

const HEAD = { developer: false, place: 'head' } as const;
const text = (role: 'system' | 'developer' | 'user', words: string): Message => ({
  role,
  content: [{ type: 'text', text: words }],
});
const rolesOf = (messages: readonly Message[]): string => messages.map(({ role }) => role).join(' ');

describe('joinInstructions', () => {
  it('joins all instructions at the head, with a blank line between two texts', () => {
    const { messages, isMoved } = joinInstructions(
      [
        text('system', 'A'),
        text('developer', 'B'),
        text('user', 'q'),
        text('system', 'C'),
        text('user', 'r'),
      ],
      HEAD,
    );
    expect(rolesOf(messages)).toBe('system user user');
    expect(messages[0]?.content).toEqual([{ type: 'text', text: 'A\n\nB\n\nC' }]);
    expect(isMoved).toBe(true);
  });

  it('writes a single developer as system, and reports no move', () => {
    const { messages, isMoved } = joinInstructions([text('developer', 'B'), text('user', 'q')], HEAD);
    expect(messages).toEqual([text('system', 'B'), text('user', 'q')]);
    expect(isMoved).toBe(false);
  });

  it('keeps marks of the cache, and the text in front of a mark as it was', () => {
    const marked: Message = {
      role: 'system',
      content: [{ type: 'text', text: 'A', cache: { ttl: undefined } }],
    };
    const { messages } = joinInstructions([marked, text('developer', 'B'), text('user', 'q')], HEAD);
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'A', cache: { ttl: undefined } },
      { type: 'text', text: '\n\nB' },
    ]);
  });

  it('keeps a conversation that the vendor takes', () => {
    const turns = [text('system', 'A'), text('user', 'q')];
    expect(joinInstructions(turns, HEAD).messages).toEqual(turns);
    const many = [text('developer', 'A'), text('user', 'q'), text('system', 'B')];
    expect(joinInstructions(many, { developer: true, place: 'anywhere' }).messages).toBe(many);
    expect(rolesOf(joinInstructions(many, { developer: false, place: 'anywhere' }).messages)).toBe(
      'system user system',
    );
  });
});
