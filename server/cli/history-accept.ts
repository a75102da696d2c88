import 'reflect-metadata';
import { commandArguments } from '../config/command-arguments.js';
import { loadEnv } from '../config/env-file.js';
import { SystemClock } from '../infra/clock/system-clock.js';
import { SecretBox } from '../infra/crypto/secret-box.js';
import { verifyCryptoSecret } from '../infra/database/crypto-secret-check.js';
import { openDataSource } from '../infra/database/data-source.js';
import { acceptHistory } from '../infra/rollback-detection/accept-history.js';
import { runInTransaction } from '../infra/database/run-in-transaction.js';
import { AuditChainEntity } from '../base/audit/audit-chain.entity.js';
import { AuditEventEntity } from '../base/audit/audit-event.entity.js';
import { AuditLog } from '../base/audit/audit-log.js';
import { runProgram } from './run-program.js';

/**
 * `npm run history:accept`: takes the database as it is, although rows that were seen of it are gone (degraded mode `database-behind`).
 * Needed when no administrator can sign in to accept it in the console.
 */
async function main(): Promise<undefined> {
  commandArguments([]);
  const env = loadEnv();
  const secrets = new SecretBox(env.cryptoSecret);
  const dataSource = await openDataSource(env.databaseUrl, {
    entities: [AuditChainEntity, AuditEventEntity],
  });
  try {
    await verifyCryptoSecret(dataSource, secrets);
    const audit = new AuditLog(dataSource, secrets, new SystemClock());
    await runInTransaction(dataSource, async (manager) => {
      await acceptHistory(manager);
      await audit.record(manager, {
        actorId: 0,
        actorRole: 0,
        actorName: 'history:accept',
        action: 'history.accept',
        targetType: 'database',
        targetId: '',
      });
    });
    process.stdout.write('Accepted. Running instances follow within 5 s.\n');
  } finally {
    await dataSource.destroy();
  }
}

await runProgram('history:accept changed nothing', main);
