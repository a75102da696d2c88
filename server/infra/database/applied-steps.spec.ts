import { describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import {
  appliedSteps,
  checkOwnTable,
  checkReadable,
  IncompatibleSchemaError,
  STEPS_TABLE,
} from './applied-steps.js';
import type { Migration } from './migrations/migration.js';

const known = ['Init1', 'Widen2'].map((name) => ({ name }) as Migration);

const runnerWith = (tables: readonly string[], rows: readonly object[] = []): QueryRunner =>
  ({
    dataSource: { options: { type: 'postgres' } },
    hasTable: async (name: string) => tables.includes(name),
    query: async () => rows,
  }) as unknown as QueryRunner;

describe('checkReadable', () => {
  it.each([
    ['a database without steps', []],
    ['every step of this program', [{ name: 'Init1', oldestReader: null }]],
    ['a newer step that only adds', [{ name: 'Add3', oldestReader: null }]],
    ['a newer step whose oldest reader this program is', [{ name: 'Drop3', oldestReader: 'Widen2' }]],
    ['a step of its own that needs itself', [{ name: 'Widen2', oldestReader: 'Widen2' }]],
  ])('works on %s', (_, applied) => {
    expect(() => checkReadable(applied, known)).not.toThrow();
  });

  it('refuses a schema whose newer step this program would misread, naming it', () => {
    const applied = [
      { name: 'Init1', oldestReader: null },
      { name: 'Drop4', oldestReader: 'Add3' },
    ];
    expect(() => checkReadable(applied, known)).toThrow(IncompatibleSchemaError);
    expect(() => checkReadable(applied, known)).toThrow(/brought to Drop4 by a newer version/);
  });
});

describe('appliedSteps', () => {
  it('reads none where there is no list', async () => {
    expect(await appliedSteps(runnerWith(['users'], [{ name: 'Init1' }]))).toEqual([]);
  });

  it('reads lists from before steps named their oldest reader', async () => {
    const rows = [
      { name: 'Init1' },
      { name: 'Drop3', oldest_reader: 'Widen2' },
      { name: 'A4', oldest_reader: null },
    ];
    expect(await appliedSteps(runnerWith([STEPS_TABLE], rows))).toEqual([
      { name: 'Init1', oldestReader: null },
      { name: 'Drop3', oldestReader: 'Widen2' },
      { name: 'A4', oldestReader: null },
    ]);
  });
});

describe('checkOwnTable', () => {
  it.each([[['users', STEPS_TABLE]], [['logs']], [[]]])(
    'takes a database with the tables %j',
    async (tables) => {
      await expect(checkOwnTable(runnerWith(tables), 'users')).resolves.toBeUndefined();
    },
  );

  it('accepts a schema that another process creates between the two checks', async () => {
    const tables: string[] = [];
    const runner = {
      hasTable: async (name: string) => {
        const isThere = tables.includes(name);
        tables.push(STEPS_TABLE, 'users');
        return isThere;
      },
    } as unknown as QueryRunner;
    await expect(checkOwnTable(runner, 'users')).resolves.toBeUndefined();
  });

  it('refuses a table of that name that another program made', async () => {
    await expect(checkOwnTable(runnerWith(['users']), 'users')).rejects.toThrow(
      /a table users that Tollgate did not make/,
    );
  });
});
