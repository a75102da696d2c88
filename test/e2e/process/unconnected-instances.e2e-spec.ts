import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import { startTestApp, type TestApp } from '../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
const apps: TestApp[] = [];

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await database.drop();
});

async function start(): Promise<string> {
  const lines: string[] = [];
  const note = (message: unknown): void => void lines.push(String(message));
  const logger: LoggerService = { log: note, warn: note, error: note };
  apps.push(await startTestApp({ env: { DATABASE_URL: database.url }, logger }));
  return lines.join('\n');
}

it('warns two instances on one database without a shared store', async () => {
  expect(await start()).not.toContain('REDIS_URL');
  expect(await start()).toMatch(
    /another instance, on \S+, works on this database, and REDIS_URL is not set: limits/,
  );
});
