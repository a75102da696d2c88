import { Injectable } from '@nestjs/common';

/** Rows that belong to one account. */
export type OwnedRow = new () => { userId: number };

/**
 * Tables of other modules that hold what is personal about an account: they say so here when they start, and the rows go when the
 * personal fields of a deregistered account do.
 */
@Injectable()
export class PersonalRecords {
  private readonly tables = new Set<OwnedRow>();

  register(...tables: readonly OwnedRow[]): void {
    for (const table of tables) this.tables.add(table);
  }

  list(): readonly OwnedRow[] {
    return [...this.tables];
  }
}
