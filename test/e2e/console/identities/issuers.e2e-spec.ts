import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ROOT_ACCOUNT } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import type { Browser } from './browser.ts';
import { callbackOf, type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';
import { CLIENT, LINUX_DO_SCRIPT, ScriptedOAuth } from './scripted-oauth.ts';

const member = (id: number) => ({
  id,
  username: `member${id}`,
  name: `Member ${id}`,
  active: true,
  silenced: false,
  trust_level: 2,
});

describe.each(DATABASE_KINDS)('issuers of identities on %s', (kind) => {
  let database: TestDatabase;
  let fixture: IdentityFixture;
  let other: ScriptedOAuth;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    fixture = await startIdentityFixture({ env: { DATABASE_URL: database.url } });
    other = await new ScriptedOAuth(LINUX_DO_SCRIPT).start();
  });
  afterAll(async () => {
    await fixture.close();
    await other.stop();
    await database.drop();
  });

  const moveTo = (address: string) =>
    fixture.root.put('/api/option/', [
      { key: 'LinuxDOServerAddress', value: address },
      { key: 'LinuxDOClientSecret', value: CLIENT.secret },
    ]);
  const pass = async (provider: ScriptedOAuth, id: number, browser: Browser = fixture.browser()) => {
    const intent = browser.userId === -1 ? 'login' : 'bind';
    const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'linuxdo',
      intent,
    });
    const reply = await browser.get(callbackOf('linuxdo', provider.agree(url, member(id))));
    return reply.body.data as { id: number } | undefined;
  };
  const bindTo = async (provider: ScriptedOAuth, id: number): Promise<void> => {
    const browser = fixture.browser();
    browser.enter(await browser.post('/api/user/login', ROOT_ACCOUNT));
    await pass(provider, id, browser);
  };
  const rootRow = () =>
    fixture.app.dataSource.getRepository(UserEntity).findOneByOrFail({ id: fixture.root.userId });

  it('does not open an account, root included, to the same subject of another issuer [OAUTH-03]', async () => {
    await bindTo(fixture.linuxdo, 1);
    expect(await pass(fixture.linuxdo, 1)).toMatchObject({ id: fixture.root.userId });
    const second = await pass(fixture.linuxdo, 2);
    expect(await rootRow()).toMatchObject({ linuxDoId: '1', linuxDoIssuer: fixture.linuxdo.address });

    expect((await moveTo(other.address)).body).toMatchObject({
      success: true,
      message: 'Accounts that have to bind their identity anew, since its issuer is another one: Linux DO: 2',
      lost_bindings: [{ provider: 'linuxdo', accounts: 2 }],
    });
    expect(await fixture.root.expectSuccess('GET', '/api/user/self')).toMatchObject({ linux_do_id: '' });
    const stranger = await pass(other, 1);
    expect(stranger?.id).not.toBe(fixture.root.userId);
    expect(await rootRow()).toMatchObject({ linuxDoId: null, linuxDoIssuer: null });
    const [event] = await fixture.app.dataSource.getRepository(AuditEventEntity).find({
      where: { action: 'identity.unbind', targetId: String(fixture.root.userId) },
    });
    expect(JSON.parse(event?.detail ?? '')).toEqual({ by: 'another issuer', provider: 'linuxdo' });

    await bindTo(other, 3);
    expect(await pass(other, 3)).toMatchObject({ id: fixture.root.userId });
    await moveTo(fixture.linuxdo.address);
    // An identity that was not bound anew opens its account again.
    expect(await pass(fixture.linuxdo, 2)).toMatchObject({ id: second?.id });
    expect((await pass(fixture.linuxdo, 3))?.id).not.toBe(fixture.root.userId);
  });

  it('fills identities without an issuer before the address changes', async () => {
    const person = await pass(fixture.linuxdo, 20);
    const users = fixture.app.dataSource.getRepository(UserEntity);
    // A version before this one bound it.
    await users.update({ id: person?.id ?? 0 }, { linuxDoIssuer: null });
    expect(await pass(fixture.linuxdo, 20)).toEqual(expect.objectContaining({ id: person?.id }));
    await moveTo(other.address);
    expect((await pass(other, 20))?.id).not.toBe(person?.id);
    await moveTo(fixture.linuxdo.address);
  });

  it('does not change an address by which alone root comes in', async () => {
    await bindTo(fixture.linuxdo, 30);
    await fixture.root.expectSuccess('PUT', '/api/option/', { key: 'PasswordLoginEnabled', value: false });
    expect((await moveTo(other.address)).body.code).toBe('option_last_login_way');
    await fixture.root.expectSuccess('PUT', '/api/option/', { key: 'PasswordLoginEnabled', value: true });
  });
});
