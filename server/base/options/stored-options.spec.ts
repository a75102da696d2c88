import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { OptionCache, StoredTexts } from './option-cache.js';
import type { OptionsRepository } from './options.repository.js';
import { StoredOptions } from './stored-options.js';

const manager = {} as EntityManager;

/** A table whose contents name their state, and a cache of texts by state. */
function scene() {
  const table = { name: 'state-1' };
  const cached = new Map<string, StoredTexts>();
  let sqlReads = 0;
  const version = { revision: 1, changes: 1, changedAtMs: 1 };
  const repository = {
    version: async () => version,
    state: async () => ({ version, name: table.name }),
    all: async () => {
      sqlReads += 1;
      return new Map([['Notice', table.name]]);
    },
  } as unknown as OptionsRepository;
  const cache = {
    read: async (state: string) => cached.get(state),
    write: (state: string, stored: StoredTexts) => void cached.set(state, stored),
  } as unknown as OptionCache;
  const read = async (options: StoredOptions): Promise<string | undefined> => {
    await options.prefetch();
    return (await options.read(manager)).stored.get('Notice');
  };
  return { table, cached, repository, cache, read, sqlReads: () => sqlReads };
}

describe('StoredOptions', () => {
  it('reads a state from SQL once for all instances', async () => {
    const { repository, cache, read, sqlReads } = scene();
    expect(await read(new StoredOptions(repository, cache))).toBe('state-1');
    expect(await read(new StoredOptions(repository, cache))).toBe('state-1');
    expect(sqlReads()).toBe(1);
  });

  it('reads SQL when the table changed between the cache read and the snapshot', async () => {
    const { table, cached, repository, cache, sqlReads } = scene();
    cached.set('state-1', new Map([['Notice', 'state-1']]));
    const options = new StoredOptions(repository, cache);
    await options.prefetch();
    table.name = 'state-2';
    expect((await options.read(manager)).stored.get('Notice')).toBe('state-2');
    expect(sqlReads()).toBe(1);
  });

  it.each(['state-0', 'state-2'])('reads SQL when the cache holds only %s', async (state) => {
    const { cached, repository, cache, read, sqlReads } = scene();
    cached.set(state, new Map([['Notice', state]]));
    expect(await read(new StoredOptions(repository, cache))).toBe('state-1');
    expect(sqlReads()).toBe(1);
  });

  it('reads SQL once after a bypass and replaces the entry', async () => {
    const { cached, repository, cache, read, sqlReads } = scene();
    cached.set('state-1', new Map([['Notice', 'edited by hand']]));
    const options = new StoredOptions(repository, cache);
    options.bypassCache();
    expect(await read(options)).toBe('state-1');
    expect(await read(options)).toBe('state-1');
    expect(sqlReads()).toBe(1);
  });

  it('reads SQL each time without a cache', async () => {
    const { repository, read, sqlReads } = scene();
    const options = new StoredOptions(repository);
    await read(options);
    await read(options);
    expect(sqlReads()).toBe(2);
  });
});
