import { describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { ALL_MIGRATIONS } from '../../server/infra/database/migrations/all-migrations.js';
import type { Migration } from '../../server/infra/database/migrations/migration.js';
import { Schema } from '../../server/infra/database/migrations/schema.js';

const DIALECTS = ['sqlite', 'mysql', 'postgres'] as const;

/** Statements of a step for an empty database of one kind. */
async function statementsOf(step: Migration, dialect: (typeof DIALECTS)[number]): Promise<string[]> {
  const statements: string[] = [];
  const runner = {
    query: async (sql: string) => {
      if (/^\s*SELECT VERSION/i.test(sql)) return [{ version: '11.4.0-MariaDB' }];
      if (/^\s*SELECT/i.test(sql)) return [];
      statements.push(sql);
      return [];
    },
  };
  await step.up(await Schema.on(runner as unknown as QueryRunner, dialect));
  return statements;
}

/** Why the release before could not work with this statement done; null = it can. */
function breach(sql: string, tablesMadeHere: ReadonlySet<string>): string | null {
  const text = sql.replaceAll(/["`]/g, '');
  if (/\bDROP\s+(TABLE|COLUMN)\b/i.test(text)) return 'takes something away';
  if (/\bRENAME\b/i.test(text)) return 'renames';
  if (/\b(ALTER|MODIFY|CHANGE)\s+COLUMN\b|\bMODIFY\b/i.test(text)) return 'changes a type in place';
  const added = /\bADD\s+COLUMN\s+(.*)$/is.exec(text)?.[1];
  if (added !== undefined && /\bNOT\s+NULL\b/i.test(added) && !/\bDEFAULT\b/i.test(added))
    return 'adds a column that older programs do not fill';
  const unique = /\bCREATE\s+UNIQUE\s+INDEX\s+\S+\s+ON\s+(\w+)/i.exec(text)?.[1];
  if (unique !== undefined && !tablesMadeHere.has(unique)) return 'forbids rows that older programs write';
  return null;
}

describe('steps of the schema only add, so that the release before goes on working', () => {
  it.each(ALL_MIGRATIONS.map((step) => [step.name, step] as const))('%s', async (_name, step) => {
    for (const dialect of DIALECTS) {
      const statements = await statementsOf(step, dialect);
      const made = new Set(
        statements.flatMap(
          (sql) => /CREATE TABLE (?:IF NOT EXISTS )?["`]?(\w+)/i.exec(sql)?.slice(1, 2) ?? [],
        ),
      );
      const breaches = statements.flatMap((sql) => breach(sql, made) ?? []);
      // A step that takes something away says from which program on that is right.
      if (step.oldestReader === undefined) expect(breaches).toEqual([]);
      else expect(ALL_MIGRATIONS.map(({ name }) => name)).toContain(step.oldestReader);
    }
  });

  it.each([
    'ALTER TABLE "users" DROP COLUMN "quota"',
    'DROP TABLE "users"',
    'ALTER TABLE "users" RENAME COLUMN "quota" TO "balance"',
    'ALTER TABLE `users` MODIFY `quota` int',
    'ALTER TABLE "users" ALTER COLUMN "quota" TYPE int',
    'ALTER TABLE "users" ADD COLUMN "x" integer NOT NULL',
    'CREATE UNIQUE INDEX "x" ON "users" ("quota")',
  ])('would find %s', (sql) => {
    expect(breach(sql, new Set())).not.toBeNull();
  });
});
