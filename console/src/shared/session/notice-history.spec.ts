import { beforeEach, describe, expect, it } from '@jest/globals';
import { noticeLine, rememberNotice, storedNotices } from './notice-history';

beforeEach(() => storedNotices.clear());

describe('noticeLine', () => {
  it.each([
    ['# Maintenance\n\nOn Sunday', 'Maintenance'],
    ['\n\n- **New:** see [the list](https://a.example)', 'New: see the list'],
    ['<h2 style="color:red">Closed</h2><p>today</p>', 'Closed  today'],
    ['---\nplain text', 'plain text'],
    ['', ''],
  ])('reads the first line of %j', (text, line) => {
    expect(noticeLine(text)).toBe(line);
  });
});

describe('rememberNotice', () => {
  it('keeps the newest first, each once, ten at most', () => {
    for (let count = 0; count < 12; count += 1) rememberNotice(`notice ${count}`, count * 1_000);
    rememberNotice('notice 5', 20_000);
    const texts = storedNotices.read().map(({ text }) => text);
    expect(texts.slice(0, 2)).toEqual(['notice 5', 'notice 11']);
    expect(texts).toHaveLength(10);
    expect(new Set(texts).size).toBe(10);
  });

  it('keeps the day of a notice that is shown again', () => {
    rememberNotice('one', 1_000);
    rememberNotice('one', 9_000);
    expect(storedNotices.read()).toEqual([{ text: 'one', at: 1 }]);
  });
});
