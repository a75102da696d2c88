import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { read } from '../../../../server/base/billing/ledger/money-sql.js';
import type { ImportReport } from '../../../../server/console/import/report.js';
import { DATABASE_KINDS, type DatabaseKind } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { expectedOf, ImportTarget, SAMPLES } from '../../../support/import-runs.js';
import { verifyChain } from '../../../../server/base/audit/verify-chain.js';

const FILES = [
  ['new-api', 'A-new-api.sqlite.gz'],
  ['new-api', 'A-new-api.mysql.sql.gz'],
  ['new-api', 'A-new-api.postgres.sql.gz'],
  ['one-api', 'A-one-api.sqlite.gz'],
  ['one-api', 'A-one-api.mysql.sql.gz'],
] as const;

/** Every sample into every database takes minutes: by default each sample goes into one, and one sample into all. */
const goesInto = (file: string, kind: DatabaseKind): boolean =>
  process.env['IMPORT_SAMPLES'] === 'all' || file === 'A-new-api.sqlite.gz' || DEFAULT_TARGETS[file] === kind;
const DEFAULT_TARGETS: Readonly<Record<string, DatabaseKind>> = {
  'A-new-api.mysql.sql.gz': 'postgres',
  'A-new-api.postgres.sql.gz': 'mariadb',
  'A-one-api.sqlite.gz': 'postgres',
  'A-one-api.mysql.sql.gz': 'sqlite',
};

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Administrators stay; the root of the source becomes one. */
const roleHere = (role: unknown): unknown => (role === 100 ? 10 : role);

describe.each(FILES)('sample of %s: %s', (product, file) => {
  const expected = expectedOf(product, file);
  let source: ForeignDatabase;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, product, file));
  });
  afterAll(() => source.drop());

  const kinds = DATABASE_KINDS.filter((kind) => goesInto(file, kind));
  describe.each(kinds)('imported into %s', (kind) => {
    let target: ImportTarget;
    let report: ImportReport;
    let digest: string;

    beforeAll(async () => {
      target = await ImportTarget.open(kind);
      digest = source.path === '' ? '' : digestOf(source.path);
      report = await target.run(source.url, { logs: { since: 0, from: '' } });
    });
    afterAll(() => target.close());

    const rowsOf = (sql: string) => read(target.house.dataSource, sql);

    it('keeps every account with its number and its figures', async () => {
      const rows = await rowsOf('SELECT * FROM "users" ORDER BY "id"');
      const found = rows.map((row) => ({
        id: Number(row['id']),
        username: row['username'],
        role: Number(row['role']),
        group: row['group'],
        quota: Number(row['quota']),
        used_quota: Number(row['used_quota']),
        request_count: Number(row['request_count']),
        inviter_id: Number(row['inviter_id']),
        deleted: row['deleted_at_ms'] !== null,
      }));
      expect(found).toEqual(
        expected.users.map((user) => ({
          id: user['id'],
          username: user['username'],
          role: roleHere(user['role']),
          group: user['group'],
          quota: user['quota'],
          used_quota: user['used_quota'],
          request_count: user['request_count'],
          inviter_id: user['inviter_id'],
          deleted: user['deleted'],
        })),
      );
    });

    it('agrees with the sums of the source to the unit', async () => {
      expect(report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
      const sum = (code: string): string | undefined =>
        report.sums.find(({ name }) => name.code === code)?.source;
      expect(sum('sum_balances')).toBe(String(expected['sum_user_quota']));
      expect(sum('sum_used_accounts')).toBe(String(expected['sum_used_quota']));
      expect(sum('sum_allowances')).toBe(String(expected['sum_token_remain_limited']));
      expect(sum('sum_used_tokens')).toBe(String(expected['sum_token_used']));
      expect(sum('sum_used_channels')).toBe(String(expected['sum_channel_used_quota']));
      expect(sum('sum_codes')).toBe(String(expected['sum_unused_code_quota']));
    });

    it('imports the log with the calls of every model', async () => {
      expect(report.logs?.lines).toBe(expected['logs_total']);
      const calls = expected['consume_by_model'] as Record<string, { calls: number; sum_quota: number }>;
      const rows = await rowsOf(
        'SELECT "model_name" AS "model", COUNT(*) AS "calls", SUM("quota") AS "quota" FROM "logs" WHERE "type" = 2 GROUP BY "model_name"',
      );
      const found = Object.fromEntries(
        rows.map((row) => [String(row['model']), [Number(row['calls']), Number(row['quota'])]]),
      );
      expect(found).toEqual(
        Object.fromEntries(Object.entries(calls).map(([model, one]) => [model, [one.calls, one.sum_quota]])),
      );
    });

    it('begins with books and an audit log that are right', async () => {
      expect(await checkMoney(target.house.dataSource, { hasAllLogs: true })).toEqual([]);
      expect((await verifyChain(target.house.dataSource, target.house.secrets)).fault).toBeNull();
    });

    it('changes no row in a second run, and leaves the source byte for byte', async () => {
      const state = async (): Promise<unknown[]> =>
        Promise.all(
          [
            'users',
            'tokens',
            'channels',
            'ledger',
            'imports',
            'imported_rows',
            'opening_figures',
            'audit_events',
          ].map((table) => rowsOf(`SELECT * FROM "${table}" ORDER BY 1, 2`)),
        );
      const before = await state();
      const again = await target.run(source.url, { logs: { since: 0, from: '' } });
      expect(Object.values(again.counts).filter(({ added, moved }) => added + moved > 0)).toEqual([]);
      expect(await state()).toEqual(before);
      if (source.path !== '') expect(digestOf(source.path)).toBe(digest);
    });
  });
});
