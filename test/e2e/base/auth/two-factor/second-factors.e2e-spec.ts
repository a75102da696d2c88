import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SecretBox } from '../../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../../server/infra/database/open-named-database.js';
import { isDuplicateKey, runInTransaction } from '../../../../../server/infra/database/run-in-transaction.js';
import { MemorySharedStore } from '../../../../../server/infra/shared-store/memory-shared-store.js';
import { AuditChainEntity } from '../../../../../server/base/audit/audit-chain.entity.js';
import { AuditEventEntity } from '../../../../../server/base/audit/audit-event.entity.js';
import { AuditLog } from '../../../../../server/base/audit/audit-log.js';
import { verifyChain } from '../../../../../server/base/audit/verify-chain.js';
import { RateLimiter } from '../../../../../server/infra/rate-limit/rate-limiter.js';
import { PasskeyEntity } from '../../../../../server/console/passkeys/passkey.entity.js';
import {
  type NewPasskey,
  PasskeysRepository,
} from '../../../../../server/console/passkeys/passkeys.repository.js';
import { RecoveryCodeEntity } from '../../../../../server/base/auth/two-factor/recovery-code.entity.js';
import { TwoFactorEntity } from '../../../../../server/base/auth/two-factor/two-factor.entity.js';
import { TwoFactorRepository } from '../../../../../server/base/auth/two-factor/two-factor.repository.js';
import { TwoFactorService } from '../../../../../server/base/auth/two-factor/two-factor.service.js';
import { PersonalDataTables } from '../../../../../server/base/users/personal-data-tables.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../../support/database.js';
import { FakeClock } from '../../../../support/fake-clock.js';
import { ALONE, LimitShares } from '../../../../../server/infra/rate-limit/limit-shares.js';

const entities = [AuditChainEntity, AuditEventEntity, PasskeyEntity, RecoveryCodeEntity, TwoFactorEntity];
/** "12345678901234567890" of RFC 6238 in base32, and its code at second 1,111,111,111. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const AT_MS = 1_111_111_111_000;
const CODE = '050471';
const NEXT_CODE = '266759';

describe.each(DATABASE_KINDS)('second factors on %s', (kind) => {
  const clock = new FakeClock(AT_MS);
  const secrets = new SecretBox('c'.repeat(32));
  let database: TestDatabase;
  let dataSource: DataSource;
  let codes: TwoFactorService;
  let repository: TwoFactorRepository;
  let passkeys: PasskeysRepository;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url, { entities });
    repository = new TwoFactorRepository(
      dataSource.getRepository(TwoFactorEntity),
      dataSource.getRepository(RecoveryCodeEntity),
      new PersonalDataTables(),
      secrets,
    );
    passkeys = new PasskeysRepository(
      dataSource.getRepository(PasskeyEntity),
      new PersonalDataTables(),
      clock,
    );
    const throttle = new RateLimiter(
      new MemorySharedStore(clock, 'epoch-1'),
      new LimitShares(clock, ALONE),
      dataSource,
    );
    const audit = new AuditLog(dataSource, secrets, clock);
    codes = new TwoFactorService(dataSource, repository, throttle, audit, clock);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('codes are turned on once, of many attempts at once, with ten recovery codes and one row of the audit log', async () => {
    const actor = { id: 1, role: 1 };
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => codes.enable(actor, SECRET, CODE)),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'two_factor_on' });
    expect(await repository.countRecoveryCodes(1)).toBe(10);
    const rows = await dataSource.getRepository(AuditEventEntity).findBy({ action: 'two_factor.enable' });
    expect(rows).toHaveLength(1);
    expect((await verifyChain(dataSource, secrets)).fault).toBeNull();
  });

  it('uses up the code that turned them on, and counts one of twenty parallel uses of the next', async () => {
    await expect(codes.spend(1, CODE)).rejects.toMatchObject({ code: 'two_factor_code_wrong' });
    const step = Math.floor(AT_MS / 30_000) + 1;
    const claims = await Promise.all(Array.from({ length: 20 }, () => repository.claimStep(1, step)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await expect(codes.spend(1, NEXT_CODE)).rejects.toMatchObject({ code: 'two_factor_code_wrong' });
    expect(await repository.claimStep(1, step - 1)).toBe(false);
  });

  it('counts one of twenty uses of a recovery code at once', async () => {
    clock.advance(24 * 3_600_000);
    const [code = '', other = ''] = await codes.renewRecoveryCodes({ id: 1, role: 1 });
    const row = await dataSource.getRepository(RecoveryCodeEntity).findBy({ userId: 1 });
    expect(row).toHaveLength(10);
    expect(await codes.spend(1, code)).toBe('recovery-code');
    await expect(codes.spend(1, code)).rejects.toMatchObject({ code: 'two_factor_code_wrong' });
    const takes = await Promise.all(Array.from({ length: 20 }, () => repository.takeRecoveryCode(1, other)));
    expect(takes.filter(Boolean)).toHaveLength(1);
    expect(await repository.takeRecoveryCode(2, other)).toBe(false);
    expect(await repository.countRecoveryCodes(1)).toBe(8);
  });

  it('turning them off leaves nothing behind', async () => {
    await codes.remove({ id: 9, role: 100 }, 1);
    expect([await repository.findSecret(1), await repository.countRecoveryCodes(1)]).toEqual([null, 0]);
    await expect(codes.remove({ id: 9, role: 100 }, 1)).rejects.toMatchObject({ code: 'two_factor_off' });
    expect((await verifyChain(dataSource, secrets)).fault).toBeNull();
  });

  const passkey = (credentialDigest: string, counter = 0): NewPasskey => ({
    userId: 1,
    credentialDigest,
    credentialId: 'A'.repeat(1_364),
    publicKey: 'B'.repeat(500),
    relyingParty: 'ai.example',
    counter,
    transports: 'internal,hybrid',
    aaguid: '00000000-0000-0000-0000-000000000000',
    isSynced: true,
    name: 'Schlüssel 🔑',
  });
  const insert = (digest: string, counter = 0) =>
    runInTransaction(dataSource, (manager) => passkeys.insert(manager, passkey(digest, counter)));
  const idOf = async (digest: string): Promise<number> => (await passkeys.findByCredential(digest))?.id ?? 0;

  it('keeps a credential as one passkey of one account', async () => {
    await insert('a'.repeat(64));
    const again: unknown = await insert('a'.repeat(64)).catch((error: unknown) => error);
    expect(isDuplicateKey(again)).toBe(true);
    expect(await passkeys.findByCredential('a'.repeat(64))).toMatchObject({
      ...passkey('a'.repeat(64)),
      createdAtMs: clock.nowMs(),
      lastUsedAtMs: 0,
    });
  });

  it('uses a count once, never lowers it, and keeps 0 for authenticators without one', async () => {
    await insert('b'.repeat(64), 5);
    const id = await idOf('b'.repeat(64));
    const use = (counter: number) => passkeys.recordUse(id, { counter, isSynced: false });
    const uses = await Promise.all(Array.from({ length: 20 }, () => use(6)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect([await use(6), await use(5), await use(0), await use(7)]).toEqual([false, false, false, true]);
    const silent = await idOf('a'.repeat(64));
    for (let turn = 0; turn < 3; turn += 1)
      expect(await passkeys.recordUse(silent, { counter: 0, isSynced: true })).toBe(true);
  });

  it('lets their owner alone remove them', async () => {
    const id = await idOf('b'.repeat(64));
    expect(await passkeys.rename(2, id, 'x')).toBe(false);
    expect(await runInTransaction(dataSource, (manager) => passkeys.delete(manager, 2, id))).toBe(false);
    expect(await runInTransaction(dataSource, (manager) => passkeys.delete(manager, 1, id))).toBe(true);
    expect(await runInTransaction(dataSource, (manager) => passkeys.deleteAllOf(manager, 1))).toBe(1);
    expect(await passkeys.countOf(1)).toBe(0);
  });
});
