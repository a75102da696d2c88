import type { DataSource, EntityManager } from 'typeorm';
import type { DatabaseDialect } from '../../../infra/database/database-url.js';
import { type Dialect, DIALECTS } from '../../../infra/database/dialect.js';
import { dialectOf } from '../../../infra/database/dialect-of.js';
import { sessionOf } from '../../../infra/database/manager-session.js';
import { renderSql, type SqlAnswer, type SqlSession } from '../../../infra/database/sql-store.js';

export { lockClause, nowExpression } from '../../../infra/database/database-clock.js';

export type Row = Readonly<Record<string, unknown>>;

/** A transaction: TypeORM's, or one of a thread that uses the driver itself. */
export type SqlTarget = EntityManager | SqlSession;

export const sessionIn = (target: SqlTarget): SqlSession => ('run' in target ? target : sessionOf(target));

export const dialectIn = (target: SqlTarget): DatabaseDialect =>
  'run' in target ? target.dialect : dialectOf(target.dataSource);

export const sqlIn = (target: SqlTarget): Dialect => DIALECTS[dialectIn(target)];

/**
 * Runs one statement inside a transaction. Names are quoted with `"`, parameters are `?`.
 * Fails: with the driver's error; throws TypeError for a manager that is not inside a transaction.
 */
export async function execute(
  target: SqlTarget,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<SqlAnswer> {
  return sessionIn(target).run(sql, parameters);
}

/** Reads outside a transaction. */
export async function read(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return dataSource.query(renderSql(dialectOf(dataSource), sql), [...parameters]);
}

/** Parameters of one statement stay below what every database takes, and a statement below a few milliseconds. */
const ROWS_PER_STATEMENT = 100;

/**
 * Inserts many rows: on a server in few statements (measured against one JSON parameter that MariaDB takes apart: a third of its
 * time), on SQLite one by one with a statement that stays the same.
 * @param again  what to do with a row that exists already, in SQL
 */
export async function insertRows(
  target: SqlTarget,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  again = '',
): Promise<void> {
  const session = sessionIn(target);
  const names = columns.map((name) => `"${name}"`).join(', ');
  const marks = `(${columns.map(() => '?').join(', ')})`;
  const insert = `INSERT INTO "${table}" (${names}) VALUES`;
  if (session.dialect === 'sqlite') {
    await session.runEach(`${insert} ${marks} ${again}`, rows);
    return;
  }
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const part = rows.slice(from, from + ROWS_PER_STATEMENT);
    const values = part.map(() => marks).join(', ');
    await session.run(`${insert} ${values} ${again}`, part.flat());
  }
}

type Id = number | string;

/**
 * Rows of a list of ids.
 * @param sql  ends where the list begins: `… WHERE "id" IN`
 * Fails: throws RangeError for what is no id.
 */
export async function selectListed(
  target: SqlTarget,
  sql: string,
  ids: ReadonlySet<Id>,
  suffix = '',
): Promise<readonly Row[]> {
  if (ids.size === 0) return [];
  // On SQLite a text that never changes: understanding a statement costs it more than the rows do.
  if (dialectIn(target) === 'sqlite')
    return (
      await execute(target, `${sql} (SELECT "value" FROM json_each(?))${suffix}`, [JSON.stringify([...ids])])
    ).rows;
  return (await execute(target, `${sql} (${idList(ids)})${suffix}`)).rows;
}

const idList = (ids: Iterable<Id>): string =>
  [...ids].map((id) => (typeof id === 'number' ? integerList([id]) : textList([id]))).join(',');

/**
 * Adds a different amount to columns of each row of a list.
 * @param sums  column → row id → amount; every column has the same ids
 * @param also  `and`: a further condition of the rows, in SQL; `set`: columns that get the same value in each
 * @returns matched rows
 */
export async function addToRows(
  target: SqlTarget,
  table: string,
  sums: Readonly<Record<string, ReadonlyMap<Id, number>>>,
  also: { readonly and?: string; readonly set?: Readonly<Record<string, number>> } = {},
): Promise<number> {
  const columns = Object.entries(sums);
  const ids = [...(columns[0]?.[1].keys() ?? [])];
  if (ids.length === 0) return 0;
  const fixed = Object.entries(also.set ?? {});
  const condition = also.and === undefined ? '' : `${also.and} AND `;
  const fixedSets = fixed.map(([column]) => `"${column}" = ?`);
  const values = fixed.map(([, value]) => value);
  if (dialectIn(target) === 'sqlite') {
    const sets = [...columns.map(([column]) => `"${column}" = "${column}" + ?`), ...fixedSets].join(', ');
    const rows = ids.map((id) => [
      ...columns.map(([, amounts]) => toInteger(amounts.get(id))),
      ...values,
      id,
    ]);
    return sessionIn(target).runEach(`UPDATE "${table}" SET ${sets} WHERE ${condition}"id" = ?`, rows);
  }
  const sets = [
    ...columns.map(([column, amounts]) => `"${column}" = "${column}" + ${amountPerRow('id', amounts)}`),
    ...fixedSets,
  ].join(', ');
  const sql = `UPDATE "${table}" SET ${sets} WHERE ${condition}"id" IN (${idList(ids)})`;
  return (await execute(target, sql, values)).affected;
}

/**
 * An exact integer out of a result: drivers give large sums as text.
 * Fails: throws RangeError beyond 2^53 and for anything that is not an integer.
 */
export function toInteger(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value ?? 0);
  if (!Number.isSafeInteger(number)) throw new RangeError(`not an exact integer: ${String(value)}`);
  return number;
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));

/** A list of numbers for `IN (…)`. Fails: throws RangeError for anything but safe integers. */
export function integerList(values: Iterable<number>): string {
  return [...values].map((value) => String(toInteger(value))).join(',');
}

const IDENTIFIER = /^[0-9A-Za-z_-]{1,64}$/;

/** A list of ids for `IN (…)`, each checked to be free of anything SQL could read. Fails: throws RangeError. */
export function textList(values: Iterable<string>): string {
  return [...values]
    .map((value) => {
      if (!IDENTIFIER.test(value)) throw new RangeError('not an id');
      return `'${value}'`;
    })
    .join(',');
}

/** `CASE id WHEN 1 THEN 10 … END`: a different amount for each row of one UPDATE. */
export function amountPerRow(column: string, amounts: ReadonlyMap<number | string, number>): string {
  const branches = [...amounts].map(([id, amount]) => {
    const key = typeof id === 'number' ? integerList([id]) : textList([id]);
    return `WHEN ${key} THEN ${integerList([amount])}`;
  });
  return `CASE "${column}" ${branches.join(' ')} END`;
}
