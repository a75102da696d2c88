import { commandArguments } from '../config/command-arguments.js';
import { loadEnv } from '../config/env-file.js';
import { openDataSource, prepareSqliteFile } from '../infra/database/data-source.js';
import { migrateDatabase, revertLastMigration } from '../infra/database/migrate-database.js';
import { runProgram } from './run-program.js';

/**
 * `npm run migrate`: brings the schema of the main database and of the log database up to date, as every server does at its
 * start. `npm run migrate -- --revert` takes the newest step back.
 */
async function run(): Promise<undefined> {
  const isRevert = commandArguments(['--revert']).has('--revert');
  const env = loadEnv();
  const targets = [{ name: 'main', url: env.databaseUrl, scope: 'main' as const }];
  const steps =
    env.logDatabaseUrl === undefined
      ? targets
      : [...targets, { name: 'logs', url: env.logDatabaseUrl, scope: 'logs' as const }];
  for (const { name, url, scope } of steps) {
    prepareSqliteFile(url);
    const dataSource = await openDataSource(url, { entities: [] });
    try {
      const done = isRevert
        ? await revertLastMigration(dataSource, { scope })
        : await migrateDatabase(dataSource, { scope });
      process.stdout.write(`${name}: ${describe(done)}\n`);
    } finally {
      await dataSource.destroy();
    }
  }
}

function describe(done: readonly string[] | string | null): string {
  if (done === null) return 'nothing to take back';
  if (typeof done === 'string') return `took back ${done}`;
  return done.length === 0 ? 'up to date' : `applied ${done.join(', ')}`;
}

await runProgram('The database could not be migrated', run);
