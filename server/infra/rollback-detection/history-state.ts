import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { dialectOf } from '../database/dialect-of.js';
import { renderSql } from '../database/sql-store.js';

const whole = () => z.number().int().nonnegative();

/**
 * The newest row of everything that only ever grows. Each is identified beyond its number, so that another row with the same number
 * is detected.
 */
const marksSchema = z.strictObject({
  /** Revisions of the shared settings, by name of the part. */
  revisions: z.record(z.string(), whole()),
  audit: z.strictObject({ sequence: whole(), hash: z.string() }),
  /** Movements of money other than calls; id 0 = none yet. */
  ledger: z.strictObject({ id: whole(), ref: z.string() }),
  /** Call id of the newest booking; empty = none yet. */
  booking: z.string(),
});

/** Last known state of a database, remembered outside it. */
export const seenHistorySchema = z.strictObject({
  /** Installation of the database (installation-id.ts). */
  installation: z.string().min(1),
  /** Restores and losses an operator accepted, oldest first; the first is the beginning. */
  acceptances: z.array(z.string()).min(1),
  marks: marksSchema,
});

export type HistoryMarks = Readonly<z.infer<typeof marksSchema>>;
export type SeenHistory = Readonly<z.infer<typeof seenHistorySchema>>;

/** Current state of a database. */
export interface HistoryState {
  /** Empty = unknown. */
  readonly installation: string;
  /** The newest acceptance; empty = there was none. */
  readonly acceptance: string;
  readonly marks: HistoryMarks;
  /** Start of the audit log: older rows were removed by its retention, and a row vouches for that. */
  readonly auditBase: { readonly sequence: number; readonly hash: string };
}

const STATE = `SELECT
  (SELECT "value" FROM "options" WHERE "key" = '.installation') AS "installation",
  (SELECT "value" FROM "options" WHERE "key" = '.history') AS "acceptance",
  (SELECT "number" FROM "revisions" WHERE "name" = 'options') AS "options_revision",
  (SELECT "number" FROM "revisions" WHERE "name" = 'channels') AS "channels_revision",
  c."head_sequence" AS "head_sequence", c."head_hash" AS "head_hash",
  c."base_sequence" AS "base_sequence", c."base_hash" AS "base_hash",
  l."id" AS "ledger_id", l."ref" AS "ledger_ref",
  (SELECT MAX("request_id") FROM "settlements") AS "booking"
FROM (SELECT 1 AS "one") o
LEFT JOIN "audit_chain" c ON c."id" = 1
LEFT JOIN "ledger" l ON l."id" = (SELECT MAX("id") FROM "ledger")`;

const PRESENCE = `SELECT
  (SELECT "hash" FROM "audit_events" WHERE "sequence" = ?) AS "audit_hash",
  (SELECT "ref" FROM "ledger" WHERE "id" = ?) AS "ledger_ref",
  (SELECT "request_id" FROM "settlements" WHERE "request_id" = ?) AS "booking"`;

type Row = Readonly<Record<string, unknown>>;

const one = async (
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row> => {
  const rows = (await dataSource.query(renderSql(dialectOf(dataSource), sql), [...parameters])) as Row[];
  return rows[0] ?? {};
};

// Text is text and numbers may come as text: every driver in its own way.
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => Number(value ?? 0);

/** One statement, so that all of it is of one state. Fails: with the database's error. */
export async function readHistory(dataSource: DataSource): Promise<HistoryState> {
  const row = await one(dataSource, STATE);
  return {
    installation: text(row['installation']),
    acceptance: text(row['acceptance']),
    marks: {
      revisions: { options: number(row['options_revision']), channels: number(row['channels_revision']) },
      audit: { sequence: number(row['head_sequence']), hash: text(row['head_hash']) },
      ledger: { id: number(row['ledger_id']), ref: text(row['ledger_ref']) },
      booking: text(row['booking']),
    },
    auditBase: { sequence: number(row['base_sequence']), hash: text(row['base_hash']) },
  };
}

/**
 * Finds the part of a remembered history that the database has lost.
 * @param now  its current state, read after `seen` was remembered
 * @returns a sentence about it; null = everything is there. Fails: with the database's error.
 */
export async function findLoss(
  dataSource: DataSource,
  seen: SeenHistory,
  now: HistoryState,
): Promise<string | null> {
  if (now.installation !== seen.installation) return 'it is the database of another installation';
  if (!seen.acceptances.includes(now.acceptance)) return null;
  if (now.acceptance !== seen.acceptances.at(-1)) return 'it is older than what an operator accepted';
  const older = olderRevision(seen.marks, now.marks);
  if (older !== null) return older;
  const { audit, ledger, booking } = seen.marks;
  if (isSame(seen.marks, now.marks)) return null;
  const there = await one(dataSource, PRESENCE, [audit.sequence, ledger.id, booking]);
  if (!hasAudit(audit, now, there)) return `row ${audit.sequence} of the audit log is gone`;
  if (ledger.id !== 0 && text(there['ledger_ref']) !== ledger.ref)
    return `row ${ledger.id} of the ledger is gone`;
  if (booking !== '' && text(there['booking']) !== booking) return `the booking of call ${booking} is gone`;
  return null;
}

function hasAudit(audit: HistoryMarks['audit'], { marks, auditBase }: HistoryState, there: Row): boolean {
  if (audit.sequence === 0) return true;
  if (audit.sequence > marks.audit.sequence) return false;
  if (audit.sequence < auditBase.sequence) return true;
  return audit.hash === (audit.sequence === auditBase.sequence ? auditBase.hash : text(there['audit_hash']));
}

function olderRevision(seen: HistoryMarks, now: HistoryMarks): string | null {
  for (const [name, number] of Object.entries(seen.revisions)) {
    const present = now.revisions[name] ?? 0;
    if (present < number) return `the ${name} are of revision ${present}, after revision ${number}`;
  }
  return null;
}

export const isSame = (left: HistoryMarks, right: HistoryMarks): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
