import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { StoredIdEntity } from '../../../../server/gateway/relay/stored-ids/stored-id.entity.js';
import { StoredIdLedger } from '../../../../server/gateway/relay/stored-ids/stored-id-ledger.js';
import type { VendorAccount } from '../../../../server/relay-core/ports/channel-picker.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { MemoryClock } from '../../../support/memory-ports.js';

const DAY_MS = 86_400_000;

const FIRST: VendorAccount = { channelId: 1, channelType: 1, baseUrl: 'http://one', credential: 'key one' };
const RING: VendorAccount = { ...FIRST, channelId: 2, credential: 'key two', keyIndex: 1 };

describe.each(DATABASE_KINDS)('ids of stored things in %s', (kind) => {
  let database: TestDatabase;
  let instances: DataSource[];
  let ledgers: StoredIdLedger[];
  const clock = new MemoryClock();
  const secrets = new SecretBox('secret');

  beforeAll(async () => {
    const entities = await loadAllEntities();
    database = await createTestDatabase(kind);
    const first = await openDatabase(database.url, { entities });
    // SQLite has one instance.
    instances = kind === 'sqlite' ? [first] : [first, await openDatabase(database.url, { entities })];
    ledgers = instances.map((dataSource) => new StoredIdLedger(dataSource, clock, secrets));
  });
  afterAll(async () => {
    for (const dataSource of instances) await dataSource.destroy();
    await database.drop();
  });

  const at = (index: number): StoredIdLedger => ledgers[index % ledgers.length] as StoredIdLedger;
  const record = (index: number, userId: number, ids: string[], account = FIRST): Promise<void> =>
    at(index).record(userId, ids, account);
  const missingAt = async (
    ledger: StoredIdLedger,
    userId: number,
    ids: readonly string[],
  ): Promise<string[]> => {
    const places = await ledger.findPlaces(userId, ids);
    return ids.filter((id) => !places.has(id)).toSorted();
  };
  const foreign = (index: number, userId: number, ...ids: string[]): Promise<string[]> =>
    missingAt(at(index), userId, ids);

  it('finds ids another instance issued to the account, and none of another account', async () => {
    await record(0, 1, ['resp_a', 'msg_a']);
    expect(await foreign(1, 1, 'resp_a', 'msg_a')).toEqual([]);
    expect(await foreign(1, 2, 'resp_a', 'msg_a', 'resp_unknown')).toEqual([
      'msg_a',
      'resp_a',
      'resp_unknown',
    ]);
    expect(await foreign(0, 1, 'resp_a', 'RESP_A', 'resp_a ', '')).toEqual(['', 'RESP_A', 'resp_a ']);
  });

  it('keeps the first account of an id, whichever account gets the same one later and wherever', async () => {
    await record(0, 1, ['resp_twice']);
    await record(1, 2, ['resp_twice']);
    await record(0, 2, ['resp_twice']);
    expect(await foreign(1, 1, 'resp_twice')).toEqual([]);
    expect(await foreign(0, 2, 'resp_twice')).toEqual(['resp_twice']);
  });

  it('many answers at once, of several accounts on several instances, are all known when they end', async () => {
    const answers = Array.from({ length: 60 }, (_, index) => ({
      userId: 1 + (index % 3),
      ids: [`r_${index}`, `m_${index}`, 'shared'],
    }));
    await Promise.all(answers.map(({ userId, ids }, index) => record(index, userId, ids)));
    const lost = await Promise.all(
      answers.map(({ userId, ids }, index) => foreign(index + 1, userId, ...ids.slice(0, 2))),
    );
    expect(lost.flat()).toEqual([]);
    const owners = await Promise.all([1, 2, 3].map((userId) => foreign(0, userId, 'shared')));
    expect(owners.filter((missing) => missing.length === 0)).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it('returns the place of an id on every instance: by address and key, or by a channel that has one key', async () => {
    await record(0, 1, ['resp_first']);
    await record(0, 1, ['resp_ring'], RING);
    for (const index of [0, 1]) {
      const places = await at(index).findPlaces(1, ['resp_first', 'resp_ring']);
      const [first, ring] = [places.get('resp_first'), places.get('resp_ring')];
      expect([first?.channelId, ring?.channelId]).toEqual([1, 2]);
      expect(first?.isAt(FIRST)).toBe(true);
      expect(first?.isAt({ ...FIRST, credential: 'its new key' })).toBe(true);
      expect(first?.isAt({ ...FIRST, channelId: 3 })).toBe(true);
      expect(first?.isAt({ ...FIRST, credential: 'another of its keys', keyIndex: 0 })).toBe(false);
      expect(ring?.isAt({ ...RING, keyIndex: 7 })).toBe(true);
      for (const other of [{ credential: 'key one' }, { baseUrl: 'http://two' }, { channelType: 14 }])
        expect(ring?.isAt({ ...RING, ...other })).toBe(false);
    }
  });

  it('an id that was handed out by the release before has no place, and is still its account’s', async () => {
    const digest = createHash('sha256').update('resp_before').digest('base64url');
    const { driver } = instances[0] as DataSource;
    const [table, ...columns] = ['stored_ids', 'digest', 'user_id', 'until_ms'].map((name) =>
      driver.escape(name),
    );
    await (instances[0] as DataSource).query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ('${digest}', 1, ${clock.nowMs() + DAY_MS})`,
    );
    expect([...(await at(1).findPlaces(1, ['resp_before']))]).toEqual([['resp_before', undefined]]);
  });

  it('finds the input the vendor last read for an id, on every instance, for its account alone', async () => {
    const told = () =>
      Promise.all([0, 1].map((index) => at(index).findInput(1, ['conv_long', 'resp_long', 'resp_unknown'])));
    await at(0).record(1, ['conv_long', 'resp_long'], FIRST, 700);
    expect(await told()).toEqual([700, 700]);
    expect(await at(1).findInput(2, ['conv_long'])).toBe(0);
    // A conversation that goes on was looked up before, and keeps its id.
    await at(1).findPlaces(1, ['conv_long']);
    await at(1).record(1, ['conv_long', 'resp_next'], FIRST, 900);
    expect(await told()).toEqual([900, 900]);
    await at(1).record(1, ['conv_long'], FIRST);
    expect(await told()).toEqual([900, 900]);
    expect(await at(0).findInput(1, ['resp_next'])).toBe(900);
  });

  it('stores an absurd report of a vendor as the largest number of its column', async () => {
    await at(0).record(1, ['conv_absurd'], FIRST, Number.MAX_SAFE_INTEGER);
    expect(await at(1).findInput(1, ['conv_absurd'])).toBe(2_147_483_647);
  });

  it('ids themselves and keys are not in the database', async () => {
    const rows = await (instances[0] as DataSource).getRepository(StoredIdEntity).find();
    expect(rows.length).toBeGreaterThan(0);
    for (const { digest, vendorAccount } of rows) {
      expect(digest).toMatch(/^[\w-]{43}$/);
      if (vendorAccount !== null) expect(vendorAccount).toMatch(/^[\w-]{43}$/);
    }
    const unkeyed = createHash('sha256')
      .update(JSON.stringify([1, 'http://one', 'key one']))
      .digest('base64url');
    expect(rows.map(({ vendorAccount }) => vendorAccount)).not.toContain(unkeyed);
  });

  it('forgets ids issued long ago, and removes their rows', async () => {
    clock.advance(31 * DAY_MS);
    const fresh = ledgers.map(
      (_, index) => new StoredIdLedger(instances[index] as DataSource, clock, secrets),
    );
    expect(await missingAt(fresh[0] as StoredIdLedger, 1, ['resp_a'])).toEqual(['resp_a']);
    await record(0, 1, ['resp_new']);
    expect(await at(0).removeExpired()).toBeGreaterThan(100);
    expect(await (instances[0] as DataSource).getRepository(StoredIdEntity).count()).toBe(1);
    expect(await foreign(0, 1, 'resp_new')).toEqual([]);
  });
});
