import 'reflect-metadata';
import { loadEnv } from '../config/env-file.js';
import { SecretBox } from '../infra/crypto/secret-box.js';
import { verifyCryptoSecret } from '../infra/database/crypto-secret-check.js';
import { openDataSource } from '../infra/database/data-source.js';
import { AuditChainEntity } from '../base/audit/audit-chain.entity.js';
import { AuditEventEntity } from '../base/audit/audit-event.entity.js';
import { type ChainReport, type KnownRow, verifyChain } from '../base/audit/verify-chain.js';
import { runProgram } from './run-program.js';

const MESSAGES = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  misplaced: 'does not follow the row before it',
  head: 'is not where the log should end: rows were added or removed at the end',
  base: 'is not where the log should begin: older rows were removed, and not by the retention rule',
} as const;

/**
 * `npm run audit:verify`: proves that no row of the audit log was changed, removed or moved, or names the first that was and ends
 * with code 1. `--head SEQUENCE:HASH`, noted from an earlier run, also finds a log that was cut off or made anew.
 */
async function main(): Promise<number> {
  const known = readKnownRow(process.argv.slice(2));
  const env = loadEnv();
  const secrets = new SecretBox(env.cryptoSecret);
  const dataSource = await openDataSource(env.databaseUrl, {
    entities: [AuditChainEntity, AuditEventEntity],
  });
  try {
    await verifyCryptoSecret(dataSource, secrets);
    const report = await verifyChain(dataSource, secrets, known);
    process.stdout.write(`${sentenceOf(report)}\n`);
    return report.fault === null ? 0 : 1;
  } finally {
    await dataSource.destroy();
  }
}

/** Fails: Error naming the word that is not understood. */
function readKnownRow(words: readonly string[]): KnownRow | undefined {
  if (words.length === 0) return undefined;
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(words[1] ?? '');
  if (words.length !== 2 || words[0] !== '--head' || match === null)
    throw new Error(`not understood: ${words.join(' ')}; there is --head SEQUENCE:HASH`);
  return { sequence: Number(match[1]), hash: match[2] ?? '' };
}

function sentenceOf({ fault, firstSequence, verifiedUpTo, headSequence, headHash }: ChainReport): string {
  if (fault !== null) {
    const rest = verifiedUpTo === 0 ? '' : ` Rows ${firstSequence} to ${verifiedUpTo} fit.`;
    return `The audit log does not fit: row ${fault.sequence} ${MESSAGES[fault.kind]}.${rest}`;
  }
  if (headSequence === 0) return 'The audit log is empty.';
  return `The audit log is intact: rows ${firstSequence} to ${headSequence}. Keep this elsewhere: ${headSequence}:${headHash}`;
}

await runProgram('audit:verify could not read the log', main, 2);
