import { describe, expect, it } from '@jest/globals';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import { StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { HoldReturns } from './hold-returns.js';

const BACK = { callId: 'call', userId: 7, tokenId: null, unused: 100 };

/** A store whose answers to `settle` come when the test says so. */
function open(): {
  returns: HoldReturns;
  answers: { resolve: () => void; reject: (error: unknown) => void }[];
} {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'run');
  const answers: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  store.pools.settle = () => new Promise<void>((resolve, reject) => answers.push({ resolve, reject }));
  return { returns: new HoldReturns(store, clock), answers };
}

const isOver = async (work: Promise<unknown>): Promise<boolean> => {
  let over = false;
  void work.then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  return over;
};

describe('ended holds on their way back', () => {
  it.each(['flush', 'flushUser'] as const)(
    'a worker that stops waits for what %s sent before',
    async (how) => {
      const { returns, answers } = open();
      returns.give(BACK);
      void (how === 'flush' ? returns.flush() : returns.flushUser(BACK.userId));
      const last = returns.flush();
      expect([returns.isEmpty, await isOver(last)]).toEqual([false, false]);
      answers[0]?.resolve();
      await last;
      expect(returns.isEmpty).toBe(true);
      expect(answers).toHaveLength(1);
    },
  );

  it('gives a hold back again when the store did not take it', async () => {
    const { returns, answers } = open();
    returns.give(BACK);
    const sent = returns.flush();
    answers[0]?.reject(new StoreUnavailableError('away'));
    await sent;
    expect(returns.isEmpty).toBe(false);
    returns.stop();
  });
});
