import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { INVARIANTS } from '../../../../server/base/billing/checks/invariants.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books } from '../../../support/fixtures/money.fixture.js';

describe.each(DATABASE_KINDS)('npm run money:check on %s', (kind) => {
  let books: Books;
  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterAll(() => books.close());

  function run(
    url = books.database.url,
    words: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): { code: number | null; said: string } {
    const root = join(import.meta.dirname, '../../../..');
    const program = [
      '--import',
      join(root, 'test/support/register-typescript.mjs'),
      join(root, 'server/cli/money-check.ts'),
    ];
    const env = { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: books.dataDir, ...variables };
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...words], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    return { code: status, said: stdout + stderr };
  }

  it('reports right books, and names violations with exit code 1', async () => {
    const userId = await books.addUser(1_000);
    expect(run()).toEqual({ code: 0, said: 'The books are right.\n' });
    await books.dataSource.getRepository('users').update({ id: userId }, { quota: 900 });
    const { code, said } = run();
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(`^I1 +user ${userId} +1000 +900 +An account's balance is its ledger`, 'm'),
    );
    expect(said).toContain('docs/money.md');
  });

  it('explains every rule it checks, without a database', () => {
    const { code, said } = run('postgres://nobody@127.0.0.1:1/none', ['--help']);
    expect(code).toBe(0);
    for (const [id, sentence] of Object.entries(INVARIANTS))
      expect(said).toContain(`\n${id.padEnd(4)} ${sentence}\n`);
  });

  it('does not call books right that it could not read', () => {
    const { code, said } = run('postgres://nobody@127.0.0.1:1/none');
    expect(code).toBe(2);
    expect(said).toContain('could not read the books');
  });

  it('refuses an unknown argument, and a comparison that two databases make impossible', () => {
    expect(run(undefined, ['--log'])).toMatchObject({ code: 2 });
    const apart = run(undefined, ['--logs'], { LOG_DATABASE_URL: 'sqlite:elsewhere.db' });
    expect(apart.code).toBe(2);
    expect(apart.said).toContain('LOG_DATABASE_URL');
  });
});
