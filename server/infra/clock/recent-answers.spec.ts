import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { RecentAnswers } from './recent-answers.js';

describe('recent answers', () => {
  const start = (maxEntries = 10, isKept?: (answer: number) => boolean) => {
    const clock = new FakeClock();
    let asked = 0;
    const answers = new RecentAnswers<number>(clock, {
      maxAgeMs: 10_000,
      maxEntries,
      ...(isKept === undefined ? {} : { isKept }),
    });
    const ask = (question: string) =>
      answers.of(question, async () => {
        asked += 1;
        return Promise.resolve(asked);
      });
    return { clock, ask };
  };

  it('answers the same question once in ten seconds, also while the answer is made [DB-04]', async () => {
    const { clock, ask } = start();
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
    clock.advance(9_999);
    expect(await ask('a')).toBe(1);
    clock.advance(1);
    expect(await ask('a')).toBe(2);
  });

  it('forgets the oldest when there are too many', async () => {
    const { ask } = start(2);
    expect([await ask('a'), await ask('b'), await ask('c')]).toEqual([1, 2, 3]);
    expect([await ask('b'), await ask('c'), await ask('a')]).toEqual([2, 3, 4]);
  });

  it('keeps neither failures nor answers that are too large', async () => {
    const { ask } = start(10, (answer) => answer !== 1);
    expect([await ask('a'), await ask('a'), await ask('a')]).toEqual([1, 2, 2]);
    const answers = new RecentAnswers<number>(new FakeClock(), { maxAgeMs: 10_000, maxEntries: 1 });
    await expect(answers.of('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await answers.of('a', () => Promise.resolve(7))).toBe(7);
  });
});
