import { describe, expect, it } from '@jest/globals';
import { ProducedText } from './produced-text.js';

/** One token per character, and a note of every text that was counted. */
function counting() {
  const seen: string[] = [];
  return {
    seen,
    estimate: (text: string) => {
      seen.push(text);
      return text.length;
    },
  };
}

function append(text: ProducedText, inside: string): void {
  const bytes = Buffer.from(`"${inside}"`);
  text.append(bytes, 1, bytes.length - 1);
}

describe('ProducedText', () => {
  it('counts only what came since it was asked last', () => {
    const text = new ProducedText();
    const { seen, estimate } = counting();
    append(text, 'abc');
    expect(text.uncounted).toBe(3);
    expect(text.running(estimate)).toBe(3);
    expect(text.uncounted).toBe(0);
    append(text, 'd'.repeat(1_000));
    expect(text.running(estimate)).toBe(1_003);
    expect(text.running(estimate)).toBe(1_003);
    expect(seen).toEqual(['abc', 'd'.repeat(1_000)]);
  });

  it('bounds what is uncounted from above, whatever the characters are', () => {
    const text = new ProducedText();
    append(text, '秘密🔑');
    expect(text.uncounted).toBe(10);
    expect(text.keptText()).toBe('秘密🔑');
  });

  it('reads escapes, and a broken one as it stands', () => {
    const text = new ProducedText();
    append(text, 'a\\n\\u0062');
    expect(text.keptText()).toBe('a\nb');
    append(text, '\\x');
    expect(text.keptText()).toBe('a\\n\\u0062\\x');
  });

  it('takes text that is no inside of JSON, and ignores what is empty', () => {
    const text = new ProducedText();
    text.appendText('"a"\n');
    append(text, '');
    text.append(Buffer.from('abc'), 2, 1);
    expect(text.keptText()).toBe('"a"\n');
    expect(text.totalBytes).toBe(7);
  });

  it('counts older text by estimate once more came than is kept', () => {
    const text = new ProducedText(4);
    const { estimate } = counting();
    append(text, 'abcd');
    expect(text.running(estimate)).toBe(4);
    expect([text.keptText(), text.uncountable]).toEqual(['abcd', 0]);
    append(text, 'e');
    expect(text.running(estimate)).toBe(5);
    expect([text.keptText(), text.uncountable]).toEqual(['', 5]);
    append(text, 'fg');
    expect(text.running(estimate)).toBe(7);
    expect([text.keptText(), text.uncountable]).toEqual(['fg', 5]);
    expect(text.totalBytes).toBe(7);
  });

  it('counts a whole reply where it lies', () => {
    const text = new ProducedText(4);
    text.borrow();
    append(text, 'abc\\n');
    append(text, 'defg');
    expect(text.running(counting().estimate)).toBe(8);
    expect([text.keptText(), text.uncountable]).toEqual(['abc\ndefg', 0]);
  });

  it('counts sound and pictures beside the text', () => {
    const text = new ProducedText();
    const { estimate } = counting();
    expect(text.media).toEqual({});
    text.setAudioTokens(10);
    text.setAudioTokens(25);
    text.addImage(7);
    text.extraTokens += 3;
    append(text, 'ab');
    expect(text.media).toEqual({ audio: 25, image: 7 });
    expect(text.uncounted).toBe(2 + 25 + 7 + 3);
    expect(text.running(estimate)).toBe(2 + 25 + 7 + 3);
    expect([text.uncounted, text.uncountable]).toEqual([0, 25 + 7 + 3]);
    // A vendor that reports less sound than text.
    text.setAudioTokens(20);
    expect(text.running(estimate)).toBe(2 + 20 + 7 + 3);
  });
});
