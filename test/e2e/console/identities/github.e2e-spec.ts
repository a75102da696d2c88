import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { signUp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';
import type { Browser } from './browser.ts';
import { callbackOf, type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';

let lastId = 1_000;
/** A GitHub account without an account here. */
const aPerson = (
  more: object = {},
): { readonly id: number; readonly login: string; readonly name: string } => {
  lastId += 1;
  return { id: lastId, login: `octo-${lastId}`, name: `Octo ${lastId}`, ...more };
};

describe.each(DATABASE_KINDS)('GitHub on %s', (kind) => {
  let fixture: IdentityFixture;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    fixture = await startIdentityFixture({ env: { DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await fixture.close();
    await dropDatabase();
  });

  const users = () => fixture.app.dataSource.getRepository(UserEntity);
  const holderOf = (person: { readonly id: number }) => users().findOneBy({ githubId: String(person.id) });
  const signedIn = async (username: string): Promise<Browser> => {
    await signUp(fixture.root, { username });
    return fixture.browser().signIn(username);
  };

  it('takes a state once, in the browser that has it, for its provider only [OAUTH-01]', async () => {
    const person = aPerson();
    const browser = fixture.browser();
    const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
    });
    const granted = fixture.github.agree(url, person);
    for (const [who, path] of [
      [fixture.browser(), callbackOf('github', granted)],
      [browser, callbackOf('github', { ...granted, state: '' })],
      [browser, callbackOf('github', { ...granted, state: 'guessed' })],
    ] as const) {
      const reply = await who.get(path);
      expect([reply.status, reply.body.code]).toEqual([403, 'identity_state_invalid']);
    }
    // The first of them had the right state and the wrong browser: it is used up.
    expect((await browser.get(callbackOf('github', granted))).body.code).toBe('identity_state_invalid');
    const mixed = await browser.expectSuccess<{ url: string; state: string }>('POST', '/api/oauth/start', {
      provider: 'linuxdo',
    });
    expect((await browser.get(callbackOf('github', { code: 'x', state: mixed.state }))).body.code).toBe(
      'identity_state_invalid',
    );
    expect(await holderOf(person)).toBeNull();
    expect(fixture.github.asked).toEqual([]);
  });

  it('lets one of several callbacks in [OAUTH-01]', async () => {
    const person = aPerson();
    const browser = fixture.browser();
    const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
    });
    const granted = fixture.github.agree(url, person);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => browser.copy().get(callbackOf('github', granted))),
    );
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'identity_state_invalid')).toHaveLength(4);
  });

  it('keeps sign-ins apart from bindings [OAUTH-01]', async () => {
    const browser = await signedIn('cautious');
    const asGuest = browser.copy();
    asGuest.userId = -1;
    const { url } = await asGuest.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
      intent: 'login',
    });
    const stranger = aPerson();
    const reply = await browser.get(callbackOf('github', fixture.github.agree(url, stranger)));
    // A login stays a login, though the browser was signed in meanwhile.
    expect(reply.body.message).not.toBe('bind');
    expect((await users().findOneByOrFail({ username: 'cautious' })).githubId).toBeNull();

    const binding = await fixture.browser().signIn('cautious');
    const bind = await binding.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
      intent: 'bind',
    });
    const granted = fixture.github.agree(bind.url, aPerson());
    await binding.post('/api/user/logout', {});
    await binding.signIn('cautious');
    expect((await binding.get(callbackOf('github', granted))).body.code).toBe('identity_state_invalid');
    expect(
      (await fixture.browser().post('/api/oauth/start', { provider: 'github', intent: 'bind' })).status,
    ).toBe(401);
  });

  it('opens an account for a new person: answer, session, invite reward, no password', async () => {
    await fixture.setOptions({ QuotaForNewUser: 1_000, QuotaForInvitee: 200, QuotaForInviter: 300 });
    const inviter = await signedIn('inviting');
    const aff = await inviter.expectSuccess<string>('GET', '/api/user/aff');
    const person = aPerson({ name: '<b>Octo</b>\u202e Cat' });
    fixture.github.mails = [
      { email: `second-${person.id}@mail.test`, primary: false, verified: true },
      { email: `first-${person.id}@mail.test`, primary: true, verified: true },
    ];
    const browser = fixture.browser();
    const reply = await fixture.passThrough('github', browser, person, aff);
    expect(reply.body).toMatchObject({
      success: true,
      message: '',
      data: { role: 1, status: 1, group: 'default' },
    });
    const self = await browser.enter(reply).expectSuccess<Record<string, unknown>>('GET', '/api/user/self');
    expect(self).toMatchObject({
      github_id: String(person.id),
      display_name: '<b>Octo</b> Cat',
      email: `first-${person.id}@mail.test`,
      quota: 1_200,
      inviter_id: inviter.userId,
    });
    expect(self['username']).toMatch(/^github_[a-z2-9]{8}$/);
    expect(await inviter.expectSuccess('GET', '/api/user/self')).toMatchObject({
      aff_count: 1,
      aff_quota: 300,
    });
    expect(
      (await fixture.browser().post('/api/user/login', { username: self['username'], password: '' })).body
        .success,
    ).toBe(false);
    await fixture.setOptions({ QuotaForNewUser: 0, QuotaForInvitee: 0, QuotaForInviter: 0 });
    fixture.github.mails = [];
  });

  it('finds the same person again, whatever their name is by then [OAUTH-03]', async () => {
    const person = aPerson();
    const first = (await fixture.passThrough('github', fixture.browser(), person)).body.data as {
      id: number;
    };
    const again = await fixture.passThrough('github', fixture.browser(), { ...person, login: 'renamed' });
    expect(again.body.data).toMatchObject({ id: first.id });
    const successor = await fixture.passThrough(
      'github',
      fixture.browser(),
      aPerson({ login: person.login }),
    );
    expect((successor.body.data as { id: number }).id).not.toBe(first.id);
  });

  it.each([
    ['verified', true],
    ['unverified', false],
  ])('does not lead an %s address to the account here that has it [OAUTH-02]', async (_name, verified) => {
    const email = `victim-${String(verified)}@mail.test`;
    const victim = await signedIn(`victim.${String(verified)}`.slice(0, 12));
    await users().update({ id: victim.userId }, { email, emailFolded: email });
    fixture.github.mails = [{ email, primary: true, verified }];
    const reply = await fixture.passThrough('github', fixture.browser(), aPerson());
    fixture.github.mails = [];
    const { id } = reply.body.data as { id: number };
    expect(id).not.toBe(victim.userId);
    expect((await users().findOneByOrFail({ id })).email).toBe('');
  });

  it('makes one account for a person who signs in twice at once', async () => {
    const person = aPerson();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => fixture.passThrough('github', fixture.browser(), person)),
    );
    expect(replies.map(({ body }) => body.success)).toEqual([true, true, true, true]);
    expect(new Set(replies.map(({ body }) => (body.data as { id: number }).id)).size).toBe(1);
    expect(await users().countBy({ githubId: String(person.id) })).toBe(1);
  });

  it('opens no account while registering or the provider is off; existing accounts sign in [OAUTH-08]', async () => {
    const known = aPerson();
    await fixture.passThrough('github', fixture.browser(), known);
    const stranger = aPerson();
    const browser = fixture.browser();
    const { url } = await browser.expectSuccess<{ url: string }>('POST', '/api/oauth/start', {
      provider: 'github',
    });
    await fixture.setOptions({ RegisterEnabled: false });
    expect((await browser.get(callbackOf('github', fixture.github.agree(url, stranger)))).body.code).toBe(
      'register_off',
    );
    expect((await fixture.passThrough('github', fixture.browser(), known)).body.success).toBe(true);
    await fixture.setOptions({ RegisterEnabled: true, GitHubOAuthEnabled: false });
    const off = await fixture.browser().post('/api/oauth/start', { provider: 'github' });
    expect([off.body.code, off.body.message]).toEqual([
      'identity_provider_off',
      'The administrator has not enabled logging in with GitHub',
    ]);
    const state = await browser.expectSuccess<string>('GET', '/api/oauth/state');
    expect((await browser.get(callbackOf('github', { code: 'x', state }))).body.code).toBe(
      'identity_provider_off',
    );
    await fixture.setOptions({ GitHubOAuthEnabled: true });
    expect(await holderOf(stranger)).toBeNull();
  });

  it('refuses banned and deregistered accounts, and gives the welcome gift once', async () => {
    const person = aPerson();
    const { id } = (await fixture.passThrough('github', fixture.browser(), person)).body.data as {
      id: number;
    };
    await fixture.root.expectSuccess('POST', '/api/user/manage', { id, action: 'disable' });
    expect((await fixture.passThrough('github', fixture.browser(), person)).body.code).toBe('account_banned');
    await fixture.root.expectSuccess('POST', '/api/user/manage', { id, action: 'delete' });
    expect((await fixture.passThrough('github', fixture.browser(), person)).body.code).toBe(
      'account_deregistered',
    );
    expect(await users().countBy({ githubId: String(person.id) })).toBe(1);
  });

  it('binds by the word of this API family, records it, and unbinds', async () => {
    const browser = await signedIn('binding');
    const person = aPerson();
    expect((await fixture.passThrough('github', browser, person)).body).toEqual({
      success: true,
      message: 'bind',
    });
    expect(await browser.expectSuccess('GET', '/api/user/self')).toMatchObject({
      github_id: String(person.id),
    });
    expect((await fixture.passThrough('github', browser, person)).body.message).toBe('bind');
    expect((await fixture.passThrough('github', browser, aPerson())).body.code).toBe(
      'identity_bound_already',
    );
    const other = await signedIn('alsobinding');
    expect((await fixture.passThrough('github', other, person)).body.code).toBe('identity_taken');
    const viaGitHub = await fixture.passThrough('github', fixture.browser(), person);
    expect(viaGitHub.body.data).toMatchObject({ username: 'binding' });
    await browser.expectSuccess('DELETE', '/api/user/self/identities/github');
    expect((await browser.send('DELETE', '/api/user/self/identities/github')).body.code).toBe(
      'identity_not_bound',
    );
    expect(await holderOf(person)).toBeNull();
    const events = await fixture.app.dataSource
      .getRepository(AuditEventEntity)
      .findBy({ actorId: browser.userId });
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity.bind', 'identity.unbind']),
    );
  });

  it('binds an identity to one of 20 accounts that request it at once [OAUTH-07]', async () => {
    const person = aPerson();
    const browsers = await Promise.all(Array.from({ length: 20 }, (_, index) => signedIn(`crowd.${index}`)));
    const replies = await Promise.all(
      browsers.map((browser) => fixture.passThrough('github', browser, person)),
    );
    const [winners, others] = [true, false].map((won) => replies.filter(({ body }) => body.success === won));
    expect(winners?.map(({ body }) => body.message)).toEqual(['bind']);
    // Under such load the database may also refuse some requests.
    for (const { body } of others ?? [])
      expect(body.code).toMatch(/^(identity_taken|server_busy|database_unavailable)$/);
    expect(await users().countBy({ githubId: String(person.id) })).toBe(1);
  });

  it('leaves the last way to sign in [OAUTH-10]', async () => {
    const browser = fixture.browser();
    browser.enter(await fixture.passThrough('github', browser, aPerson()));
    const unbind = () => browser.send('DELETE', '/api/user/self/identities/github');
    expect((await unbind()).body.code).toBe('identity_last_way');
    const member = aPerson({ active: true, trust_level: 2 });
    expect((await fixture.passThrough('linuxdo', browser, member)).body.message).toBe('bind');
    await fixture.setOptions({ LinuxDOOAuthEnabled: false });
    expect((await unbind()).body.code).toBe('identity_last_way');
    await fixture.setOptions({ LinuxDOOAuthEnabled: true });
    expect((await unbind()).body.success).toBe(true);
    expect((await browser.send('DELETE', '/api/user/self/identities/linuxdo')).body.code).toBe(
      'identity_last_way',
    );
  });
});
