import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import type { DegradedModes } from '../../infra/observability/degraded-modes.js';
import type { DependencyWatch } from '../../infra/health/dependency-watch.js';
import { SlowDatabase } from './slow-database.js';

/** URLs among these that are served at this database latency; null = it is not slow. */
function readable(databaseMs: number | null, urls: readonly string[]): string[] {
  const slow = new SlowDatabase(
    { has: () => databaseMs !== null } as unknown as DegradedModes,
    { databaseMs: databaseMs ?? 0 } as DependencyWatch,
  );
  return urls.filter((url) => {
    try {
      slow.assertMayRead(url);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toMatchObject({ code: 'database_unavailable', retryAfterMs: 5_000 });
      return false;
    }
  });
}

const URLS = [
  '/api/log/?p=1',
  '/api/log/self/stat',
  '/api/data/users',
  '/api/logged-out',
  '/api/channel/?p=0',
  '/api/operations/status',
  '/api/option/',
  '/api/user/self',
  '/api/status',
];

describe('what is given up while the database is slow [F-64]', () => {
  it('nothing while it is not', () => {
    expect(readable(null, URLS)).toEqual(URLS);
  });

  it('gives up reporting first', () => {
    expect(readable(700, URLS)).toEqual(URLS.slice(3));
  });

  it('gives up then what else the console shows, but for what an operator needs', () => {
    expect(readable(2_000, URLS)).toEqual(URLS.slice(5));
  });
});
