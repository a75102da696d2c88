import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { StartRefusal } from '../../../common/errors/start-refusal.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Instances, OtherStoreInstance } from '../ledger/instances.js';
import { SharedStoreAgreement } from './shared-store-agreement.js';

const other = (lastSeenMs: number, changes: Partial<OtherStoreInstance> = {}): OtherStoreInstance => ({
  bootId: 'b',
  host: 'web-2',
  storeId: 'redis-2',
  lastSeenMs,
  ...changes,
});

/** @param elsewhere  who is on another store, by seconds since the start */
function agreement(
  elsewhere: (second: number) => readonly OtherStoreInstance[],
  identity: string | null = 'redis-1',
) {
  const clock = new FakeClock();
  const startMs = clock.monotonicMs();
  const suspicions: (string | null)[] = [];
  let beats = 0;
  const state = { hasNewStore: false };
  const instances = {
    listWithOtherStore: async () => elsewhere((clock.monotonicMs() - startMs) / 1_000),
    heartbeat: async () => void (beats += 1),
    get hasNewStore() {
      return state.hasNewStore;
    },
  };
  const store = { identity, setUnusable: (reason: string | null) => suspicions.push(reason) };
  const agreed = new SharedStoreAgreement({
    instances: instances as unknown as Instances,
    store: store as unknown as SharedStore,
    clock,
  });
  /** Lets time pass as long as it is waited for. */
  const agree = async (): Promise<[unknown, number]> => {
    let outcome: unknown;
    void agreed.agree().then(
      () => (outcome = 'agreed'),
      (error: unknown) => (outcome = error),
    );
    while (outcome === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(500);
    }
    return [outcome, Math.floor((clock.monotonicMs() - startMs) / 1_000)];
  };
  return { agreed, agree, clock, suspicions, state, beats: () => beats };
}

describe('SharedStoreAgreement at start', () => {
  it('does not wait when all instances share one store', async () => {
    const [outcome, seconds] = await agreement(() => []).agree();
    expect([outcome, seconds]).toEqual(['agreed', 0]);
  });

  it('waits until a worker with another store has noticed that its store is a new one', async () => {
    const [outcome, seconds] = await agreement((second) => (second < 4 ? [other(second)] : [])).agree();
    expect([outcome, seconds]).toEqual(['agreed', 4]);
  });

  it('refuses beside a worker that gives signs of life elsewhere', async () => {
    const [outcome] = await agreement((second) => [other(second)]).agree();
    expect(outcome).toBeInstanceOf(StartRefusal);
    expect((outcome as Error).message).toMatch(
      /another Redis, or another database of it, than that of .* web-2/,
    );
  });

  it.each([
    ['memory', 'redis-2', /it is not set, and .* web-2 .* has one/],
    ['redis-1', 'memory', /web-2 with the same database does without/],
  ])('names what differs between %s here and %s there', async (identity, storeId, sentence) => {
    const [outcome] = await agreement((second) => [other(second, { storeId })], identity).agree();
    expect((outcome as Error).message).toMatch(sentence);
  });

  it('starts beside a worker that was killed: it gives no sign of life', async () => {
    const [outcome, seconds] = await agreement(() => [other(1)]).agree();
    expect([outcome, seconds]).toEqual(['agreed', 14]);
  });
});

describe('SharedStoreAgreement while the worker runs', () => {
  it('distrusts its store once another worker has lived elsewhere for six seconds, and until it is gone', async () => {
    let isElsewhere = true;
    const { agreed, clock, suspicions } = agreement((second) => (isElsewhere ? [other(second)] : []));
    for (let second = 0; second < 6; second += 1) {
      await agreed.watch();
      clock.advance(1_000);
    }
    expect([agreed.isAgreed, suspicions]).toEqual([false, []]);
    await agreed.watch();
    expect(suspicions).toEqual([expect.stringContaining('web-2')]);
    isElsewhere = false;
    await agreed.watch();
    expect([agreed.isAgreed, suspicions.at(-1)]).toEqual([true, null]);
  });

  it('trusts its store beside one that only was elsewhere, and beside one that changes to another', async () => {
    const silent = agreement(() => [other(1)]);
    const moving = agreement((second) => [other(second, { storeId: `redis-${second}` })]);
    for (const { agreed, clock } of [silent, moving])
      for (let second = 0; second < 10; second += 1) {
        await agreed.watch();
        clock.advance(1_000);
      }
    expect([...silent.suspicions, ...moving.suspicions]).toEqual([]);
  });

  it('publishes its store every five seconds, and at once when it is another', async () => {
    const { agreed, clock, state, beats } = agreement(() => []);
    await agreed.watch();
    await agreed.watch();
    expect(beats()).toBe(1);
    state.hasNewStore = true;
    await agreed.watch();
    state.hasNewStore = false;
    expect(beats()).toBe(2);
    clock.advance(5_000);
    await agreed.watch();
    expect(beats()).toBe(3);
  });

  it('publishes nothing while its own store is not known', async () => {
    const { agreed, beats } = agreement(() => [], null);
    await agreed.watch();
    expect(beats()).toBe(0);
  });
});
