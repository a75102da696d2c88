import { ApiClient, type ApiReply } from '../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type MailServer, mailOptions, startMailServer } from '../../support/mail-server.ts';
import { testRedisUrl } from '../../support/redis.ts';
import type { ShiftedClock } from '../../support/shifted-clock.ts';

export const PASSWORD = 'password-of-a-test';

/** Where codes, links and accounts are kept. */
export const STORAGES = ['SQLite, in one process', 'Redis and MariaDB'] as const;
export type Storage = (typeof STORAGES)[number];

export interface AccountsFixture {
  readonly app: TestApp;
  readonly root: ApiClient;
  readonly mail: MailServer;
  readonly clock: FakeClock | ShiftedClock;
  set(...changes: { key: string; value: unknown }[]): Promise<void>;
  /** A guest behind an address of its own, so that limits per address do not meet. */
  guest(): ApiClient;
  /** As a page would ask; `client` is a guest of its own unless one is given. */
  askCode(email: string, options?: { client?: ApiClient; purpose?: string }): Promise<ApiReply>;
  /** The code of the newest letter to an address. */
  codeTo(email: string, count?: number): Promise<string>;
  close(): Promise<void>;
}

/**
 * A gateway with a mail server, a root and a clock of the test's own.
 * @param clock  one that leaps weeks does not run all timers in between (ShiftedClock)
 */
export async function startAccounts(
  storage: Storage = STORAGES[0],
  env: Readonly<Record<string, string>> = {},
  // Redis has its own time: windows there do not follow the test's clock, so it begins at the real one.
  clock: AccountsFixture['clock'] = new FakeClock(Date.now()),
): Promise<AccountsFixture> {
  const mail = await startMailServer();
  let database: TestDatabase | undefined;
  const variables: Record<string, string> = {
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    SERVER_ADDRESS: 'https://gate.example',
    TRUST_PROXY: 'loopback',
    ...env,
  };
  if (storage === 'Redis and MariaDB') {
    database = await createTestDatabase('mariadb');
    variables['DATABASE_URL'] = database.url;
    variables['REDIS_URL'] ??= testRedisUrl();
  }
  const app = await startTestApp({ env: variables, ...(database === undefined ? { clock } : {}) });
  const root = await setUpRoot(app);
  const set = async (...changes: { key: string; value: unknown }[]): Promise<void> => {
    await root.expectSuccess('PUT', '/api/option/', changes);
  };
  await set(...mailOptions(mail));
  let guests = 0;
  const guest = (): ApiClient => {
    const client = new ApiClient(app.url);
    guests += 1;
    client.headers['x-forwarded-for'] = `203.0.${Math.floor(guests / 250)}.${1 + (guests % 250)}`;
    return client;
  };
  return {
    app,
    root,
    mail,
    clock,
    set,
    guest,
    askCode: (email, { client = guest(), purpose = '' } = {}) =>
      client.get(`/api/verification?${new URLSearchParams({ email, purpose, turnstile: '' }).toString()}`),
    codeTo: async (email, count) => {
      const { text } = await mail.letterTo(email, count);
      const code = /^ {4}([2-9A-HJ-NP-Z]{6})$/m.exec(text)?.[1];
      if (code === undefined) throw new Error(`no code in the letter to ${email}:\n${text}`);
      return code;
    },
    close: async () => {
      await app.close();
      await mail.close();
      await database?.drop();
    },
  };
}
