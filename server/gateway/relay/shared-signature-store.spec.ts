import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import { SharedStore } from '../../infra/shared-store/shared-store.js';
import { SharedSignatureStore } from './shared-signature-store.js';

const PROOF = { by: 'google', data: 'c2ln' } as const;
const HOUR_MS = 3_600_000;

function twoInstances() {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'e');
  return {
    clock,
    store,
    first: new SharedSignatureStore(store, clock),
    second: new SharedSignatureStore(store, clock),
  };
}

describe('a signature that was kept aside', () => {
  it('finds it for its account at once where it was kept, and at any other instance', async () => {
    const { first, second } = twoInstances();
    first.keep(7, 'key', PROOF);
    expect(first.find(7, ['key'])).toEqual(new Map([['key', PROOF]]));
    expect(await second.find(7, ['key', 'other'])).toEqual(new Map([['key', PROOF]]));
    // A fetched proof is cached.
    expect(second.find(7, ['key'])).toEqual(new Map([['key', PROOF]]));
  });

  it('hides it from other accounts', async () => {
    const { first, second } = twoInstances();
    first.keep(7, 'key', PROOF);
    expect(await first.find(8, ['key'])).toEqual(new Map());
    expect(await second.find(8, ['key'])).toEqual(new Map());
  });

  it('expires', async () => {
    const { clock, first, second } = twoInstances();
    first.keep(7, 'key', PROOF);
    clock.advance(HOUR_MS);
    expect(await second.find(7, ['key'])).toEqual(new Map());
  });

  it('does without when the store is away, or when it is too long', async () => {
    const { clock, first } = twoInstances();
    const away = Object.assign(Object.create(SharedStore.prototype) as SharedStore, {
      cache: { get: () => Promise.reject(new Error('away')), set: () => Promise.reject(new Error('away')) },
    });
    const alone = new SharedSignatureStore(away, clock);
    alone.keep(7, 'key', PROOF);
    expect(alone.find(7, ['key'])).toEqual(new Map([['key', PROOF]]));
    expect(await alone.find(7, ['unknown'])).toEqual(new Map());
    first.keep(7, 'long', { by: 'google', data: 'x'.repeat(20_000) });
    expect(await first.find(7, ['long'])).toEqual(new Map());
  });

  it('does not fill the store: an account shares so many a minute, and others still share theirs', async () => {
    const { clock, first, second } = twoInstances();
    for (let count = 0; count < 200; count += 1) first.keep(7, `key-${count}`, PROOF);
    first.keep(8, 'theirs', PROOF);
    const found = await second.find(
      7,
      Array.from({ length: 200 }, (_, count) => `key-${count}`),
    );
    expect(found.size).toBe(120);
    expect(await second.find(8, ['theirs'])).toEqual(new Map([['theirs', PROOF]]));
    clock.advance(60_000);
    first.keep(7, 'later', PROOF);
    expect(await second.find(7, ['later'])).toEqual(new Map([['later', PROOF]]));
  });
});
