import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { DependencyWatch } from '../../infra/health/dependency-watch.js';

/** Answers that take this long leave no room for the console beside the relay. */
const VERY_SLOW_MS = 1_500;
const RETRY_AFTER_MS = 5_000;

/** Questions over many rows. */
const REPORTING = ['/api/log', '/api/data', '/api/pricing/preview', '/api/audit', '/api/user/topup'];
/** Needed to operate a gateway in trouble. */
const NEEDED = [
  '/api/status',
  '/api/setup',
  '/api/user/self',
  '/api/user/login',
  '/api/option',
  '/api/operations',
];

/**
 * Sheds load while the database is slow: reports first, then reads of the console; never changes, and never the relay, which has
 * deadlines of its own. Shed requests do not take a place in the queue calls wait in.
 */
@Injectable()
export class SlowDatabase {
  constructor(
    private readonly modes: DegradedModes,
    private readonly watch: DependencyWatch,
  ) {}

  /** Slow or away: what can do without it does. */
  get isDegraded(): boolean {
    return this.modes.has('database-slow') || this.modes.has('database-away');
  }

  /** @param url  as it stands in the request line. Fails: DomainError `database_unavailable`. */
  assertMayRead(url: string): void {
    if (!this.modes.has('database-slow')) return;
    const path = url.split('?', 1)[0] ?? '';
    const isShed =
      hasPrefix(path, REPORTING) || (this.watch.databaseMs > VERY_SLOW_MS && !hasPrefix(path, NEEDED));
    if (isShed) throw new DomainError('database_unavailable', {}, RETRY_AFTER_MS);
  }
}

const hasPrefix = (path: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
