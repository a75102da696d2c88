import { randomUUID } from 'node:crypto';
import type { Env } from '../config/env.js';
import { SystemClock } from '../infra/clock/system-clock.js';
import { SecretBox } from '../infra/crypto/secret-box.js';
import { openNamedDatabase } from '../infra/database/open-named-database.js';
import { ChangeFeed } from '../infra/events/change-feed.js';
import { Revisions } from '../infra/events/revisions.js';
import { DegradedModes } from '../infra/observability/degraded-modes.js';
import { AuditLog } from '../base/audit/audit-log.js';
import { PasswordHasher } from '../base/auth/password.js';
import { OptionChangeEntity } from '../base/options/option.entity.js';
import { OptionsRepository } from '../base/options/options.repository.js';
import { OptionsService } from '../base/options/options.service.js';
import { OptionVersionEntity } from '../base/options/option-version.entity.js';
import { TokenKeys } from '../gateway/tokens/token-keys.js';
import type { ImportHouse } from '../console/import/import-house.js';
import { ImportLock, processPlace } from '../console/import/runs/import-lock.js';
import { RedemptionKeys } from '../console/redemptions/redemption-keys.js';
import './import-entities.js';

/** Noop: a program sends no signals; every instance checks for changes every five seconds. */
class SilentFeed extends ChangeFeed {
  override announce(): void {
    return undefined;
  }

  override on(): () => void {
    return () => undefined;
  }
}

/** The databases of this installation, brought up to date, with the services an import needs. Fails: as `openNamedDatabase`. */
export async function openImportHouse(
  env: Env,
): Promise<{ readonly house: ImportHouse; readonly close: () => Promise<void> }> {
  const secrets = new SecretBox(env.cryptoSecret);
  const clock = new SystemClock();
  const dataSource = await openNamedDatabase('DATABASE_URL', env.databaseUrl, { secrets });
  const { logDatabaseUrl } = env;
  const logDataSource =
    logDatabaseUrl === undefined || logDatabaseUrl === env.databaseUrl
      ? dataSource
      : await openNamedDatabase('LOG_DATABASE_URL', logDatabaseUrl, { scope: 'logs' });
  const revisions = new Revisions(dataSource, clock, new DegradedModes(clock), new SilentFeed());
  const close = async (): Promise<void> => {
    revisions.beforeApplicationShutdown();
    if (logDataSource !== dataSource) await logDataSource.destroy();
    await dataSource.destroy();
  };
  const audit = new AuditLog(dataSource, secrets, clock);
  const repository = new OptionsRepository(
    dataSource,
    dataSource.getRepository(OptionChangeEntity),
    dataSource.getRepository(OptionVersionEntity),
    audit,
  );
  const options = new OptionsService(repository, secrets, clock, revisions);
  try {
    await options.start();
  } catch (error) {
    await close();
    throw error;
  }
  const house = {
    dataSource,
    logDataSource,
    secrets,
    audit,
    options,
    tokenKeys: new TokenKeys(env, secrets),
    redemptionKeys: new RedemptionKeys(env, secrets),
    hasher: new PasswordHasher(),
    litellmSecrets: env.litellmSecrets,
    variables: env.foreignVariable,
    lock: new ImportLock(dataSource, clock, { owner: randomUUID(), place: processPlace() }),
    nowMs: () => clock.nowMs(),
  };
  return { house, close };
}
