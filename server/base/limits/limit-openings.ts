import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { isModelListed } from '../../relay-core/model/model-family.js';
import { oldestBucketAt, periodAt } from './calendar-periods.js';
import type { LimitDefinition } from './limit-definition.js';
import { LimitUseEntity } from './limit-use.entity.js';
import { LimitZones } from './limit-zones.js';
import { isOfLines, type OpeningLimit, openingStatement } from './opening-sql.js';

/** Use of a limit that is new, from the charges of its running period. */
interface OpeningUse {
  readonly value: string;
  readonly periodStartMs: number;
  readonly used: number;
  readonly calls: number;
}

/** A limit made in the middle of a period starts with what the books have for it. */
@Injectable()
export class LimitOpenings {
  constructor(
    private readonly zones: LimitZones,
    @InjectDataSource(LOG_DATA_SOURCE) private readonly logs: DataSource,
  ) {}

  /** Writes the opening use of a new limit, in the transaction that makes it. Fails: with the database's error. */
  async write(manager: EntityManager, limit: LimitDefinition, nowMs: number): Promise<void> {
    const rows = (await this.of(manager, limit, nowMs)).filter(({ used }) => used > 0);
    const uses = manager.getRepository(LimitUseEntity);
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
      await uses.insert(
        rows
          .slice(from, from + ROWS_PER_INSERT)
          .map((row) => ({ ...row, limitId: limit.id, kind: 'opening' as const })),
      );
  }

  /**
   * Charges of the running period by value and period or bucket: from the settlements, and for call groups, tags and end users from the usage
   * log. Running calls start at 0. Fails: with the database's error.
   */
  async of(manager: EntityManager, limit: OpeningLimit, nowMs: number): Promise<readonly OpeningUse[]> {
    const { scope, period, rolling, measure, model } = limit;
    if (period === '' || measure === 'in_flight') return [];
    const fromMs =
      rolling && period !== 'ever'
        ? oldestBucketAt(period, nowMs)
        : periodAt(period, nowMs, await this.zones.changes(manager)).startsAtMs;
    // Lines in the main database are read in the transaction: on SQLite it has the only connection.
    const reader = isOfLines(scope) && this.logs !== manager.dataSource ? this.logs.manager : manager;
    const statement = openingStatement(limit, fromMs, {
      dialect: dialectOf(reader.dataSource),
      hasLedger: reader === manager,
    });
    if (statement === undefined) return [];
    const rows: Record<string, unknown>[] = await reader.query(statement.sql, [...statement.parameters]);
    const sums = new Map<string, OpeningUse>();
    for (const row of rows) {
      if (model !== '' && !isModelListed(new Set([model]), String(row['model']))) continue;
      const value = row['value'] === null || row['value'] === undefined ? '' : String(row['value']);
      const periodStartMs = Number(row['start']);
      const key = JSON.stringify([value, periodStartMs]);
      const { used = 0, calls = 0 } = sums.get(key) ?? {};
      const total = { used: used + Number(row['used']), calls: calls + Number(row['calls']) };
      sums.set(key, { value, periodStartMs, ...total });
    }
    return [...sums.values()];
  }
}

const ROWS_PER_INSERT = 500;
