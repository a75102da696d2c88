import { createHash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { ImportedRowEntity } from '../imported-row.entity.js';
import type { RowKind } from '../report.js';

export type Figures = Readonly<Record<string, number>>;

export interface JournalEntry {
  readonly targetId: number;
  readonly mark: string;
  readonly figures: Figures;
}

/** The rows an import has written so far, by kind and source id. */
export class Journal {
  private readonly entries = new Map<RowKind, Map<string, JournalEntry>>();

  private constructor(readonly importId: number) {}

  /** @param importId  0 = a dry run of a source that was never imported */
  static async open(dataSource: DataSource, importId: number): Promise<Journal> {
    const journal = new Journal(importId);
    if (importId === 0) return journal;
    const rows = await dataSource.getRepository(ImportedRowEntity).findBy({ importId });
    for (const row of rows)
      journal.of(row.kind as RowKind).set(row.sourceId, {
        targetId: row.targetId,
        mark: row.sourceMark,
        figures: row.figures === '' ? {} : (JSON.parse(row.figures) as Figures),
      });
    return journal;
  }

  /** Number here of a row of the source; undefined = it was not imported. */
  find(kind: RowKind, sourceId: string): JournalEntry | undefined {
    return this.of(kind).get(sourceId);
  }

  targetOf(kind: RowKind, sourceId: string): number | undefined {
    return this.of(kind).get(sourceId)?.targetId;
  }

  targets(kind: RowKind): readonly number[] {
    return [...this.of(kind).values()].map(({ targetId }) => targetId);
  }

  /** Sum of one figure over the rows of a kind. */
  sum(kind: RowKind, figure: string): bigint {
    let total = 0n;
    for (const { figures } of this.of(kind).values()) total += BigInt(figures[figure] ?? 0);
    return total;
  }

  /** Writes the entry of a row in the row's own transaction. `keep` puts it in force once that committed. */
  async record(manager: EntityManager, kind: RowKind, sourceId: string, entry: JournalEntry): Promise<void> {
    const rows = manager.getRepository(ImportedRowEntity);
    const columns = {
      targetId: entry.targetId,
      sourceMark: entry.mark,
      figures: Object.keys(entry.figures).length === 0 ? '' : JSON.stringify(entry.figures),
    };
    const known = this.find(kind, sourceId) !== undefined;
    const { importId } = this;
    if (known) await rows.update({ importId, kind, sourceId }, columns);
    else await rows.insert({ importId, kind, sourceId, ...columns });
  }

  keep(kind: RowKind, sourceId: string, entry: JournalEntry): void {
    this.of(kind).set(sourceId, entry);
  }

  private of(kind: RowKind): Map<string, JournalEntry> {
    const known = this.entries.get(kind) ?? new Map<string, JournalEntry>();
    this.entries.set(kind, known);
    return known;
  }
}

/** SHA-256 of a record without the members that are figures. */
export function markOf(record: Readonly<Record<string, unknown>>, figures: readonly string[]): string {
  const rest = Object.fromEntries(Object.entries(record).filter(([member]) => !figures.includes(member)));
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}
