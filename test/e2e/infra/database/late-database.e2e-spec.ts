import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { StatementTimeouts } from '../../../../server/infra/database/statement-timeouts.js';
import { burstQueue } from '../../../../server/infra/database/gate-connections.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { FaultProxy } from '../../../chaos/rig/fault-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const WAIT_MS = 500;
const EACH_WAY_MS = 510;
/** Statements that arrive one after the other, so that some answer comes within every wait. */
const STATEMENTS = 5;

describe.each(['mariadb', 'postgres'] as const)('a wait for %s', (kind) => {
  let database: TestDatabase;
  let line: FaultProxy;
  let dataSource: DataSource;
  let watch: StatementTimeouts;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    const url = new URL(database.url);
    line = await FaultProxy.open({ host: url.hostname, port: Number(url.port) }, () => 0);
    url.port = String(line.port);
    dataSource = await openDataSource(url.href, { entities: [], poolSize: STATEMENTS, acquireMs: 10_000 });
    await Promise.all(Array.from({ length: STATEMENTS }, () => dataSource.query('SELECT 1 AS one')));
    watch = StatementTimeouts.of(dataSource, new SystemClock(), WAIT_MS, burstQueue());
  });

  afterEach(async () => {
    line.set({ kind: 'none' });
    await dataSource.destroy();
    line.close();
    await database.drop();
  });

  /** @returns how a wait ends that begins with an answer and is followed by one within every `WAIT_MS` */
  async function waitBesideStatements(): Promise<'late' | 'goes on'> {
    const ask = (): Promise<unknown> => dataSource.query('SELECT 1 AS one');
    const answers: Promise<unknown>[] = [];
    const sending = setInterval(() => answers.push(ask()), (2 * EACH_WAY_MS) / STATEMENTS);
    await ask();
    let end: 'late' | 'goes on' = 'goes on';
    const stop = watch.begin(() => (end = 'late'));
    await ask();
    await ask();
    clearInterval(sending);
    await Promise.all(answers);
    stop();
    return end;
  }

  it('ends when every answer is late, although answers come all the time', async () => {
    line.set({ kind: 'delay', delayMs: EACH_WAY_MS });
    expect(await waitBesideStatements()).toBe('late');
  });

  it('continues while answers come in good time', async () => {
    line.set({ kind: 'delay', delayMs: WAIT_MS / 2 - 50 });
    expect(await waitBesideStatements()).toBe('goes on');
  });
});
