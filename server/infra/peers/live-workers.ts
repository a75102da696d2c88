import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../config/env.js';
import { nowExpression } from '../database/database-clock.js';
import { dialectOf } from '../database/dialect-of.js';
import { renderSql } from '../database/sql-store.js';
import { BOOT_ID } from '../ids/boot-id.js';
import { Interval } from '../schedule/interval.js';

const CHECK_INTERVAL_MS = 5_000;
/** A worker that had no heartbeat for this long, by the database's clock, does not count. */
const LIFE_MS = 60_000;

/**
 * Number of workers on all instances, and the position of this one. Limits are shared out by them while the shared store is away:
 * as of the last reading, when the database is away as well.
 */
@Injectable()
export class LiveWorkers implements OnApplicationBootstrap {
  private readonly logger = new Logger('Peers');
  private size = 1;
  private place = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly env: Env,
    @Inject(BOOT_ID) private readonly bootId: string,
  ) {}

  /** Workers alive, this one among them; at least 1. */
  get count(): number {
    return this.size;
  }

  /** Share of this worker in a limit of all. The shares of one key add up to the limit, and every key deals them out anew. */
  shareOf(limit: number, key: string): number {
    if (this.size === 1) return limit;
    const turn = (this.place + hashOf(key)) % this.size;
    return Math.floor(limit / this.size) + (turn < limit % this.size ? 1 : 0);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.follow();
  }

  /** Looks who is there. Fails: when the database is away. */
  async look(): Promise<void> {
    const dialect = dialectOf(this.dataSource);
    const sql = `SELECT "boot_id" AS "boot_id" FROM "instances" WHERE "last_seen_ms" > ${nowExpression(dialect)} - ${LIFE_MS} ORDER BY "boot_id"`;
    const rows: readonly { readonly boot_id: string }[] = await this.dataSource.query(
      renderSql(dialect, sql),
    );
    const others = rows.map((row) => row.boot_id).filter((id) => id !== this.bootId);
    this.size = others.length + 1;
    this.place = others.filter((id) => id < this.bootId).length;
  }

  @Interval('live-workers', CHECK_INTERVAL_MS)
  async follow(): Promise<void> {
    // Without Redis there is one process, and its limits are its own.
    if (this.env.redisUrl === undefined) return;
    try {
      await this.look();
    } catch (error) {
      // The last reading stays in force: its workers are likely to be there still.
      this.logger.debug(`the other workers could not be looked for: ${String(error)}`);
    }
  }
}

function hashOf(key: string): number {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (hash * 31 + key.charCodeAt(index)) >>> 0;
  return hash;
}
