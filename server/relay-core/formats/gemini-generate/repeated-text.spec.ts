import { afterEach, describe, expect, it } from '@jest/globals';
import { REPEATED_EVENTS } from '../shared/metering/json-event-meter.js';
import { GenerateReplyReader } from './reply-reader.js';
import { RepeatedText } from './repeated-text.js';

const frame = (text: string, output: number, more: object = {}, index = 0): string =>
  JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index, ...more }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: output, totalTokenCount: 9 + output },
    responseId: 'r1',
  });

describe('frames like the one before', () => {
  const repeated = new RepeatedText();
  repeated.remember(frame('some words', 12), 'some words');

  it.each([
    ['other words and figures', frame('more', 345), 'more'],
    ['words that break no line', frame('Grüße 👋 …', 1), 'Grüße 👋 …'],
    ['escapes', frame('a "b"', 12), undefined],
    ['another answer', frame('more', 12, {}, 1), undefined],
    ['an ending', frame('more', 12, { finishReason: 'STOP' }), undefined],
    ['figures that are gone', frame('more', 0), undefined],
    ['no words', frame('', 12), undefined],
    ['something behind it', `${frame('more', 12)}1`, undefined],
    ['a cut', frame('more', 12).slice(0, -1), undefined],
  ])('recognises %s', (_name, data, words) => {
    expect(repeated.wordsOf(data)).toBe(words);
  });

  afterEach(() => {
    REPEATED_EVENTS.areRecognised = true;
  });

  it('reads them like any other when that is switched off', () => {
    REPEATED_EVENTS.areRecognised = false;
    const off = new RepeatedText();
    off.remember(frame('some words', 12), 'some words');
    expect(off.wordsOf(frame('more', 345))).toBeUndefined();
  });

  it.each([true, false])(
    'reports them as if each had been read by itself, last figures too (on: %s)',
    (isOn) => {
      REPEATED_EVENTS.areRecognised = isOn;
      const frames = [
        frame('Hel', 1),
        ...['lo ', 'wor"ld', ' 12', ', and', ' on'].map((text, at) => frame(text, 10 ** at + 1)),
        frame('other', 7, {}, 1),
        frame(' again', 77),
        frame('.', 99_999, { finishReason: 'STOP' }),
      ];
      const reader = new GenerateReplyReader();
      const together = [...frames.flatMap((data) => reader.read(data)), ...reader.finish()];
      // White space before it makes a frame unlike the others: every one is read.
      const slow = new GenerateReplyReader();
      const apart = [
        ...frames.flatMap((data, at) => slow.read(`${' '.repeat(at % 2)}${data}`)),
        ...slow.finish(),
      ];
      expect(together).toEqual(apart);
      expect(together.filter(({ type }) => type === 'usage')).toHaveLength(1);
      expect(together).toContainEqual(
        expect.objectContaining({
          type: 'usage',
          usage: { input: { total: 9 }, output: { total: 99_999 } },
        }),
      );
    },
  );

  it('reports the last figures of a stream that breaks off', () => {
    const reader = new GenerateReplyReader();
    for (let count = 1; count < 6; count += 1) reader.read(frame('word', count * 10));
    expect(reader.finish()).toContainEqual({
      type: 'usage',
      usage: { input: { total: 9 }, output: { total: 50 } },
    });
  });
});
