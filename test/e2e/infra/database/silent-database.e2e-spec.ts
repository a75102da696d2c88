import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { waitWithoutDeadline } from '../../../../server/infra/database/gate-connections.js';
import { FaultProxy } from '../../../chaos/rig/fault-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const SILENCE_MS = 300;
const POOL = 2;

describe.each(['mariadb', 'postgres'] as const)('a %s that is gone without a word', (kind) => {
  let database: TestDatabase;
  let line: FaultProxy;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    const url = new URL(database.url);
    line = await FaultProxy.open({ host: url.hostname, port: Number(url.port) }, () => 0);
    url.port = String(line.port);
    dataSource = await openDataSource(url.href, {
      entities: [],
      poolSize: POOL,
      silenceMs: SILENCE_MS,
      acquireMs: 10_000,
    });
  });

  afterEach(async () => {
    line.set({ kind: 'none' });
    await dataSource.destroy();
    line.close();
    await database.drop();
  });

  it('statements under way fail, and the places of their connections are free again [F-62, F-66]', async () => {
    const ask = (): Promise<unknown> => dataSource.query('SELECT 1 AS one');
    await Promise.all(Array.from({ length: POOL }, ask));
    line.set({ kind: 'black-hole' });
    const asked = Array.from({ length: POOL }, () =>
      ask().then(
        () => 'answered',
        () => 'failed',
      ),
    );
    expect(await Promise.all(asked)).toEqual(['failed', 'failed']);
    line.set({ kind: 'none' });
    expect(await Promise.all(Array.from({ length: POOL }, ask))).toHaveLength(POOL);
  });

  it('a transaction ends with its statement', async () => {
    const failing = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 AS one');
      line.set({ kind: 'deaf' });
      await manager.query('SELECT 2 AS two');
    });
    await expect(failing).rejects.toThrow(/lost|terminated|closed/i);
    line.set({ kind: 'none' });
    expect(await dataSource.query('SELECT 1 AS one')).toHaveLength(1);
  });

  it('waits without a limit for a caller that opted out', async () => {
    const runner = dataSource.createQueryRunner();
    waitWithoutDeadline(runner);
    const sleep = kind === 'mariadb' ? 'SELECT SLEEP(0.6) AS slept' : 'SELECT pg_sleep(0.6) AS slept';
    expect(await runner.query(sleep)).toHaveLength(1);
    await expect(dataSource.query(sleep)).rejects.toThrow(/lost|terminated|closed/i);
    await runner.release();
  });
});
