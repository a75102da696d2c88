import { describe, expect, it } from '@jest/globals';
import { causeText } from './cause-texts.js';
import { findingText } from './finding-texts.js';

describe('causes of degraded modes', () => {
  it('uses Chinese for recipients with Chinese settings, for several alerts at once too', () => {
    expect(causeText('turns of the event loop were 812 ms late (the latest 2500 ms)', 'zh')).toBe(
      '事件循环延迟 812 毫秒（最长 2500 毫秒）',
    );
    expect(causeText("it is 3 s behind the database's; it is 4 s ahead of Redis's", 'zh')).toBe(
      '比数据库慢 3 秒；比 Redis 快 4 秒',
    );
    expect(causeText('no answer within 2 s', 'en')).toBe('no answer within 2 s');
  });

  it('keeps a database’s own message', () => {
    expect(causeText('Connection terminated unexpectedly', 'zh')).toBe('Connection terminated unexpectedly');
  });

  it('leaves no English in a finding, and no code in its title', () => {
    const { title, sentence } = findingText(
      'degraded-mode',
      {
        mode: 'event-loop-slow',
        workers: '1',
        cause: 'turns of the event loop were 812 ms late (the latest 2500 ms)',
      },
      'zh',
    );
    expect(title).toBe('降级运行：该进程过载');
    expect(sentence).toBe('该进程过载：拒绝新的调用。发现于 1：事件循环延迟 812 毫秒（最长 2500 毫秒）');
  });
});
