import 'reflect-metadata';
import { join } from 'node:path';
import { commandArguments } from '../config/command-arguments.js';
import { loadEnv } from '../config/env-file.js';
import { SystemClock } from '../infra/clock/system-clock.js';
import { SecretBox } from '../infra/crypto/secret-box.js';
import { openNamedDatabase } from '../infra/database/open-named-database.js';
import { runInTransaction } from '../infra/database/run-in-transaction.js';
import { acceptHistory } from '../infra/rollback-detection/accept-history.js';
import { UuidIds } from '../infra/ids/uuid-ids.js';
import { MemorySharedStore } from '../infra/shared-store/memory-shared-store.js';
import { reviveSpools } from '../infra/spool/revive-spools.js';
import { SessionEntity } from '../base/auth/session.entity.js';
import { checkMoney } from '../base/billing/checks/check-money.js';
import { HighestIdFile, highestIdsInLogs } from '../base/billing/ledger/highest-ids.js';
import { MoneyEngine } from '../base/billing/engine/money-engine.js';
import { checkDiskSpace } from '../process/start-checks/disk-space.js';
import { lockDataDir } from '../process/start-checks/data-dir-lock.js';
import { runProgram } from './run-program.js';

/**
 * `npm run restore:finish`, after a database was put back and before the server starts on it: brings the schema up to date,
 * books what the spools in DATA_DIR know and the restored database does not, sends money home that was set aside, ends all logins,
 * records that the database is meant to be older, and proves the books. Doing it again changes nothing.
 */
async function main(): Promise<number> {
  const words = commandArguments(['--keep-logins']);
  const env = loadEnv();
  const lock = await lockDataDir(env.dataDir);
  process.once('exit', () => lock.release());
  checkDiskSpace(env.dataDir);
  const secrets = new SecretBox(env.cryptoSecret);
  const dataSource = await openNamedDatabase('DATABASE_URL', env.databaseUrl, { secrets });
  const logDataSource =
    env.logDatabaseUrl === undefined
      ? dataSource
      : await openNamedDatabase('LOG_DATABASE_URL', env.logDatabaseUrl, { scope: 'logs' });
  try {
    const segments = reviveSpools(join(env.dataDir, 'spool'));
    say(segments === 0 ? 'There is no spool to replay.' : `Replaying ${segments} segment(s) of the spool.`);
    const numbers = new HighestIdFile(dataSource, env.dataDir);
    if (logDataSource !== dataSource) await numbers.advanceSequences(await highestIdsInLogs(logDataSource));
    const faults = await replay({ dataSource, logDataSource, dataDir: env.dataDir });
    if (!words.has('--keep-logins')) {
      const { affected } = await dataSource
        .getRepository(SessionEntity)
        .createQueryBuilder()
        .delete()
        .execute();
      say(`${affected ?? 0} login(s) ended.`);
    }
    // The newer state is gone because an operator restored an older one.
    await runInTransaction(dataSource, acceptHistory);
    const violations = await checkMoney(dataSource, { isQuiet: true });
    say(
      violations.length === 0
        ? 'The books are right.'
        : `The books differ in ${violations.length} place(s): npm run money:check names them.`,
    );
    for (const fault of faults) say(`Look at: ${fault}`);
    return violations.length === 0 && faults.length === 0 ? 0 : 1;
  } finally {
    if (logDataSource !== dataSource) await logDataSource.destroy();
    await dataSource.destroy();
  }
}

/** Starts the money engine without traffic, and stops it: that is all recovery is. @returns what a person should look at */
async function replay(
  places: Pick<ConstructorParameters<typeof MoneyEngine>[0], 'dataSource' | 'logDataSource' | 'dataDir'>,
): Promise<string[]> {
  const clock = new SystemClock();
  const ids = new UuidIds();
  const bootId = ids.callId();
  const faults: string[] = [];
  const store = new MemorySharedStore(clock, `memory:${bootId}`);
  const engine = new MoneyEngine({
    ...places,
    store,
    clock,
    ids,
    bootId,
    // The operator confirms that the spools in DATA_DIR belong to this database.
    takesUnnamed: true,
    options: () => ({ logConsumption: true, useFigures: true, tagValuesPerDay: 1_000 }),
    onFault: (message, error) => faults.push(error === undefined ? message : `${message}: ${String(error)}`),
  });
  try {
    await engine.start();
  } finally {
    await engine.stop();
    await store.close();
  }
  return faults;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runProgram('restore:finish', main, 2);
