import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { cachedReading } from './cached-reading.js';

describe('cachedReading', () => {
  it('reads once, however many callers, and again after 15 seconds', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const ask = cachedReading(clock, () => Promise.resolve((asked += 1)));
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    clock.advance(14_999);
    expect(await ask()).toBe(1);
    clock.advance(1);
    expect(await ask()).toBe(2);
  });

  it('passes a failure to all waiting callers, and reads again at once', async () => {
    let asked = 0;
    const ask = cachedReading(new FakeClock(), async () => {
      asked += 1;
      if (asked === 1) throw new Error('the database is away');
      return asked;
    });
    const said = await Promise.allSettled([ask(), ask()]);
    expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask()).toBe(2);
    expect(await ask()).toBe(2);
  });

  it('keeps a newer answer when an older question fails late', async () => {
    const clock = new FakeClock();
    const questions: PromiseWithResolvers<number>[] = [];
    const ask = cachedReading(clock, () => {
      const question = Promise.withResolvers<number>();
      questions.push(question);
      return question.promise;
    });
    const late = ask();
    clock.advance(15_000);
    const newer = ask();
    questions[1]?.resolve(2);
    questions[0]?.reject(new Error('late'));
    await expect(late).rejects.toThrow('late');
    expect(await newer).toBe(2);
    expect(await ask()).toBe(2);
    expect(questions).toHaveLength(2);
  });
});
