import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatMessage } from './messages';
import { PacedDrawing } from './paced-drawing';

const messageOf = (text: string): ChatMessage => ({
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'step' }, { type: 'text', text }],
});
const textIn = ({ parts }: ChatMessage): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('');

describe('PacedDrawing', () => {
  const shown: string[] = [];
  let drawing: PacedDrawing;

  beforeEach(() => {
    jest.useFakeTimers();
    shown.length = 0;
    drawing = new PacedDrawing((message) => shown.push(textIn(message)));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('draws many changes of one frame once', () => {
    for (let length = 1; length <= 50; length += 1) drawing.draw(messageOf('x'.repeat(length)));
    expect(shown).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(shown).toEqual(['x'.repeat(50)]);
  });

  it('shows a burst piece by piece, and finishes with all of it', async () => {
    const text = '0123456789'.repeat(300);
    drawing.draw(messageOf(text));
    const finished = drawing.finish();
    jest.advanceTimersByTime(60_000);
    await finished;
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.at(-1)).toBe(text);
    shown.forEach((each, index) => {
      expect(text.startsWith(each)).toBe(true);
      expect(each.length).toBeGreaterThan(shown[index - 1]?.length ?? 0);
    });
  });

  it('cuts no character in two', () => {
    drawing.draw(messageOf('😀'.repeat(2_000)));
    jest.advanceTimersByTime(60_000);
    expect(shown.join('')).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    expect(shown.at(-1)).toHaveLength(4_000);
  });

  it('draws nothing more once it is stopped', async () => {
    drawing.draw(messageOf('x'.repeat(5_000)));
    drawing.stop();
    await drawing.finish();
    jest.advanceTimersByTime(60_000);
    expect(shown).toEqual([]);
  });
});
