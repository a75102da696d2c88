import { describe, expect, it } from '@jest/globals';
import { WRAPPING_FIELD, type Wrapping } from '../../formats/shared/fields/wrapped-response-format.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { withoutWrapping, wrappedAnswerAdapter } from './wrapped-answer.js';

const wrapped = (json: string): string => `{"${WRAPPING_FIELD}": ${json}}`;

function whole(text: string, wrapping: Wrapping): string {
  const reply = {
    choices: [{ content: [{ type: 'text', text }], finish: { unified: 'stop', raw: 'stop' } }],
  };
  const part = withoutWrapping(reply as never, wrapping).choices[0]?.content[0];
  return part?.type === 'text' ? part.text : '';
}

function streamed(pieces: readonly string[], wrapping: Wrapping): string {
  const adapt = wrappedAnswerAdapter(wrapping);
  const events: readonly StreamEvent[] = [
    ...pieces.map((text): StreamEvent => ({ type: 'text-delta', block: 1, text })),
    { type: 'block-end', block: 1 },
  ];
  return events
    .flatMap((event) => adapt(event))
    .map((event) => (event.type === 'text-delta' ? event.text : ''))
    .join('');
}

const CASES: readonly (readonly [Wrapping, string, string])[] = [
  ['word', wrapped('"yes"'), 'yes'],
  ['word', wrapped('"a \\"b\\"\\n\\u00e9"'), 'a "b"\né'],
  ['word', 'no object at all', 'no object at all'],
  ['word', '"yes"', '"yes"'],
  ['json', wrapped('[1, {"a": 2}]'), '[1, {"a": 2}]'],
  ['json', `\n{ "${WRAPPING_FIELD}" :[ ]\n}\n`, '[ ]'],
  ['json', wrapped('[12345678901234567890]'), '[12345678901234567890]'],
  ['json', '[1, 2]', '[1, 2]'],
  ['json', '{"other": [1]}', '{"other": [1]}'],
  ['json', wrapped('[1, 2').slice(0, -1), '[1, 2'],
];

describe('an answer in an object', () => {
  it.each(CASES)('gives a %s: %j as %j', (wrapping, text, answer) => {
    expect(whole(text, wrapping)).toBe(answer);
  });

  it.each(CASES)('streams a %s: %j as %j, cut anywhere', (wrapping, text, answer) => {
    expect(streamed([...text], wrapping)).toBe(answer);
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(streamed([text.slice(0, cut), text.slice(cut)], wrapping)).toBe(answer);
  });

  it('emits waiting text before the answer ends, though no block does', () => {
    const adapt = wrappedAnswerAdapter('word');
    expect(adapt({ type: 'text-delta', block: 1, text: wrapped('"yes"') })).toEqual([]);
    const finish = { unified: 'stop', raw: 'stop' } as const;
    expect(adapt({ type: 'choice-end', choice: 0, finish })).toEqual([
      { type: 'text-delta', block: 1, text: 'yes' },
      { type: 'choice-end', choice: 0, finish },
    ]);
  });
});
