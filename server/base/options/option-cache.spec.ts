import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import type { Json, SharedCache } from '../../infra/shared-store/shared-store.js';
import { OptionCache } from './option-cache.js';

const SECRET = 'c'.repeat(32);
const STORED = new Map([
  ['ModelRatio', '{"gpt-4o":1.25}'],
  ['SMTPToken', 'v1.sealed'],
]);

function storeOf() {
  const entries = new Map<string, Json>();
  const cache: SharedCache = {
    get: async (key) => entries.get(key),
    set: async (key, value, ttlMs) => void (ttlMs === 1 ? entries.delete(key) : entries.set(key, value)),
  };
  const faults: unknown[] = [];
  const of = (installation = 'one', secret = SECRET, store = cache): OptionCache =>
    new OptionCache(store, new SecretBox(secret), installation, (fault) => faults.push(fault));
  return { entries, faults, of };
}

describe('OptionCache', () => {
  it('returns what an instance of the same installation wrote for the same state', async () => {
    const { of } = storeOf();
    of().write('7', STORED);
    expect(await of().read('7')).toEqual(STORED);
  });

  it('holds no option in plain text', () => {
    const { entries, of } = storeOf();
    of().write('7', STORED);
    expect(JSON.stringify([...entries.values()])).not.toMatch(/ModelRatio|gpt-4o|sealed/);
  });

  it.each([
    ['an older state', '6', 'one', SECRET],
    ['a newer state', '8', 'one', SECRET],
    ['another installation', '7', 'two', SECRET],
    ['another CRYPTO_SECRET', '7', 'one', 'd'.repeat(32)],
  ])('returns nothing for %s', async (_, state, installation, secret) => {
    const { of } = storeOf();
    of().write('7', STORED);
    expect(await of(installation, secret).read(state)).toBeUndefined();
  });

  it('rejects an entry that was copied to the key of another state', async () => {
    const { entries, of } = storeOf();
    of().write('6', STORED);
    entries.set('options:one:7', entries.get('options:one:6') ?? null);
    expect(await of().read('7')).toBeUndefined();
  });

  it.each([null, 12, '', 'v1.a.b.c', 'garbage', {}])(
    'returns nothing for the damaged entry %j',
    async (entry) => {
      const { entries, of } = storeOf();
      entries.set('options:one:7', entry);
      expect(await of().read('7')).toBeUndefined();
    },
  );

  it('returns nothing for a sealed text that is no list of options', async () => {
    const { entries, of } = storeOf();
    for (const text of ['{', '{}', '[["a"]]', '[["a",1]]']) {
      entries.set('options:one:7', new SecretBox(SECRET).seal('option-cache', 'options:one:7', text));
      expect(await of().read('7')).toBeUndefined();
    }
  });

  it('removes the entry it wrote before, so that changes leave one entry', async () => {
    const { entries, of } = storeOf();
    const cache = of();
    for (const state of ['6', '7', '7', '8']) cache.write(state, STORED);
    expect([...entries.keys()]).toEqual(['options:one:8']);
  });

  it('writes nothing above its size limit', () => {
    const { entries, of } = storeOf();
    of().write('7', new Map([['Notice', 'x'.repeat(5 * 1024 * 1024)]]));
    expect(entries.size).toBe(0);
  });

  it('reports a store that is away and returns nothing', async () => {
    const { faults, of } = storeOf();
    const away = async (): Promise<never> => Promise.reject(new Error('away'));
    const cache = of('one', SECRET, { get: away, set: away });
    cache.write('7', STORED);
    expect(await cache.read('7')).toBeUndefined();
    expect(faults.map(String)).toEqual(['Error: away', 'Error: away']);
  });
});
