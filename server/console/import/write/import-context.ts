import { type Sentence, sentence, SentenceError } from '../../../common/import-sentences/sentence.js';
import type { DataSource, EntityManager } from 'typeorm';
import { bumpRevision } from '../../../infra/events/bump-revision.js';
import { JobOvertakenError } from '../../../infra/schedule/job-run.js';
import { isConnectionLost, runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { SecretBox } from '../../../infra/crypto/secret-box.js';
import type { PasswordHasher } from '../../../base/auth/password.js';
import type { Origin } from '../../../base/billing/opening/opening-money.js';
import type { TokenKeys } from '../../../gateway/tokens/token-keys.js';
import type { RedemptionKeys } from '../../redemptions/redemption-keys.js';
import type { NoteKind, SourceNote } from '../source/records.js';
import { emptyCounts, type RowCounts, type RowKind } from '../report.js';
import type { Journal, JournalEntry } from './journal.js';

/** Services that the writers of an import share. */
export interface ImportTools {
  readonly dataSource: DataSource;
  readonly secrets: SecretBox;
  readonly tokenKeys: TokenKeys;
  readonly redemptionKeys: RedemptionKeys;
  readonly hasher: PasswordHasher;
}

export interface ImportSettings {
  readonly isDryRun: boolean;
  readonly keepsNumbers: boolean;
  /** `rename`: an account whose name is taken gets another one; `skip`: it is left out. */
  readonly conflicts: 'skip' | 'rename';
  readonly takesOverRoot: boolean;
  readonly product: string;
  readonly run: number;
  readonly actorId: number;
  readonly nowMs: number;
}

/** The import was stopped by a person; what is written stays, and a further run goes on. */
export class ImportStopped extends SentenceError {}

/** Fails: JobOvertakenError when another run has begun. */
export type TransactionGuard = (manager: EntityManager) => Promise<void>;

/** A row that is ready to be written. */
export interface PreparedRow {
  readonly sourceId: string;
  /** Writes the row and returns its journal entry. */
  readonly write: (manager: EntityManager) => Promise<JournalEntry>;
}

/** Rows of one transaction: well under 200 ms on SQLite, where nothing else is written meanwhile. */
const ROWS_PER_TRANSACTION = 20;

/** One run of an import: its journal, its counts, its notes, and the transactions it writes in. */
export class ImportContext {
  readonly counts: Record<RowKind, RowCounts> = {
    user: emptyCounts(),
    token: emptyCounts(),
    channel: emptyCounts(),
    code: emptyCounts(),
    order: emptyCounts(),
    limit: emptyCounts(),
    drawing: emptyCounts(),
    task: emptyCounts(),
  };
  readonly numbers: { kind: RowKind; from: string; to: number }[] = [];
  readonly notes: SourceNote[] = [];
  /** Numbers of accounts of the transaction that is being written. */
  readonly drafts = new Map<string, number>();

  constructor(
    readonly tools: ImportTools,
    readonly settings: ImportSettings,
    readonly journal: Journal,
    /** Called after each transaction. Fails: ImportStopped. */
    private readonly onProgress: (kind: RowKind, counts: RowCounts) => Promise<void>,
    /** First in each transaction: no other run writes meanwhile. */
    private readonly guard: TransactionGuard,
  ) {}

  note(kind: NoteKind, table: string, id: string, text: Sentence): void {
    this.notes.push({ kind, table, id, sentence: text });
  }

  /** @param ref  of a movement, which happens once per run */
  origin(kind: RowKind, targetId: number): Origin {
    const { run, actorId, nowMs, product } = this.settings;
    return {
      importId: this.journal.importId,
      ref: `import:${this.journal.importId}:${kind}:${targetId}:${run}`,
      reason: `imported from ${product}`,
      actorId,
      nowMs,
    };
  }

  /** Records that a row got another number than it had. */
  noteNumber(kind: RowKind, from: number | null, sourceId: string, to: number): void {
    if (from !== null && from !== to) this.numbers.push({ kind, from: sourceId, to });
  }

  /**
   * Writes rows in small transactions. A row that the database refuses becomes a note; the others of its transaction are written
   * one by one.
   * @returns source ids of the rows that were written
   */
  async writeAll(kind: RowKind, table: string, rows: readonly PreparedRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
      const portion = rows.slice(from, from + ROWS_PER_TRANSACTION);
      if (!(await this.tryWrite(kind, portion)))
        for (const row of portion) await this.writeOne(kind, table, row);
      this.drafts.clear();
      await this.onProgress(kind, this.counts[kind]);
    }
  }

  private async tryWrite(kind: RowKind, rows: readonly PreparedRow[]): Promise<boolean> {
    try {
      await this.writeTogether(kind, rows);
      return true;
    } catch (error) {
      if (isFatal(error)) throw error;
      return false;
    }
  }

  private async writeOne(kind: RowKind, table: string, row: PreparedRow): Promise<void> {
    this.drafts.clear();
    try {
      await this.writeTogether(kind, [row]);
    } catch (error) {
      if (isFatal(error)) throw error;
      this.counts[kind].leftOut += 1;
      const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
      this.note('damaged', table, row.sourceId, sentence('row_not_stored', { reason }));
    }
  }

  private async writeTogether(kind: RowKind, rows: readonly PreparedRow[]): Promise<void> {
    const { dataSource } = this.tools;
    const entries = await runInTransaction(dataSource, async (manager) => {
      await this.guard(manager);
      const written: JournalEntry[] = [];
      if (kind === 'token' || kind === 'channel') await bumpRevision(manager, 'imports');
      for (const row of rows) {
        const entry = await row.write(manager);
        await this.journal.record(manager, kind, row.sourceId, entry);
        written.push(entry);
      }
      return written;
    });
    for (const [index, entry] of entries.entries()) {
      const { sourceId } = rows[index] ?? { sourceId: '' };
      if (this.journal.find(kind, sourceId) === undefined) this.counts[kind].added += 1;
      this.journal.keep(kind, sourceId, entry);
    }
  }
}

const FULL_DISK = new Set([
  'SQLITE_FULL',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  '53100',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
]);

/** The database is away or full: no other row would fare better. */
export function isFatal(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return (
    isConnectionLost(error) ||
    error instanceof ImportStopped ||
    error instanceof JobOvertakenError ||
    (typeof code === 'string' && FULL_DISK.has(code))
  );
}
