import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { createTestDatabase } from '../../../support/database.js';
import { startRedis, testRedisUrl } from '../../../support/redis.js';

describe('test servers', () => {
  it('gives a MariaDB database of its own', async () => {
    const database = await createTestDatabase('mariadb');
    const connection = await createConnection(database.url.replace('mariadb:', 'mysql:'));
    const [rows] = await connection.query('SELECT DATABASE() AS name, VERSION() AS version');
    await connection.end();
    await database.drop();
    expect(rows).toEqual([
      { name: database.url.split('/').at(-1), version: expect.stringContaining('MariaDB') },
    ]);
  });

  it('gives a PostgreSQL database of its own', async () => {
    const database = await createTestDatabase('postgres');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT current_database() AS name');
    await client.end();
    await database.drop();
    expect(rows).toEqual([{ name: database.url.split('/').at(-1) }]);
  });

  it('gives every caller another Redis database', async () => {
    const first = testRedisUrl();
    const second = testRedisUrl();
    expect(first).not.toBe(second);
    const client = new Redis(second);
    expect(await client.dbsize()).toBe(0);
    await client.quit();
  });

  it('kills and restarts a Redis of its own, which comes back empty', async () => {
    const redis = await startRedis();
    const before = new Redis(redis.url, { retryStrategy: () => null });
    before.on('error', () => undefined);
    await before.set('key', 'value');
    await redis.restart();
    const after = new Redis(redis.url);
    expect(await after.get('key')).toBeNull();
    before.disconnect();
    await after.quit();
    await redis.stop();
  });
});
