import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../model/stream-event.js';
import { ChatReplyReader } from './reply-reader.js';

const frame = (choices: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more });
const said = (delta: object): string => frame([{ index: 0, delta, finish_reason: null }]);
const called = (call: object): string => said({ tool_calls: [{ index: 0, ...call }] });
const stop = (word = 'stop'): string => frame([{ index: 0, delta: {}, finish_reason: word }]);
const usage = frame([], { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });

function eventsOf(...frames: readonly string[]): readonly StreamEvent[] {
  const reader = new ChatReplyReader();
  return [...frames.flatMap((data) => reader.read(data)), ...reader.finish()];
}
const kindsOf = (events: readonly StreamEvent[]): readonly string[] => events.map(({ type }) => type);
const endOf = (events: readonly StreamEvent[]): unknown =>
  events.flatMap((event) => (event.type === 'choice-end' ? [event.finish.unified] : []));

describe('a reason to stop that comes before the answer is over', () => {
  it('keeps a call whole when one stands behind each of its pieces', () => {
    const events = eventsOf(
      called({ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      stop(),
      called({ function: { arguments: '{"x"' } }),
      stop(),
      called({ function: { arguments: ':1}' } }),
      stop(),
      stop('tool_calls'),
      usage,
      '[DONE]',
    );
    expect(kindsOf(events).filter((type) => type === 'block-end' || type === 'choice-end')).toEqual([
      'block-end',
      'choice-end',
    ]);
    expect(endOf(events)).toEqual(['tool-calls']);
  });

  it('keeps a text in one piece, and ends it before the figures', () => {
    const kinds = kindsOf(
      eventsOf(said({ content: 'a' }), stop(), said({ content: 'b' }), stop(), usage, '[DONE]'),
    );
    expect(kinds).toEqual([
      'reply-start',
      'text-delta',
      'text-delta',
      'block-end',
      'choice-end',
      'usage',
      'reply-end',
    ]);
  });

  it('takes the first of several that come behind the answer', () => {
    expect(endOf(eventsOf(said({ content: 'a' }), stop('length'), stop('stop'), '[DONE]'))).toEqual([
      'length',
    ]);
  });
});
