import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { OptionsService } from '../options/options.service.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { renderSql } from '../../infra/database/sql-store.js';
import { isTimeZone, UTC } from '../../common/time-zone.js';
import type { ZoneChange } from './calendar-periods.js';

/** Changes of the zone that are remembered. An older one ended its last period, a quarter at most, before. */
const REMEMBERED = 8;

/** A saved change of the option; null = it was not stored before. */
interface ZoneSave {
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly changedAtMs: number;
}

interface StoredChange {
  readonly old: string | null;
  readonly new: string | null;
  readonly at: number | string;
}

/** `LimitTimeZone` and its recent changes: a change holds from the next period. */
@Injectable()
export class LimitZones {
  private known: { readonly zone: string; readonly changes: readonly ZoneChange[] } | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly options: OptionsService,
  ) {}

  /** Oldest first, never empty. Read again only when the option has changed. Fails: with the database's error. */
  async changes(manager: EntityManager = this.dataSource.manager): Promise<readonly ZoneChange[]> {
    const { LimitTimeZone: zone } = this.options.values();
    if (this.known?.zone === zone) return this.known.changes;
    const sql = `SELECT "old_value" AS "old", "new_value" AS "new", "changed_at_ms" AS "at" FROM "option_changes"
       WHERE "key" = 'LimitTimeZone' ORDER BY "revision" DESC LIMIT ${REMEMBERED}`;
    const rows: StoredChange[] = await manager.query(renderSql(dialectOf(manager.dataSource), sql));
    const changes = zoneChanges(
      rows.map((row) => ({ oldValue: row.old, newValue: row.new, changedAtMs: Number(row.at) })).toReversed(),
      zone,
    );
    this.known = { zone, changes };
    return changes;
  }
}

/**
 * Zones in the order they were set.
 * @param rows  changes, oldest first
 * @param zone  the one in force
 */
export function zoneChanges(rows: readonly ZoneSave[], zone: string): readonly ZoneChange[] {
  const named = (text: string | null): string => (text !== null && isTimeZone(text) ? text : UTC);
  const [first] = rows;
  if (first === undefined) return [{ zone, fromMs: 0 }];
  const changes: ZoneChange[] = [{ zone: named(first.oldValue), fromMs: 0 }];
  for (const { newValue, changedAtMs } of rows) changes.push({ zone: named(newValue), fromMs: changedAtMs });
  // A zone that was set without a history holds at once.
  return changes.at(-1)?.zone === zone ? changes : [{ zone, fromMs: 0 }];
}
