import { describe, expect, it } from '@jest/globals';
import { chatRequest, converse, type ConversationAct, greeting, type Message } from './conversation';

const after = (begun: readonly Message[], ...acts: readonly ConversationAct[]) =>
  acts.reduce(converse, begun);
const told = (messages: readonly Message[]) =>
  messages.map(({ id, role, content, state }) => `${id} ${role} ${state}: ${content}`);
const ask = { type: 'ask', text: 'Why?' } as const;
const content = (text: string): ConversationAct => ({ type: 'content', text });
const SETTINGS = { group: '', model: 'm', temperature: 0.7, maxTokens: 0, systemPrompt: '' };

describe('converse', () => {
  it('waits for an answer, takes it in pieces and ends it', () => {
    expect(told(after([], ask))).toEqual(['1 user complete: Why?', '2 assistant loading: ']);
    const answer = after([], ask, { type: 'reasoning', text: 'hm' }, content('Be'), content('cause'));
    expect(told(answer)).toEqual(['1 user complete: Why?', '2 assistant incomplete: Because']);
    expect(answer[1]?.reasoning).toBe('hm');
    expect(told(after(answer, { type: 'end' }))[1]).toBe('2 assistant complete: Because');
  });

  it('shows a failure behind what came', () => {
    expect(told(after([], ask, { type: 'fail', text: 'gone' }))[1]).toBe('2 assistant error: gone');
    expect(told(after([], ask, content('Be'), { type: 'fail', text: 'gone' }))[1]).toBe(
      '2 assistant error: Be\n\ngone',
    );
  });

  it.each<ConversationAct>([
    content('late'),
    { type: 'reasoning', text: 'late' },
    { type: 'end' },
    { type: 'fail', text: 'late' },
  ])('leaves an answer that is over alone: %j', (act) => {
    for (const end of [{ type: 'end' }, { type: 'fail', text: 'gone' }] as const) {
      const over = after([], ask, end);
      expect(converse(over, act)).toBe(over);
    }
    expect(converse([], act)).toEqual([]);
  });

  it('gives what follows numbers of its own, after a clearing from the beginning', () => {
    expect(told(after(greeting('Hi', 'Hello'), ask)).map((line) => line.slice(0, 6))).toEqual([
      '1 user',
      '2 assi',
      '3 user',
      '4 assi',
    ]);
    expect(told(after(greeting('Hi', 'Hello'), { type: 'clear' }, ask))).toHaveLength(2);
  });
});

describe('chatRequest', () => {
  it('sends what came whole, and neither failures nor what is still coming', () => {
    const messages = after(greeting('Hi', 'Hello'), ask, content('x'), { type: 'fail', text: 'gone' });
    expect(chatRequest(messages, SETTINGS, 'Again?')).toEqual({
      model: 'm',
      group: '',
      stream: true,
      temperature: 0.7,
      max_tokens: 0,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Why?' },
        { role: 'user', content: 'Again?' },
      ],
    });
  });

  it('begins with the words of the system, unless they are blank', () => {
    const roles = (systemPrompt: string) =>
      chatRequest([], { ...SETTINGS, systemPrompt }, 'x').messages.map(({ role }) => role);
    expect([roles('Be brief.'), roles(' \n')]).toEqual([['system', 'user'], ['user']]);
  });
});
