import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../config/env.js';
import { fixedDifferences } from './supervise-workers.js';

const RUNNING = {
  port: 3_000,
  host: '127.0.0.1',
  dataDir: './data',
  cryptoSecret: 'a',
  sessionSecret: 'b',
  logLevel: 'info',
} as Env;

describe('fixedDifferences', () => {
  it('names the variables old and new workers must agree on, and no others', () => {
    const next: Env = {
      ...RUNNING,
      port: 3_001,
      cryptoSecret: 'c',
      redisUrl: 'redis://r',
      logLevel: 'debug',
    };
    expect(fixedDifferences(RUNNING, next)).toEqual(['PORT', 'REDIS_URL', 'CRYPTO_SECRET']);
  });

  it('finds none in a copy', () => {
    expect(fixedDifferences(RUNNING, { ...RUNNING })).toEqual([]);
  });
});
