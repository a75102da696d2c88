import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { LimitShares } from './limit-shares.js';
import { SharedStore, type SharedWindows, type WindowVerdict } from '../shared-store/shared-store.js';
import { SqlWindows } from './sql-windows.js';

/** Limit of a rate. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
  /** Asked by every request: too often for the database, so that each worker admits its share while the store is away. */
  readonly isFrequent?: boolean;
}

/**
 * Counts of the console API, the same for all instances. While the shared store is away the database counts: login, code and
 * redemption limits never fall back to "each for itself". With neither, each worker admits its share.
 */
@Injectable()
export class RateLimiter {
  private readonly logger = new Logger('Throttle');
  private readonly sql: SharedWindows;
  private isDegraded = false;

  constructor(
    private readonly store: SharedStore,
    private readonly shares: LimitShares,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.sql = new SqlWindows(dataSource);
  }

  /** Fails: DomainError `too_many_requests` with the time to wait. */
  async admit(key: string, rate: Rate): Promise<void> {
    const verdict = await this.ask(key, rate);
    if (!verdict.admitted) throw new DomainError('too_many_requests', {}, verdict.retryAfterMs);
  }

  ask(key: string, { limit, windowMs, isFrequent = false }: Rate): Promise<WindowVerdict> {
    return this.on(
      (windows) => windows.admit(key, limit, windowMs),
      () => this.shares.ask(key, limit, windowMs),
      isFrequent,
    );
  }

  count(key: string, windowMs: number): Promise<number> {
    return this.on(
      (windows) => windows.count(key, windowMs),
      () => this.shares.count(key, windowMs),
    );
  }

  record(key: string, windowMs: number): Promise<void> {
    return this.on(
      (windows) => windows.record(key, windowMs),
      () => this.shares.record(key, windowMs),
    );
  }

  reset(key: string): Promise<void> {
    return this.on(
      (windows) => windows.reset(key),
      () => this.shares.reset(key),
    );
  }

  private async on<T>(
    operation: (windows: SharedWindows) => Promise<T>,
    byShare: () => T | Promise<T>,
    isFrequent = false,
  ): Promise<T> {
    if (this.store.isAvailable) {
      try {
        const result = await operation(this.store.windows);
        this.isDegraded = false;
        return result;
      } catch (error) {
        this.degrade('the shared store', error);
      }
    }
    if (isFrequent) return byShare();
    try {
      return await operation(this.sql);
    } catch (error) {
      this.degrade('the database', error);
      return byShare();
    }
  }

  private degrade(what: string, error: unknown): void {
    if (!this.isDegraded) this.logger.warn(`limits are not counted by ${what} for now: ${String(error)}`);
    this.isDegraded = true;
  }
}
