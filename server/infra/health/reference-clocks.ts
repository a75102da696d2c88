import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { nowExpression } from '../database/database-clock.js';
import { dialectOf } from '../database/dialect-of.js';
import { SharedStore, StoreUnavailableError } from '../shared-store/shared-store.js';

/** The clocks of the stores, milliseconds since 1970. */
@Injectable()
export class ReferenceClocks {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: SharedStore,
  ) {}

  /** Null = it is a file, which has no clock of its own. Fails: with the database's error. */
  async database(): Promise<number | null> {
    const dialect = dialectOf(this.dataSource);
    if (dialect === 'sqlite') return null;
    const rows = (await this.dataSource.query(`SELECT ${nowExpression(dialect)} AS moment`)) as {
      moment: string | number;
    }[];
    return Number(rows[0]?.moment);
  }

  /** Null = it has none, or is away. */
  sharedStore(): Promise<number | null> {
    return this.store.clockMs().catch((error: unknown) => {
      // Whoever watches the store tells that it is away.
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
  }
}
