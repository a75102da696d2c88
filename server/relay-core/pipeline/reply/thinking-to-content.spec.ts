import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../model/stream-event.js';
import { ReplyCollector, replyToEvents } from './collect-reply.js';
import { moveThinkingToContent, thinkingToContentAdapter } from './thinking-to-content.js';

const through = (events: readonly StreamEvent[]): readonly StreamEvent[] => {
  const adapt = thinkingToContentAdapter();
  return events.flatMap((event) => adapt(event));
};
const THOUGHT: readonly StreamEvent[] = [
  { type: 'reasoning-delta', block: 0, text: 'Wh' },
  { type: 'reasoning-delta', block: 0, text: 'y' },
  { type: 'block-signature', block: 0, of: 'reasoning', signature: { by: 'anthropic', data: 'sig' } },
  { type: 'block-end', block: 0 },
];

describe('thinking in the content', () => {
  it.each<[string, readonly StreamEvent[]]>([
    ['a text', [{ type: 'text-delta', block: 1, text: 'So' }]],
    ['a call', [{ type: 'tool-input-start', block: 1, callId: 'c', name: 'f' }]],
    ['the end', [{ type: 'choice-end', choice: 0, finish: { unified: 'stop', raw: 'stop' } }]],
  ])('closes it in its own block before %s, marks apart from words, signatures gone', (_name, rest) => {
    const out = through([...THOUGHT, ...rest]);
    expect(out.slice(0, 5)).toEqual([
      { type: 'text-delta', block: 0, choice: 0, text: '<think>\n' },
      { type: 'text-delta', block: 0, choice: 0, text: 'Wh' },
      { type: 'text-delta', block: 0, choice: 0, text: 'y' },
      { type: 'text-delta', block: 0, choice: 0, text: '\n</think>\n' },
      { type: 'block-end', block: 0 },
    ]);
    expect(out.slice(5)).toEqual(rest);
  });

  it('gives the same in a whole reply as in its stream', () => {
    const reply = {
      id: 'x',
      servedModel: 'm',
      createdAtSeconds: 1,
      usage: undefined,
      choices: [
        {
          content: [
            { type: 'reasoning' as const, text: 'Why' },
            { type: 'text' as const, text: 'So' },
          ],
          finish: { unified: 'stop' as const, raw: 'stop' },
        },
      ],
    };
    const collector = new ReplyCollector();
    for (const event of through([...replyToEvents(reply)])) collector.write(event);
    const textOf = (content: readonly { readonly type: string; readonly text?: string }[] | undefined) =>
      content?.map(({ text }) => text ?? '').join('');
    const streamed = textOf(collector.reply().choices[0]?.content as { type: string; text?: string }[]);
    const whole = textOf(
      moveThinkingToContent(reply).choices[0]?.content as { type: string; text?: string }[],
    );
    expect(streamed).toBe('<think>\nWhy\n</think>\nSo');
    expect(whole).toBe(streamed);
  });
});
