import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { CryptoSecretError } from '../../../../server/infra/database/crypto-secret-check.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import {
  pendingMigrations,
  revertLastMigration,
} from '../../../../server/infra/database/migrate-database.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const OURS = new SecretBox('our secret of at least 32 characters');
const OTHER = new SecretBox('another one of at least 32 characters');

describe.each(DATABASE_KINDS)('the CRYPTO_SECRET of a database on %s', (kind) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
  });
  afterEach(() => database.drop());

  const open = async (secrets: SecretBox): Promise<void> => {
    await (await openDatabase(database.url, { entities: [], secrets })).destroy();
  };

  it('equals the one of the first start, at every later start', async () => {
    await open(OURS);
    await open(OURS);
    await expect(open(OTHER)).rejects.toThrow(CryptoSecretError);
    await expect(open(OTHER)).rejects.toThrow(/^CRYPTO_SECRET is not the one/);
    await open(OURS);
  });

  it('refuses another one before the schema is touched', async () => {
    await open(OURS);
    const dataSource = await openDataSource(database.url, { entities: [] });
    try {
      const step = await revertLastMigration(dataSource);
      await expect(open(OTHER)).rejects.toThrow(CryptoSecretError);
      expect(await pendingMigrations(dataSource)).toEqual([step]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('lets one of two first starts with different secrets win', async () => {
    await (await openDatabase(database.url, { entities: [] })).destroy();
    const outcomes = await Promise.allSettled([open(OURS), open(OTHER)]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(CryptoSecretError)]);
  });
});
