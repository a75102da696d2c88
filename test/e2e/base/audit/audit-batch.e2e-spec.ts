import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { type AuditEntry, AuditLog } from '../../../../server/base/audit/audit-log.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { SecretBox } from '../../../../server/infra/crypto/secret-box.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

const entryOf = (targetId: string, action = 'user.login'): AuditEntry =>
  ({ actorId: 0, actorRole: 0, actorName: 'a\0b\ud800', action, targetType: 'user', targetId }) as AuditEntry;

// SQLite has no length of a column that could be exceeded.
describe.each(['mariadb', 'postgres'] as const)(
  'rows of the audit log that are written together, %s',
  (kind) => {
    let database: TestDatabase;
    let dataSource: DataSource;
    beforeAll(async () => {
      database = await createTestDatabase(kind);
      dataSource = await openDatabase(database.url);
    });
    afterAll(async () => {
      await dataSource?.destroy();
      await database?.drop();
    });

    it('fails only the act whose row the database rejects, and leaves no gap in the numbers', async () => {
      const audit = new AuditLog(dataSource, new SecretBox('c'.repeat(32)), new SystemClock());
      const tooLong = entryOf('3', 'x'.repeat(1_000));
      // The first row is written alone, the others wait for it and go together.
      const acts = [entryOf('1'), entryOf('2'), tooLong, entryOf('4\0')].map((entry) =>
        audit.record(null, entry),
      );
      const settled = await Promise.allSettled(acts);
      expect(settled.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      const rows = await dataSource.getRepository(AuditEventEntity).find({ order: { sequence: 'ASC' } });
      expect(rows.map(({ sequence, targetId, actorName }) => [sequence, targetId, actorName])).toEqual([
        [1, '1', 'ab\ufffd'],
        [2, '2', 'ab\ufffd'],
        [3, '4', 'ab\ufffd'],
      ]);
    });
  },
);
