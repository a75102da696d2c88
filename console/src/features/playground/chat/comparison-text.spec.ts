import { expect, it } from '@jest/globals';
import { comparisonText } from './comparison-text';
import { type ChatMessage, textMessage } from './messages';

const answer = (model: string, text: string, totalMs: number): ChatMessage => ({
  ...textMessage(`${model} ${text}`, 'assistant', text),
  metadata: { model, calls: [{ requestId: text, startedAtMs: 0, totalMs }] },
});
const greeting = [textMessage('1', 'user', 'Hello'), textMessage('2', 'assistant', 'Hi')];
const figuresOf = ({ metadata }: ChatMessage): string => `${metadata?.calls?.[0]?.totalMs ?? 0} ms`;

it('writes each question once, and under it the answers with their models and figures', () => {
  const question = textMessage('3', 'user', 'Which?\nSay why.');
  const models = [
    { model: 'now-a', messages: [...greeting, question, answer('a', 'Mine', 10)] },
    { model: 'now-b', messages: [...greeting, question, answer('b', 'Mine too', 20)] },
    { model: 'added-later', messages: greeting },
  ];
  expect(comparisonText(models, figuresOf)).toBe(
    '> Which?\n> Say why.\n\n**a** · 10 ms\n\nMine\n\n**b** · 20 ms\n\nMine too',
  );
});

it('returns an empty text before the first answer', () => {
  expect(comparisonText([{ model: 'a', messages: greeting }], figuresOf)).toBe('');
});
