import { randomBytes } from 'node:crypto';
import { PasswordHasher } from '../../../server/base/auth/password.js';
import { SessionsService } from '../../../server/base/auth/sessions.service.js';
import { AccountCreation } from '../../../server/base/users/account-creation.service.js';
import { UserEntity } from '../../../server/base/users/user.entity.js';
import { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';

/** Callers, in ascending order of rights. `other` and `peer` are second accounts of the same role. */
export const CALLERS = ['guest', 'user', 'other', 'admin', 'peer', 'root'] as const;
export type Caller = (typeof CALLERS)[number];
export type Somebody = Exclude<Caller, 'guest'>;
export const SOMEBODY = CALLERS.filter((caller): caller is Somebody => caller !== 'guest');

export const ROLE_OF: Readonly<Record<Caller, number>> = {
  guest: 0,
  user: 1,
  other: 1,
  admin: 10,
  peer: 10,
  root: 100,
};

/** The application with one account per caller; sessions are made at will. */
export interface CallersFixture {
  readonly app: TestApp;
  readonly ids: Readonly<Record<Somebody, number>>;
  /** A browser of the caller, in a session of its own. */
  client(caller: Caller): Promise<ApiClient>;
  /** A new account of a role. @returns its id */
  makeAccount(role: number): Promise<number>;
  row(id: number): Promise<UserEntity>;
}

/** @param env  further variables of the application */
export async function startCallers(env: Readonly<Record<string, string>> = {}): Promise<CallersFixture> {
  const app = await startTestApp({ env: { LOG_LEVEL: 'fatal', ...env } });
  const root = await setUpRoot(app);
  const accounts = app.app.get(AccountCreation, { strict: false });
  const sessions = app.app.get(SessionsService, { strict: false });
  const users = app.dataSource.getRepository(UserEntity);
  // One for all: who has a password needs it to change it.
  const passwordHash = await app.app.get(PasswordHasher, { strict: false }).hash('password-of-a-test');
  const makeAccount = async (
    role: number,
    name = `made_${randomBytes(6).toString('hex')}`,
  ): Promise<number> => {
    const id = await accounts.create({
      username: name,
      displayName: name.slice(0, 20),
      passwordHash,
      role: 1,
      actorId: 0,
    });
    if (role !== 1) await users.update({ id }, { role });
    return id;
  };
  const ids: Record<Somebody, number> = { user: 0, other: 0, admin: 0, peer: 0, root: root.userId };
  for (const caller of SOMEBODY)
    if (caller !== 'root') ids[caller] = await makeAccount(ROLE_OF[caller], `the.${caller}`);
  return {
    app,
    ids,
    makeAccount: (role) => makeAccount(role),
    row: (id) => users.findOneByOrFail({ id }),
    client: async (caller) => {
      const client = new ApiClient(app.url);
      if (caller === 'guest') return client;
      const user = await users.findOneByOrFail({ id: ids[caller] });
      const { id } = await sessions.open(user, { ip: '127.0.0.1', userAgent: 'matrix', way: 'password' });
      client.userId = user.id;
      client.headers['cookie'] =
        `session=${encodeURIComponent(app.app.getHttpAdapter().getInstance().signCookie(id))}`;
      client.headers['New-Api-User'] = String(user.id);
      return client;
    },
  };
}
