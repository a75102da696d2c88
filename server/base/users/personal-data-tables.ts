import { Injectable } from '@nestjs/common';

/** Rows that belong to one account. */
export type UserOwnedEntity = new () => { userId: number };

/**
 * Tables of other modules that hold what is personal about an account: they register here when they start, and the rows go when the
 * personal fields of a deregistered account do.
 */
@Injectable()
export class PersonalDataTables {
  private readonly tables = new Set<UserOwnedEntity>();
  private readonly elsewhere: ((userId: number) => Promise<void>)[] = [];

  register(...tables: readonly UserOwnedEntity[]): void {
    for (const table of tables) this.tables.add(table);
  }

  /** @param clear  clears what another database may hold about an account; a second time changes nothing */
  registerElsewhere(clear: (userId: number) => Promise<void>): void {
    this.elsewhere.push(clear);
  }

  /** Outside of transactions. Fails: with the database's error. */
  async clearElsewhere(userId: number): Promise<void> {
    for (const clear of this.elsewhere) await clear(userId);
  }

  list(): readonly UserOwnedEntity[] {
    return [...this.tables];
  }
}
