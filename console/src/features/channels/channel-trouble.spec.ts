import { describe, expect, it } from '@jest/globals';
import { formatShare, repairedAt, troubleOf } from './channel-trouble';

describe('the trouble of a channel', () => {
  it.each([
    [[10], [0], 'ok'],
    [[294, 0], [29, 0], 'ok'],
    [[290, 4], [84, 4], 'failing'],
    [[3], [3], 'broken'],
    [[], [], 'ok'],
  ] as const)('reads attempts %j and failures %j as %s', (attempts, failures, level) => {
    expect(troubleOf({ attempts: [...attempts], failures: [...failures] }).level).toBe(level);
  });

  it('ends when a test succeeded after the provider refused the key', () => {
    const line = {
      attempts: [4],
      failures: [4],
      last_failure: { at: 100, reason: 'upstream-key-refused' },
    };
    expect(troubleOf(line, 101)).toMatchObject({ level: 'ok', failures: 4 });
    expect(troubleOf(line, 100).level).toBe('broken');
    const broken = { ...line, last_failure: { at: 100, reason: 'upstream-unreachable' } };
    expect(troubleOf(broken, 101).level).toBe('broken');
    expect(repairedAt({ test_time: 101, test_failure: '' })).toBe(101);
    expect(repairedAt({ test_time: 101, test_failure: 'The upstream answered 401' })).toBe(0);
  });

  it('writes shares without needless digits', () => {
    expect([0, 0.004, 0.299, 1].map(formatShare)).toEqual(['0%', '0.4%', '30%', '100%']);
  });
});
