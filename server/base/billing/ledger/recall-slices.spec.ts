import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { type SharedStore, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import { recallSlices, requestSlices } from './recall-slices.js';

/** @param outAt  how much is out after so many milliseconds */
function storeWith(outAt: (ms: number) => number) {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const asked: string[] = [];
  const passed = () => clock.monotonicMs() - startMs;
  const store = {
    pools: { slices: async () => outAt(passed()) },
    signals: { publish: async (topic: string, payload: string) => void asked.push(`${topic} ${payload}`) },
  } as unknown as SharedStore;
  const recall = async (): Promise<[boolean, number]> => {
    let result: boolean | undefined;
    void recallSlices(store, clock, 7).then((value) => (result = value));
    while (result === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      if (clock.timers > 0) clock.advance(10);
    }
    return [result, passed()];
  };
  return { store, asked, recall };
}

const away = (): number => {
  throw new StoreUnavailableError('away');
};

describe('recallSlices', () => {
  it('sends no request while no slice is out', async () => {
    const { recall, asked } = storeWith(() => 0);
    expect(await recall()).toEqual([true, 0]);
    expect(asked).toEqual([]);
  });

  it('waits until the slices of the account are back', async () => {
    const { recall, asked } = storeWith((ms) => (ms < 50 ? 1 : 0));
    expect(await recall()).toEqual([true, 50]);
    expect(asked).toEqual(['slices 7']);
  });

  it('gives up after a second', async () => {
    expect(await storeWith(() => 1).recall()).toEqual([false, 1_000]);
  });

  it('waits for nothing in a store that is away, and fails with any other fault', async () => {
    expect((await storeWith(away).recall())[0]).toBe(true);
    const { store } = storeWith(() => {
      throw new Error('wrong type');
    });
    await expect(recallSlices(store, new FakeClock(), 7)).rejects.toThrow('wrong type');
  });
});

describe('requestSlices', () => {
  it('recalls slices that are out, without waiting, and reports a store that is away', async () => {
    const some = storeWith(() => 1);
    await requestSlices(some.store, 7);
    expect(some.asked).toEqual(['slices 7']);
    const none = storeWith(() => 0);
    await requestSlices(none.store, 7);
    expect(none.asked).toEqual([]);
    await expect(requestSlices(storeWith(away).store, 7)).rejects.toThrow(StoreUnavailableError);
  });
});
