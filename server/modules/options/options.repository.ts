import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { OptionChangeEntity, OptionEntity } from './option.entity.js';

/** A stored change, before it is written. Old and new text are null for secrets. */
export interface OptionChange {
  readonly key: string;
  /** Text for the options table: sealed for secrets. */
  readonly stored: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

/** Identifies a state of the options table; any committed change gives another one. */
export interface OptionsVersion {
  readonly revision: number;
  readonly changes: number;
}

@Injectable()
export class OptionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async all(): Promise<Map<string, string>> {
    const rows = await this.dataSource.getRepository(OptionEntity).find();
    return new Map(rows.map((row) => [row.key, row.value]));
  }

  /** The count is part of it because two instances may commit their revisions in the other order. */
  async version(): Promise<OptionsVersion> {
    const row = await this.dataSource
      .getRepository(OptionChangeEntity)
      .createQueryBuilder('change')
      .select('MAX(change.revision)', 'revision')
      .addSelect('COUNT(*)', 'changes')
      .getRawOne<{ revision: string | number | null; changes: string | number }>();
    return { revision: Number(row?.revision ?? 0), changes: Number(row?.changes ?? 0) };
  }

  /** Options and their history in one transaction. */
  async write(changes: readonly OptionChange[], actorId: number, nowMs: number): Promise<void> {
    await runInTransaction(this.dataSource, (manager) => this.writeWith(manager, changes, actorId, nowMs));
  }

  /** As `write`, inside the caller's transaction. */
  async writeWith(
    manager: EntityManager,
    changes: readonly OptionChange[],
    actorId: number,
    nowMs: number,
  ): Promise<void> {
    await manager.getRepository(OptionEntity).upsert(
      changes.map(({ key, stored }) => ({ key, value: stored })),
      ['key'],
    );
    await manager.getRepository(OptionChangeEntity).insert(
      changes.map(({ key, oldValue, newValue }) => ({
        key,
        oldValue,
        newValue,
        actorId,
        changedAtMs: nowMs,
      })),
    );
  }

  /** The latest changes, newest first. */
  async history(limit: number): Promise<OptionChangeEntity[]> {
    return this.dataSource
      .getRepository(OptionChangeEntity)
      .find({ order: { revision: 'DESC' }, take: limit });
  }
}
