import { Injectable } from '@nestjs/common';

/** Rows that belong to one account. */
export type UserOwnedEntity = new () => { userId: number };

/**
 * Tables of other modules that hold what is personal about an account: they say so here when they start, and the rows go when the
 * personal fields of a deregistered account do.
 */
@Injectable()
export class PersonalDataTables {
  private readonly tables = new Set<UserOwnedEntity>();

  register(...tables: readonly UserOwnedEntity[]): void {
    for (const table of tables) this.tables.add(table);
  }

  list(): readonly UserOwnedEntity[] {
    return [...this.tables];
  }
}
