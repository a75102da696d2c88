import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../config/env.js';
import { type ConnectionListener, connectionChangesOf } from '../database/connection-changes.js';
import { installationId } from '../database/installation-id.js';
import { ReplacedDatabaseFile } from './replaced-database-file.js';
import { findLoss, type HistoryState, readHistory, type SeenHistory } from './history-state.js';

/** History of the database, as its rows show it. All methods fail with the database's error. */
@Injectable()
export class DatabaseHistory {
  private readonly file: ReplacedDatabaseFile;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    env: Env,
  ) {
    this.file = new ReplacedDatabaseFile(env.databaseUrl);
  }

  installation(): Promise<string> {
    return installationId(this.dataSource);
  }

  read(): Promise<HistoryState> {
    return readHistory(this.dataSource);
  }

  /** @returns a sentence about what is missing of `seen`; null = nothing */
  async lossOf(seen: SeenHistory | undefined, now: HistoryState): Promise<string | null> {
    return seen === undefined ? null : findLoss(this.dataSource, seen, now);
  }

  /** Notifies of new and closed connections; never for SQLite, which has one for the life of the process. */
  onConnectionChange(listener: ConnectionListener): void {
    connectionChangesOf(this.dataSource)?.listen(listener);
  }

  /** @returns a sentence about another file in the place of the one that is open; null = it is the same */
  exchange(): string | null {
    return this.file.look();
  }
}
