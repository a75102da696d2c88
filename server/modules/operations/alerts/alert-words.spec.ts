import { describe, expect, it } from '@jest/globals';
import { type AlertNews, newsText, newsTitle, wordNews, wordTest } from './alert-words.js';

const NEWS: AlertNews = {
  phase: 'begun',
  rule: 'order-mismatch',
  subject: '',
  severity: 'warning',
  facts: { count: 2 },
  sinceMs: 0,
  overAtMs: null,
};
const OVER: AlertNews = { ...NEWS, phase: 'over', overAtMs: 150_000 };

describe('news of alerts', () => {
  it('says whether it began or is over', () => {
    expect(newsTitle(NEWS, 'en')).toMatch(/^Alert: 2 order/);
    expect(newsTitle(OVER, 'en')).toMatch(/^Recovered: 2 order/);
    expect(newsTitle(NEWS, 'zh')).toMatch(/^告警: /);
    expect(newsTitle(OVER, 'zh')).toMatch(/^已恢复: /);
  });

  it('says what to do while it lasts, and how long it took when it is over', () => {
    expect(newsText(NEWS, 'en')).toContain('Open the orders');
    expect(newsText(OVER, 'en')).toBe('It is over after about 3 min.');
    expect(newsText(OVER, 'zh')).toContain('3 分钟');
  });

  it('tells of no less than a minute', () => {
    expect(newsText({ ...OVER, overAtMs: 10 }, 'en')).toBe('It is over after about 1 min.');
  });
});

describe('wordNews', () => {
  it('names a letter after its first piece of news and counts the rest', () => {
    expect(wordNews([NEWS], 'Gate').en.title).toBe(`[Gate] ${newsTitle(NEWS, 'en')}`);
    const { en, zh } = wordNews([NEWS, OVER, OVER], 'Gate');
    expect(en.title).toBe(`[Gate] ${newsTitle(NEWS, 'en')} (and 2 more)`);
    expect(zh.title).toContain('（另有 2 项）');
    expect(en.items.map(({ title }) => title)).toEqual(
      [NEWS, OVER, OVER].map((each) => newsTitle(each, 'en')),
    );
  });
});

describe('wordTest', () => {
  it('names the installation in both languages', () => {
    expect(Object.values(wordTest('Gate')).map(({ title }) => title.startsWith('[Gate] '))).toEqual([
      true,
      true,
    ]);
  });
});
