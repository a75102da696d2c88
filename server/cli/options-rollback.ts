import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { loadEnv } from '../config/env-file.js';
import { DomainError } from '../common/errors/domain-error.js';
import { renderRefusal } from '../common/errors/render-refusal.js';
import { SystemClock } from '../infra/clock/system-clock.js';
import { SecretBox } from '../infra/crypto/secret-box.js';
import { verifyCryptoSecret } from '../infra/database/crypto-secret-check.js';
import { openDataSource } from '../infra/database/data-source.js';
import { ChangeFeed } from '../infra/events/change-feed.js';
import { Revisions } from '../infra/events/revisions.js';
import { DegradedModes } from '../infra/observability/degraded-modes.js';
import { AuditLog } from '../base/audit/audit-log.js';
import { checkedPriceBook } from '../base/billing/engine/checked-price-book.js';
import { ROLE } from '../base/access/user.codes.js';
import { OptionHistory } from '../base/options/option-history.service.js';
import { OptionsRepository } from '../base/options/options.repository.js';
import { OptionsService } from '../base/options/options.service.js';
import { OptionChangeEntity } from '../base/options/option.entity.js';
import { OptionVersionEntity } from '../base/options/option-version.entity.js';
import { runProgram } from './run-program.js';

/** Noop: a program sends no signals; every instance checks for changes every five seconds. */
class SilentFeed extends ChangeFeed {
  override announce(): void {
    return undefined;
  }

  override on(): () => void {
    return () => undefined;
  }
}

/**
 * `npm run options:rollback -- VERSION [NOTE]`: puts every option back to what it was right after a version, checked, kept as a
 * version of its own and audited like a change in the console. For the day the console cannot be reached.
 */
async function main(): Promise<undefined> {
  const [word = '', ...note] = process.argv.slice(2);
  const versionId = /^[1-9]\d{0,9}$/.test(word) ? Number(word) : undefined;
  if (versionId === undefined)
    throw new Error(
      'name a version: npm run options:rollback -- VERSION; numbers are in the history of the settings',
    );
  Logger.overrideLogger(['error', 'fatal']);
  const env = loadEnv();
  const secrets = new SecretBox(env.cryptoSecret);
  const clock = new SystemClock();
  const dataSource = await openDataSource(env.databaseUrl);
  const feed = new SilentFeed();
  const revisions = new Revisions(dataSource, clock, new DegradedModes(clock), feed);
  try {
    await verifyCryptoSecret(dataSource, secrets);
    const repository = new OptionsRepository(
      dataSource,
      dataSource.getRepository(OptionChangeEntity),
      dataSource.getRepository(OptionVersionEntity),
      new AuditLog(dataSource, secrets, clock),
    );
    const options = new OptionsService(repository, secrets, clock, revisions);
    await options.start();
    // Prices that could not be compiled are refused here as they are in the console.
    checkedPriceBook(options);
    const history = new OptionHistory(repository, options);
    const changed = await history.rollBackTo(
      { id: 0, username: 'options:rollback', role: ROLE.root },
      versionId,
      note.join(' '),
    );
    const text =
      changed.length === 0
        ? `Nothing to do: the options are as they were after version ${versionId}.`
        : `Put back to version ${versionId}: ${changed.join(', ')}. Running instances follow within 5 s.`;
    process.stdout.write(`${text}\n`);
  } catch (error) {
    throw error instanceof DomainError ? new Error(sentenceOf(error), { cause: error }) : error;
  } finally {
    revisions.beforeApplicationShutdown();
    await dataSource.destroy();
  }
}

function sentenceOf(error: DomainError): string {
  if (error.code === 'not_found') return 'there is no such version, or it changed nothing that is kept';
  return renderRefusal(error.code, error.values, 'en').body.message ?? error.code;
}

await runProgram('options:rollback changed nothing', main);
