import { sentence } from '../../../common/import-sentences/sentence.js';
import type { EntityManager } from 'typeorm';
import { dialectOf } from '../../../infra/database/dialect-of.js';
import { type ForeignSource, readForeign } from '../../../infra/database/foreign-source.js';
import { renderSql } from '../../../infra/database/sql-store.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { read, toInteger, toText } from '../../../base/billing/ledger/money-sql.js';
import { addImportedUse, type ImportedUse } from '../../../base/billing/opening/imported-use.js';
import { insertLines, type NewLogLine } from '../../../base/logs/insert-lines.js';
import { ImportEntity } from '../import.entity.js';
import type { ImportHouse, Progress } from '../import-house.js';
import type { SourceNote } from '../source/records.js';
import { DamagedValueError, RowValues } from '../source/row-values.js';
import type { TransactionGuard } from '../write/import-context.js';
import type { Journal } from '../write/journal.js';
import { lineOf } from './log-lines.js';
import { familyPages, spendPages } from './log-pages.js';
import { spendLineOf } from './spend-lines.js';

/** Which part of the source's log is imported. */
export interface LogOrder {
  /** Lines older than this are left out, seconds since 1970; 0 = none. */
  readonly since: number;
  /** Address of the database that holds it; empty = the source itself. */
  readonly from: string;
}

export interface ImportedLogs {
  readonly lines: number;
  /** Σ of calls, in quota units. */
  readonly quota: string;
  readonly damaged: readonly SourceNote[];
}

interface LogWork {
  readonly order: LogOrder;
  readonly journal: Journal;
  readonly product: string;
  readonly progress: Progress;
  readonly guard: TransactionGuard;
}

const MAX_DAMAGED = 500;
const QUARTER_SECONDS = 900;
const CALL = 2;
const QUARTER = (second: number): number => second - (second % QUARTER_SECONDS);

/**
 * Imports the log of a source, the oldest line first, and adds its calls to the sums by quarter of an hour. How far it came is kept with
 * each portion, so that a further run goes on there.
 */
export async function importLogs(
  house: ImportHouse,
  source: ForeignSource,
  work: LogWork,
): Promise<ImportedLogs> {
  return work.order.from === ''
    ? copyLines(house, source, work)
    : readForeign(work.order.from, (logs) => copyLines(house, logs, work));
}

async function copyLines(house: ImportHouse, source: ForeignSource, work: LogWork): Promise<ImportedLogs> {
  const { order, journal, product, progress } = work;
  const table = product === 'litellm' ? 'LiteLLM_SpendLogs' : 'logs';
  if (!(await source.tables()).has(table)) {
    const missing = { kind: 'left-out', table, id: '', sentence: sentence('log_missing') } as const;
    return { lines: 0, quota: '0', damaged: [missing] };
  }
  const damaged: SourceNote[] = [];
  const imports = house.dataSource.getRepository(ImportEntity);
  const { logPosition } = await imports.findOneByOrFail({ id: journal.importId });
  const start = { position: logPosition, since: order.since };
  const pages = product === 'litellm' ? await spendPages(source, start) : familyPages(source, start);
  const toLine = await lineReader(house, work);
  const found = await pages.count();
  let seen = 0;
  let lines = 0;
  let quota = 0n;
  for (let page = await pages.next(); page !== null; page = await pages.next()) {
    const lineRows = page.rows.flatMap((row) =>
      readLine(new RowValues(pages.table, row), pages.key, toLine, damaged),
    );
    const converted = page.mayBeKnown ? await withoutKnown(house, lineRows) : lineRows;
    const { position } = page;
    await writeLines(house, converted, { importId: journal.importId, position, guard: work.guard });
    seen += page.rows.length;
    lines += converted.length;
    for (const line of converted) if (line.type === CALL) quota += BigInt(line.quota);
    await progress('log', { found, added: seen, moved: 0 });
  }
  return { lines, quota: String(quota), damaged };
}

type ToLine = (row: RowValues) => NewLogLine;

async function lineReader(
  { dataSource, options }: ImportHouse,
  { journal, product }: LogWork,
): Promise<ToLine> {
  if (product !== 'litellm') return (row) => lineOf(row, { journal, product });
  const rows = await read(
    dataSource,
    `SELECT "u"."id" AS "id", "u"."username" AS "name" FROM "users" "u" JOIN "imported_rows" "r" ON "r"."target_id" = "u"."id"
     WHERE "r"."kind" = 'user' AND "r"."import_id" = ${toInteger(journal.importId)}`,
  );
  const names = new Map(rows.map((row) => [toInteger(row['id']), toText(row['name'])]));
  const quotaPerUnit = options.values().QuotaPerUnit;
  return (row) => spendLineOf(row, { journal, quotaPerUnit, names });
}

/** Lines that are not here yet. */
async function withoutKnown(
  { logDataSource }: ImportHouse,
  lines: readonly NewLogLine[],
): Promise<NewLogLine[]> {
  const ids = lines.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
  if (ids.length === 0) return [];
  const rows: { readonly id: string }[] = await logDataSource.query(
    renderSql(
      dialectOf(logDataSource),
      `SELECT "request_id" AS "id" FROM "logs" WHERE "request_id" IN (${ids.map(() => '?').join(', ')})`,
    ),
    ids,
  );
  const known = new Set(rows.map(({ id }) => id));
  return lines.filter(({ requestId }) => requestId === null || !known.has(requestId));
}

function readLine(row: RowValues, key: string, toLine: ToLine, damaged: SourceNote[]): NewLogLine[] {
  try {
    return [toLine(row)];
  } catch (error) {
    if (!(error instanceof DamagedValueError)) throw error;
    if (damaged.length < MAX_DAMAGED)
      damaged.push({
        kind: 'damaged',
        table: row.table,
        id: row.text(key),
        sentence: sentence('line_left_out', { fault: error.sentence }),
      });
    return [];
  }
}

async function writeLines(
  house: ImportHouse,
  lines: readonly NewLogLine[],
  {
    importId,
    position,
    guard,
  }: { readonly importId: number; readonly position: number; readonly guard: TransactionGuard },
): Promise<void> {
  const { dataSource, logDataSource } = house;
  // Lines in a database of their own are written first: a repeated portion leaves out those that are there.
  if (logDataSource !== dataSource)
    await runInTransaction(logDataSource, (manager) => writeInto(manager, lines));
  await runInTransaction(dataSource, async (manager) => {
    await guard(manager);
    if (logDataSource === dataSource) await writeInto(manager, lines);
    await addImportedUse(manager, useOf(lines));
    await manager.getRepository(ImportEntity).update({ id: importId }, { logPosition: position });
  });
}

async function writeInto(manager: EntityManager, lines: readonly NewLogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const { sql, parameters } = insertLines(dialectOf(manager.dataSource), lines);
  await manager.query(sql, parameters);
}

/** Calls by account, model and quarter of an hour. */
function useOf(lines: readonly NewLogLine[]): ImportedUse[] {
  const sums = new Map<string, ImportedUse>();
  for (const line of lines) {
    if (line.type !== CALL || line.userId === 0) continue;
    const createdAt = QUARTER(line.createdAt);
    const key = JSON.stringify([line.userId, line.modelName, createdAt]);
    const sum = sums.get(key) ?? {
      userId: line.userId,
      model: line.modelName,
      createdAt,
      tokens: 0,
      calls: 0,
      quota: 0,
    };
    sum.tokens += line.promptTokens + line.completionTokens;
    sum.calls += 1;
    sum.quota += line.quota;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
