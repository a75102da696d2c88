import { describe, expect, it } from '@jest/globals';
import type { ContentPart } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { FinishedCalls, withFinishedCalls } from './finished-calls.js';

const start = (block: number, more: object = {}): StreamEvent => ({
  type: 'tool-input-start',
  block,
  callId: `c${block}`,
  name: 'f',
  ...more,
});
const delta = (block: number, json: string): StreamEvent => ({ type: 'tool-input-delta', block, json });
const end = (block: number): StreamEvent => ({ type: 'block-end', block });

/** The input that is emitted for a call; undefined = none is. */
function addedTo(...events: readonly StreamEvent[]): readonly (StreamEvent | undefined)[] {
  const calls = new FinishedCalls();
  return events.map((event) => calls.before(event)).filter((event) => event !== undefined);
}

describe('FinishedCalls', () => {
  it.each([
    ['nothing', [start(1), end(1)]],
    ['an empty text', [start(1), delta(1, ''), end(1)]],
    ['white space', [start(1), delta(1, ' '), delta(1, '\n'), end(1)]],
  ])('gives a call the JSON of no arguments whose input was %s', (_what, events) => {
    expect(addedTo(...events)).toEqual([{ type: 'tool-input-delta', block: 1, json: '{}' }]);
  });

  it('emits it once, in the answer the call belongs to', () => {
    expect(addedTo(start(1, { choice: 2 }), end(1), end(1))).toEqual([
      { type: 'tool-input-delta', block: 1, json: '{}', choice: 2 },
    ]);
  });

  it.each([
    ['a call with input', [start(1), delta(1, ' '), delta(1, '{}'), end(1)]],
    ['a call in free form', [start(1, { isFreeform: true }), end(1)]],
    ['a block that is no call', [end(1)]],
    ['a call that did not end', [start(1), end(2)]],
  ])('adds nothing to %s', (_what, events) => {
    expect(addedTo(...events)).toEqual([]);
  });
});

describe('withFinishedCalls', () => {
  const call = (json: string, isFreeform?: true): ContentPart => ({
    type: 'tool-call',
    callId: 'c',
    name: 'f',
    json,
    ...(isFreeform === undefined ? {} : { isFreeform }),
  });
  const reply = (...content: readonly ContentPart[]) => ({
    choices: [{ content, finish: { unified: 'stop' as const, raw: 'stop' } }],
  });

  it('does the same for a whole answer, and copies none that lacks nothing', () => {
    const given = reply(call(' '), call('{"a":1}'), call('', true), { type: 'text', text: '' });
    expect(withFinishedCalls(given as never)).toEqual(
      reply(call('{}'), call('{"a":1}'), call('', true), { type: 'text', text: '' }),
    );
    const whole = reply(call('{}')) as never;
    expect(withFinishedCalls(whole)).toBe(whole);
  });
});
