import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { type AppParts, assembleApp } from '../../server/build-app.js';
import { type Env, readEnv } from '../../server/config/env.js';
import { SystemClock } from '../../server/infra/clock/system-clock.js';
import { CLOCK_INTERVALS } from '../../server/infra/health/clock-watch.js';
import { PasswordHasher } from '../../server/base/auth/password.js';
import { ApiClient } from './api-client.ts';

export interface TestApp {
  /** Base address without a trailing slash. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly env: Env;
  readonly dataSource: DataSource;
  readonly accessTable: ReturnType<Awaited<ReturnType<typeof assembleApp>>['accessTable']>;
  /** Stops the app as SIGTERM would and removes its folder. */
  close(): Promise<void>;
}

/** Environment variables of the app under test, and parts to replace. */
export interface TestAppOptions extends AppParts {
  readonly env?: Readonly<Record<string, string>>;
  /** Passwords are hashed at the price they really have; else at a hundredth of it, since most tests only want to come in. */
  readonly slowPasswords?: boolean;
}

const QUICK_HASH = { algorithm: 2, memoryCost: 1_024, timeCost: 1, parallelism: 1 };

/**
 * The real application on a free loopback port: SQLite in a folder of its own unless `env.DATABASE_URL` says otherwise, no rate
 * limit on the console API unless `env.GLOBAL_API_RATE_LIMIT` sets one.
 */
export async function startTestApp(wanted: TestAppOptions = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-app-'));
  const { env: variables = {}, slowPasswords = false, ...parts } = wanted;
  const env = readEnv({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    GLOBAL_API_RATE_LIMIT: '0',
    SESSION_SECRET: 's'.repeat(32),
    CRYPTO_SECRET: 'c'.repeat(32),
    DRAIN_TIMEOUT_SECONDS: '2',
    // A thread would have to load the sources once more.
    BOOKING_THREAD: 'false',
    ...variables,
  });
  const { app, accessTable } = await assembleApp(env, parts);
  if (!slowPasswords) {
    const hasher = app.get(PasswordHasher, { strict: false });
    if (!Reflect.set(hasher, 'cost', QUICK_HASH)) throw new Error('passwords keep their price');
  }
  await app.listen(0, '127.0.0.1');
  if (parts.clock !== undefined) {
    const registry = app.get(SchedulerRegistry, { strict: false });
    // A clock of the test's own leaps: the difference measured at the start stays, or the next minute would take the leap back.
    // When no time passes by itself, nothing is due by itself.
    const names = parts.clock instanceof SystemClock ? CLOCK_INTERVALS : registry.getIntervals();
    for (const name of names) registry.deleteInterval(name);
  }
  const address = app.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('the app does not listen on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    app,
    env,
    dataSource: app.get(DataSource),
    accessTable: accessTable(),
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const ROOT_ACCOUNT = { username: 'root', password: 'correct horse battery' } as const;

/**
 * Posts /api/setup in external mode and signs the root in.
 * @param app  a started app, or its address
 */
export async function setUpRoot(app: Pick<TestApp, 'url'>): Promise<ApiClient> {
  const guest = new ApiClient(app.url);
  const { username, password } = ROOT_ACCOUNT;
  await guest.expectSuccess('POST', '/api/setup', { username, password, confirmPassword: password });
  return ApiClient.signIn(app.url, username, password);
}

/** An account made by an administrator, signed in. */
export async function signUp(
  admin: ApiClient,
  account: { readonly username: string; readonly password?: string; readonly role?: 'admin' },
): Promise<ApiClient> {
  const password = account.password ?? 'password-of-a-test';
  await admin.expectSuccess('POST', '/api/user/', { username: account.username, password });
  const client = await ApiClient.signIn(admin.baseUrl, account.username, password);
  if (account.role === undefined) return client;
  await admin.expectSuccess('POST', '/api/user/manage', { id: client.userId, action: 'promote' });
  return ApiClient.signIn(admin.baseUrl, account.username, password);
}
