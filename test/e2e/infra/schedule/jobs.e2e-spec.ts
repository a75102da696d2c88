import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Env } from '../../../../server/config/env.js';
import { CorrectedClock, SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { JobOvertakenError, JobRun } from '../../../../server/infra/schedule/job-run.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { until, untilFound } from '../../../support/until.js';

// Jobs are not lost here by a stall, which a busy machine causes: tests that want it write it into the table.
const LEASE_MS = 60_000;
const LOOK_EVERY_MS = 25;
/** Two programs start for it. */
const WITHIN_MS = 120_000;
const ROOT = join(import.meta.dirname, '../../../..');

const OWNERS = ['one', 'two', 'three'];

describe.each(DATABASE_KINDS)('jobs of all instances on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let clock: CorrectedClock;
  let runners: JobRunner[];
  let looks: NodeJS.Timeout[];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url, { entities: await loadAllEntities() });
  });
  beforeEach(() => {
    clock = new CorrectedClock(new SystemClock());
    runners = OWNERS.map(
      (owner, index) => new JobRunner(dataSource, clock, owner, LEASE_MS, { port: 3_001 + index } as Env),
    );
    looks = runners.map((runner) => setInterval(() => void runner.look(), LOOK_EVERY_MS));
  });
  afterEach(async () => {
    looks.forEach(clearInterval);
    for (const runner of runners) await runner.beforeApplicationShutdown();
    clock.onApplicationShutdown();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const stateOf = async (name: string) => (await runners[0]?.states())?.find((state) => state.name === name);

  it('runs once in a period, on any worker, and shows its state', async () => {
    const periodMs = 300;
    const runs: { readonly at: number; readonly fence: number }[] = [];
    for (const runner of runners)
      runner.every('tick', periodMs, async ({ fence }) => {
        // The database's moment: when we come to know of it depends on the machine.
        runs.push({ at: (await stateOf('tick'))?.startedAtMs ?? 0, fence });
      });
    await until(() => runs.length >= 4);
    const pauses = runs.slice(1).map(({ at }, index) => at - (runs[index]?.at ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(periodMs);
    expect(runs.map(({ fence }) => fence)).toEqual(runs.map((_run, index) => index + 1));
    const state = await stateOf('tick');
    expect(state).toMatchObject({ name: 'tick', owner: expect.stringMatching(/one|two|three/) });
    // Two instances of one machine are distinguished.
    expect(state?.host).toBe(`${hostname()}:${3_001 + OWNERS.indexOf(state?.owner ?? '')}`);
  });

  it('a failure is written down, and the next run comes all the same', async () => {
    let runs = 0;
    runners[0]?.every('fragile', 50, async () => {
      runs += 1;
      throw new Error('no disk');
    });
    await until(() => runs >= 2);
    const state = await untilFound(async () => {
      const found = await stateOf('fragile');
      return found?.outcome === 'failed' ? found : undefined;
    });
    expect(state).toMatchObject({ outcome: 'failed', message: 'no disk' });
    expect(state.endedAtMs).toBeGreaterThanOrEqual(state.startedAtMs);
  });

  it('runs a requested job once, and does not run one without a period now', async () => {
    const [one, two] = runners as [JobRunner, JobRunner];
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
      await gate.promise;
    };
    for (const runner of [one, two]) runner.every('asked', () => null, work);
    expect(await one.runNow('unknown')).toBe(false);
    expect(await one.runNow('asked')).toBe(true);
    expect(await two.runNow('asked')).toBe(false);
    gate.resolve();
    await until(async () => (await stateOf('asked'))?.outcome === 'done');
    expect(runs).toBe(1);
    expect([...one.declared()]).toEqual([['asked', null]]);
  });

  it('does not begin a job whose actor cannot be recorded, and releases it', async () => {
    const [one, two] = runners as [JobRunner, JobRunner];
    let runs = 0;
    for (const runner of [one, two])
      runner.every('recorded', 60_000, async () => {
        runs += 1;
      });
    await expect(one.runNow('recorded', () => Promise.reject(new Error('no audit')))).rejects.toThrow(
      'no audit',
    );
    expect(runs).toBe(0);
    expect(await stateOf('recorded')).toMatchObject({ outcome: 'failed', leaseUntilMs: 0 });
    expect(await two.runNow('recorded')).toBe(true);
    await until(() => runs === 1);
  });

  it('does nothing once overtaken: neither in SQL nor outside [F-70]', async () => {
    const [one, two] = runners as [JobRunner, JobRunner];
    const first = (await one.begin('handed')) as JobRun;
    await first.confirm();
    expect(await two.begin('handed')).toBeNull();
    // A process that stands still does not renew: as if its lease had run out.
    first.end();
    await dataSource.query(
      kind === 'postgres' ? `UPDATE jobs SET lease_until_ms = 1` : 'UPDATE `jobs` SET `lease_until_ms` = 1',
    );
    const second = (await two.begin('handed')) as JobRun;
    expect(second.fence).toBe(first.fence + 1);
    await expect(wake(first).confirm()).rejects.toThrow(JobOvertakenError);
    const effect = runInTransaction(dataSource, async (manager) => {
      await manager.query(kind === 'postgres' ? 'DELETE FROM jobs' : 'DELETE FROM `jobs`');
      await wake(first).guard(manager);
    });
    await expect(effect).rejects.toThrow(JobOvertakenError);
    await second.confirm();
    await two.finish(second, null);
    expect(await stateOf('handed')).toMatchObject({ outcome: 'done', owner: 'two', fence: second.fence });
  });

  it('a worker that stops gives its job back, and another goes on at once', async () => {
    const [one, two] = runners as [JobRunner, JobRunner];
    const owners: string[] = [];
    const work =
      (owner: string) =>
      async (run: JobRun): Promise<void> => {
        owners.push(owner);
        for (;;) {
          await run.confirm();
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
    one.every('long', 60_000, work('one'));
    expect(await one.runNow('long')).toBe(true);
    two.every('long', 60_000, work('two'));
    await one.beforeApplicationShutdown();
    await until(() => owners.length === 2);
    expect(owners).toEqual(['one', 'two']);
  });
});

/** The same run in a process that does not know yet that time passed. */
function wake(run: JobRun): JobRun {
  const { leases, clock, renewEveryMs } = (run as unknown as { readonly ports: TurnPorts }).ports;
  return new JobRun(run.name, run.fence, { leases, clock, renewEveryMs });
}

type TurnPorts = ConstructorParameters<typeof JobRun>[2];

interface Child {
  readonly process: ChildProcess;
  readonly begins: number[];
  readonly overtaken: { readonly overtaken: number; readonly by: string }[];
}

const standstills = (['mariadb', 'postgres'] as const).flatMap((kind) => [
  { kind, place: 'between transactions', by: 'JobOvertakenError' },
  // Its rows are free again only when the database ends its connection, which it finds out at its next statement.
  { kind, place: 'in a transaction', by: expect.any(String) },
]);

describe.each(standstills)('a leader that stands still $place, on $kind [F-70]', ({ kind, place, by }) => {
  it(
    'gives way to the other, and does nothing after waking up',
    async () => {
      const database = await createTestDatabase(kind);
      const dataSource = await openDatabase(database.url, { entities: await loadAllEntities() });
      const serial = kind === 'mariadb' ? 'INT AUTO_INCREMENT PRIMARY KEY' : 'SERIAL PRIMARY KEY';
      await dataSource.query(`CREATE TABLE job_effects (id ${serial}, owner VARCHAR(36), fence BIGINT)`);
      const children = new Map<string, Child>();
      const start = async (name: string): Promise<Child> => {
        const words = ['--import', join(ROOT, 'test/support/register-typescript.mjs')];
        const worker = spawn(
          process.execPath,
          [...words, join(ROOT, 'test/e2e/infra/schedule/job-child.ts'), database.url, name, place],
          { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
        );
        const child: Child = { process: worker, begins: [], overtaken: [] };
        children.set(name, child);
        const ready = Promise.withResolvers<void>();
        createInterface({ input: worker.stdout }).on('line', (line) => {
          const said = JSON.parse(line) as { ready?: true; begins?: number; overtaken?: number; by?: string };
          if (said.ready) ready.resolve();
          if (said.begins !== undefined) child.begins.push(said.begins);
          if (said.overtaken !== undefined)
            child.overtaken.push({ overtaken: said.overtaken, by: said.by ?? '' });
        });
        await ready.promise;
        return child;
      };
      const effects = async (): Promise<{ owner: string; fence: number }[]> => {
        const rows = (await dataSource.query('SELECT owner, fence FROM job_effects ORDER BY id')) as {
          owner: string;
          fence: string | number;
        }[];
        return rows.map(({ owner, fence }) => ({ owner, fence: Number(fence) }));
      };
      const effectBy = (name: string) =>
        untilFound(async () => (await effects()).find(({ owner }) => owner === name));

      try {
        const one = await start('one');
        await effectBy('one');
        const two = await start('two');

        one.process.kill('SIGUSR2');
        await effectBy('two');
        // No more effects of this run may come; later it may get another one.
        const held = one.begins.at(-1) ?? 0;
        const ofThisTurn = async () => (await effects()).filter(({ fence }) => fence === held).length;
        const asleep = await ofThisTurn();
        one.process.kill('SIGCONT');
        const end = await untilFound(() => one.overtaken.find(({ overtaken }) => overtaken === held));
        expect(end.by).toEqual(by);
        expect(await ofThisTurn()).toBe(asleep);

        const diedAt = performance.now();
        two.process.kill('SIGKILL');
        await until(() => one.begins.some((fence) => fence > held));
        // Lease and look are a thirty-third of the product's: 20 s and 5 s make less than 30 s there.
        expect(performance.now() - diedAt).toBeLessThan(5_000);
        const fences = (await effects()).map(({ fence }) => fence);
        expect(fences).toEqual(fences.toSorted((left, right) => left - right));
      } finally {
        for (const { process: worker } of children.values()) {
          if (worker.exitCode !== null || worker.signalCode !== null) continue;
          const gone = once(worker, 'exit');
          worker.kill('SIGKILL');
          await gone;
        }
        await dataSource.destroy();
        await database.drop();
      }
    },
    WITHIN_MS,
  );
});
