import { describe, expect, it } from '@jest/globals';
import {
  type AlertMessage,
  messageText,
  messageTitle,
  renderMessages,
  renderTest,
} from './alert-messages.js';

const NEWS: AlertMessage = {
  phase: 'begun',
  rule: 'order-mismatch',
  subject: '',
  severity: 'warning',
  facts: { count: 2 },
  sinceMs: 0,
  overAtMs: null,
};
const OVER: AlertMessage = { ...NEWS, phase: 'over', overAtMs: 150_000 };

describe('news of alerts', () => {
  it('states whether it began or is over', () => {
    expect(messageTitle(NEWS, 'en')).toMatch(/^Alert: Orders .*: 2$/);
    expect(messageTitle(OVER, 'en')).toMatch(/^Recovered: Orders .*: 2$/);
    expect(messageTitle(NEWS, 'zh')).toMatch(/^告警：/);
    expect(messageTitle(OVER, 'zh')).toMatch(/^已恢复：/);
  });

  it('gives advice while it lasts, and its duration when it is over', () => {
    expect(messageText(NEWS, 'en')).toContain('Open the orders');
    expect(messageText(OVER, 'en')).toBe('Resolved after about 3 min.');
    expect(messageText(OVER, 'zh')).toContain('3 分钟');
  });

  it('shows durations of at least a minute', () => {
    expect(messageText({ ...OVER, overAtMs: 10 }, 'en')).toBe('Resolved after about 1 min.');
  });
});

describe('renderMessages', () => {
  it('names a mail after its first message and counts the rest', () => {
    expect(renderMessages([NEWS], 'Gate').en.title).toBe(`[Gate] ${messageTitle(NEWS, 'en')}`);
    const { en, zh } = renderMessages([NEWS, OVER, OVER], 'Gate');
    expect(en.title).toBe(`[Gate] ${messageTitle(NEWS, 'en')} (and 2 more)`);
    expect(zh.title).toContain('（另有 2 项）');
    expect(en.items.map(({ title }) => title)).toEqual(
      [NEWS, OVER, OVER].map((each) => messageTitle(each, 'en')),
    );
  });
});

describe('renderTest', () => {
  it('names the installation in both languages', () => {
    expect(Object.values(renderTest('Gate')).map(({ title }) => title.startsWith('[Gate] '))).toEqual([
      true,
      true,
    ]);
  });
});
