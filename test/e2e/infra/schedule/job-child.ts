import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { sessionOf } from '../../../../server/infra/database/manager-session.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';

/**
 * A worker that has one job without end: an effect in SQL every few milliseconds, until it is overtaken. Says on stdout when it begins
 * and when it was overtaken. On SIGUSR2 it stands still: between two transactions, or in the middle of one.
 * Arguments: database, name of the worker, where it stands still.
 */
// Its standard output is for what it has to say.
Logger.overrideLogger(false);
const [database = '', owner = '', place = ''] = process.argv.slice(2);
const dataSource = await openDataSource(database, {
  entities: [],
  poolSize: 2,
  acquireMs: 20_000,
  idleInTransactionMs: 1_000,
});
const runner = new JobRunner(dataSource, new SystemClock(), owner, 600);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

let isToStop = false;
process.on('SIGUSR2', () => {
  isToStop = true;
});
function standStillAt(here: string): void {
  if (!isToStop || here !== place) return;
  isToStop = false;
  process.kill(process.pid, 'SIGSTOP');
}

runner.every('steady', 1, async (run) => {
  say({ begins: run.fence });
  try {
    for (;;) {
      await runInTransaction(dataSource, async (manager) => {
        await run.guard(manager);
        await sessionOf(manager).run('INSERT INTO "job_effects" ("owner", "fence") VALUES (?, ?)', [
          owner,
          run.fence,
        ]);
        standStillAt('in a transaction');
      });
      standStillAt('between transactions');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } catch (error) {
    say({ overtaken: run.fence, by: error instanceof Error ? error.constructor.name : '' });
    throw error;
  }
});
say({ ready: true });
setInterval(() => void runner.look(), 50);
