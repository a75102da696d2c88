import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { databaseRefusal } from '../../../../server/infra/database/open-named-database.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { DependencyWatch } from '../../../../server/infra/health/dependency-watch.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { until } from '../../../support/until.js';
import {
  expectStarted,
  Books,
  isStarted,
  openMemory,
  Worker,
} from '../../../support/fixtures/money.fixture.js';

/** A database that answers and takes no changes: a primary that became a replica, an operator's switch. */
describe.each(['mariadb', 'postgres'] as const)('%s read-only', (kind) => {
  let admin: Books;
  let books: Books;
  let store: SharedStore;
  let worker: Worker;
  let control: DataSource;

  beforeEach(async () => {
    admin = await Books.open(kind);
    control = admin.dataSource;
    books = await Books.attach(await ordinaryAccount(), admin.dataDir);
    store = openMemory();
    worker = new Worker(books, store);
    await worker.engine.start();
  });
  afterEach(async () => {
    await takeChanges(true);
    await worker.engine.stop();
    expect(await books.check()).toEqual([]);
    await store.close();
    await books.close();
    await admin.close();
  });

  /** The switch of MariaDB binds only accounts that may not ignore it. */
  async function ordinaryAccount(): Promise<string> {
    const url = new URL(admin.database.url);
    if (kind === 'postgres') return url.href;
    const name = `plain_${url.pathname.slice(1, 25)}`;
    await control.query(`CREATE USER IF NOT EXISTS '${name}'@'%' IDENTIFIED BY 'plain'`);
    await control.query(`GRANT ALL ON \`${url.pathname.slice(1)}\`.* TO '${name}'@'%'`);
    url.username = name;
    url.password = 'plain';
    return url.href;
  }
  async function takeChanges(does: boolean): Promise<void> {
    if (kind === 'mariadb') {
      await control.query(`SET GLOBAL read_only = ${does ? 'OFF' : 'ON'}`);
      return;
    }
    const name = new URL(admin.database.url).pathname.slice(1);
    // Like a switch to a replica: connections break, and the new ones may only read.
    const runner = control.createQueryRunner();
    await runner.query('SET default_transaction_read_only = off');
    await runner.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${does ? 'off' : 'on'}`);
    await runner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await runner.release();
  }

  it('running calls end, pools are spent, nothing else is sold; reading goes on, and afterwards everything is booked', async () => {
    const rich = await books.addUser(100_000);
    const poor = await books.addUser(1_000);
    const begin = (userId: number) => worker.begin(worker.caller(userId, null));
    const running = expectStarted(await begin(rich));
    const modes = new DegradedModes(new SystemClock());
    const watched = await openDataSource(books.database.url, { entities: [] });
    const watch = new DependencyWatch(watched, store, new SystemClock(), modes);
    await watch.look();
    expect(modes.list()).toEqual([]);

    await takeChanges(false);
    worker.end(running);
    const fromPool = expectStarted(await begin(rich));
    worker.end(fromPool);
    const startedAt = performance.now();
    expect(await begin(poor)).toBe('unavailable');
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    // The pool detects some of its broken connections only when it hands them out.
    await until(() =>
      books
        .user(poor)
        .then(({ quota }) => quota === 1_000)
        .catch(() => false),
    );
    const refused: unknown = await books.dataSource
      .query('DELETE FROM settlements WHERE user_id = 0')
      .catch((error: unknown) => error);
    expect(databaseRefusal(refused)).toMatchObject({ code: 'database_read_only' });
    await watch.look();
    if (kind === 'postgres') await watch.look();
    expect(modes.list()).toMatchObject([
      { mode: 'database-read-only', cause: expect.stringMatching(/read.only/i) },
    ]);
    expect(worker.engine.flusher.backlog).toBe(2);

    await takeChanges(true);
    expect(await worker.engine.flusher.drain(10_000)).toBe(true);
    expect(await books.user(rich)).toMatchObject({ usedQuota: 220, requestCount: 2 });
    expect(
      isStarted(await begin(poor).then((call) => (isStarted(call) ? (worker.end(call), call) : call))),
    ).toBe(true);
    expect(worker.faults.join()).not.toContain('quarantine');
    await watch.look();
    await watch.look();
    expect(modes.list()).toEqual([]);
    await watched.destroy();
  });
});
