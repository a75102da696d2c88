import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { StartRefusal } from '../../../../server/common/errors/start-refusal.js';
import { InFlight } from '../../../../server/base/billing/holds/in-flight.js';
import { Instances } from '../../../../server/base/billing/ledger/instances.js';
import { LedgerMaintenance } from '../../../../server/base/billing/recovery/ledger-maintenance.js';
import { SharedStoreAgreement } from '../../../../server/base/billing/holds/shared-store-agreement.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { HurriedClock } from '../../../support/hurried-clock.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { until } from '../../../support/until.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

const INSTALLATION = 'aaaaaaaa-0000-4000-8000-000000000001';
const ids = new UuidIds();

describe.each(['mariadb', 'postgres'] as const)(
  'instances on one database share one store, on %s',
  (kind) => {
    let books: Books;
    let redis: TestRedis;
    const stores: SharedStore[] = [];
    const workers: Worker[] = [];
    const stops: (() => void)[] = [];

    beforeAll(async () => {
      books = await Books.open(kind);
      redis = await startRedis();
    });
    afterEach(async () => {
      for (const stop of stops.splice(0)) stop();
      for (const worker of workers.splice(0)) await worker.engine.stop();
      for (const store of stores.splice(0)) await store.close();
      await books.dataSource.getRepository('instances').deleteAll();
      await redis.flush();
    });
    afterAll(async () => {
      await redis.stop();
      await books.close();
    });

    const openStore = async (path = ''): Promise<RedisSharedStore> => {
      const store = new RedisSharedStore(`${redis.url}${path}`, new SystemClock(), () => undefined, {
        installation: INSTALLATION,
      });
      stores.push(store);
      expect(await store.waitUntilAvailable(5_000)).toBe(true);
      return store;
    };
    const workerOn = (store: SharedStore): Worker => {
      const worker = new Worker(books, store, { bootId: ids.callId(), clock: new HurriedClock() });
      workers.push(worker);
      return worker;
    };
    /** A running worker whose maintenance the test can trigger: every check a second of its time. */
    const running = (store: SharedStore) => {
      const clock = new FakeClock();
      const instances = new Instances(books.dataSource, ids.callId(), () => store.identity);
      const storeAgreement = new SharedStoreAgreement({ instances, store, clock });
      let turns = 0;
      let isStopped = false;
      const turn = async (): Promise<void> => {
        clock.advance(1_000);
        turns += 1;
        await instances.heartbeat();
        await storeAgreement.watch();
      };
      const done = (async () => {
        while (!isStopped) {
          await turn();
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      stops.push(() => {
        isStopped = true;
      });
      return {
        turns: () => turns,
        storeAgreement,
        instances,
        stop: async () => ((isStopped = true), await done),
      };
    };

    it.each([
      [
        'another database of it',
        () => openStore(),
        () => openStore('/1'),
        /leads to another Redis, or another database/,
      ],
      ['none', () => openStore(), async () => openMemory(), /is not set, and the instance .* has one/],
      [
        'one, where the others have none',
        async () => openMemory(),
        () => openStore(),
        /with the same database does without/,
      ],
    ])('refuses to start with %s, and leaves nothing behind', async (_name, first, second, sentence) => {
      const one = running(await first());
      await until(() => one.turns() > 1);
      const refused = workerOn(await second());
      const start = refused.engine.start();
      await expect(start).rejects.toThrow(StartRefusal);
      await expect(start).rejects.toThrow(sentence);
      expect(await books.dataSource.getRepository('instances').count()).toBe(1);
      workers.splice(0);
      await one.stop();
    });

    it('starts with the same one, or after the others were killed', async () => {
      const store = await openStore();
      const one = running(store);
      await until(() => one.turns() > 1);
      await workerOn(await openStore()).engine.start();
      for (const worker of workers.splice(0)) await worker.engine.stop();
      await one.stop();
      // Its row stays, as after a kill; Redis was emptied meanwhile.
      const name = store.identity;
      await redis.flush();
      await until(() => store.identity !== name);
      await workerOn(await openStore()).engine.start();
    });

    it('marks a store unusable once others have another one, until they are gone', async () => {
      const [ours, theirs] = [await openStore(), await openStore('/1')];
      const [one, other] = [running(ours), running(theirs)];
      await until(() => !ours.isAvailable && !theirs.isAvailable);
      expect(ours.fault).toMatch(/the instance on \S+ works on this database with another one/);
      expect([one.storeAgreement.isAgreed, other.storeAgreement.isAgreed]).toEqual([false, false]);
      await other.stop();
      await books.dataSource.getRepository('instances').delete({ storeId: theirs.identity });
      await until(() => ours.isAvailable);
      expect(one.storeAgreement.isAgreed).toBe(true);
      expect(theirs.isAvailable).toBe(false);
      await one.stop();
    });

    it('agrees on the new name of a flushed store among all workers', async () => {
      const [first, second] = [await openStore(), await openStore()];
      const name = first.identity;
      const pair = [running(first), running(second)];
      await redis.flush();
      await until(() => first.identity !== name && second.identity === first.identity);
      const isWell = (): boolean =>
        first.isAvailable &&
        second.isAvailable &&
        pair.every(({ storeAgreement }) => storeAgreement.isAgreed);
      await until(isWell);
      const seen = pair.map(({ turns }) => turns());
      await until(() => pair.every(({ turns }, index) => turns() > (seen[index] ?? 0) + 20));
      expect(isWell()).toBe(true);
      for (const one of pair) await one.stop();
    });

    it('publishes a new name to others, and takes nothing for lost while they have another store', async () => {
      const store = await openStore();
      const worker = workerOn(store);
      const clock = new FakeClock();
      const instances = new Instances(books.dataSource, ids.callId(), () => store.identity);
      await instances.heartbeat();
      const other = new Instances(books.dataSource, ids.callId(), () => 'somewhere else');
      await other.heartbeat();
      const reclaimed: string[] = [];
      const recovery = {
        discardUncovered: async () => void reclaimed.push('swept'),
        reclaimLostEpochs: async () => (reclaimed.push('reclaimed'), 0),
        reclaimStranded: async () => 0,
      };
      const storeAgreement = new SharedStoreAgreement({ instances, store, clock });
      const upkeep = new LedgerMaintenance({
        dataSource: books.dataSource,
        store,
        clock,
        instances,
        storeAgreement,
        inFlight: new InFlight(clock),
        recovery: {
          ...recovery,
          adoptDeadSpools: async () => [],
          releaseUnheld: async () => 0,
          reapLostWorkers: async () => undefined,
        } as never,
        poolReturns: worker.engine.poolReturns,
        callReservations: { takeVoided: () => [] } as never,
        numbers: { note: async () => undefined },
        onFault: (message, error) => worker.faults.push(`${message}: ${String(error)}`),
      });
      upkeep.start();
      stops.push(() => upkeep.stop());
      const advance = (): void => clock.advance(500);
      await until(() => (advance(), reclaimed.includes('swept') && !storeAgreement.isAgreed));
      expect(reclaimed).not.toContain('reclaimed');
      await books.dataSource.getRepository('instances').delete({ storeId: 'somewhere else' });
      await until(() => (advance(), reclaimed.includes('reclaimed')));
      expect(worker.faults).toEqual([]);
    });
  },
);
