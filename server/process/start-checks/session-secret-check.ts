import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../infra/crypto/secret-box.js';
import { nowExpression } from '../../infra/database/database-clock.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { HEARTBEAT_LEASE_MS } from '../../base/billing/ledger/instances.js';
import { OptionEntity } from '../../base/options/option.entity.js';
import { InstanceEntity } from '../../base/billing/ledger/instance.entity.js';
import { StartRefusal } from '../../common/errors/start-refusal.js';

/** Key among the options, with a name that no option can have. */
const CHECK_KEY = '.session-secret-check';
const PLACE = `options.value.${CHECK_KEY}`;

/**
 * Instances with different SESSION_SECRETs would sign people out at every other request. A new secret is right, though, when
 * no other instance runs: then others are compared with it.
 * @param own.bootId  this worker among the living
 * Fails: StartRefusal naming the host of an instance that runs with another secret.
 */
export async function checkSessionSecret(
  dataSource: DataSource,
  secrets: SecretBox,
  { sessionSecret, bootId }: { readonly sessionSecret: string; readonly bootId: string },
): Promise<void> {
  const options = dataSource.getRepository(OptionEntity);
  const digest = createHash('sha256').update(`session-secret\n${sessionSecret}`).digest('base64url');
  const stored = await options.findOneBy({ key: CHECK_KEY });
  if (stored !== null && read(secrets, stored.value) === digest) return;
  const host = await aliveHost(dataSource, bootId);
  if (stored !== null && host !== undefined) {
    throw new StartRefusal(
      `SESSION_SECRET is not the one of the instance that runs on ${host} with the same database: people would be signed out ` +
        'at every other request. Give all instances the same secret; to change it, stop all of them first (one that was killed ' +
        `counts for ${HEARTBEAT_LEASE_MS / 1_000} s).`,
    );
  }
  await options.upsert({ key: CHECK_KEY, value: secrets.seal('check', PLACE, digest) }, ['key']);
}

function read(secrets: SecretBox, sealed: string): string | undefined {
  try {
    return secrets.open('check', PLACE, sealed);
  } catch {
    // Sealed under another CRYPTO_SECRET, or changed by hand: it proves nothing about ours, and is written anew.
    return undefined;
  }
}

/** Host of another worker that had a heartbeat within the last minute; undefined = there is none. */
export async function aliveHost(dataSource: DataSource, bootId: string): Promise<string | undefined> {
  const now = nowExpression(dialectOf(dataSource));
  const instance = await dataSource
    .getRepository(InstanceEntity)
    .createQueryBuilder('instance')
    .where('instance.bootId <> :bootId', { bootId })
    .andWhere(`instance.lastSeenMs > ${now} - ${HEARTBEAT_LEASE_MS}`)
    .getOne();
  return instance?.host;
}
