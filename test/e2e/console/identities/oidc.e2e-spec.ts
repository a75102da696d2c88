import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import type { ApiReply } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import type { Browser } from './browser.ts';
import { type Forgery, ForgingProvider } from './forging-provider.ts';
import { type OidcPerson, RealOidcProvider } from './oidc-provider.ts';
import {
  callbackOf,
  configureOidc,
  CONSOLE,
  type IdentityFixture,
  startIdentityFixture,
} from './identity.fixture.ts';
import { freePort } from '../../../support/free-port.mjs';
import { CLIENT } from './scripted-oauth.ts';

const RETURN = `${CONSOLE}/oauth/oidc`;

let fixture: IdentityFixture;
let real: RealOidcProvider;
let forging: ForgingProvider;

beforeAll(async () => {
  [fixture, real, forging] = await Promise.all([
    startIdentityFixture(),
    RealOidcProvider.start(RETURN),
    new ForgingProvider().start(),
  ]);
});
afterAll(async () => {
  await fixture.close();
  await Promise.all([real.stop(), forging.stop()]);
});

const users = () => fixture.app.dataSource.getRepository(UserEntity);
const start = (browser: Browser, intent: 'login' | 'bind' = 'login', aff = '') =>
  browser.expectSuccess<{ url: string; state: string }>('POST', '/api/oauth/start', {
    provider: 'oidc',
    intent,
    aff,
  });

const configure = (wellKnown: string): Promise<void> => configureOidc(fixture, wellKnown);

describe('OIDC by a real provider', () => {
  beforeAll(() => configure(real.wellKnown));

  async function passThrough(
    browser: Browser,
    person: OidcPerson,
    intent: 'login' | 'bind' = 'login',
    aff = '',
  ): Promise<ApiReply> {
    const { url } = await start(browser, intent, aff);
    return browser.get(callbackOf('oidc', await real.agree(url, person, RETURN)));
  }

  it('sends people there with state, nonce and a S256 challenge, and back to the configured address [OAUTH-05]', async () => {
    const browser = fixture.browser();
    const reply = await browser.send(
      'POST',
      '/api/oauth/start',
      { provider: 'oidc' },
      { 'x-forwarded-host': 'evil.test' },
    );
    const url = new URL((reply.body.data as { url: string }).url);
    expect(url.origin).toBe(real.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      redirect_uri: RETURN,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
  });

  it('opens an account with the name, the verified address and the inviter of the person', async () => {
    const inviter = await signUp(fixture.root, { username: 'inviter.oidc' });
    const aff = await inviter.expectSuccess<string>('GET', '/api/user/aff');
    const browser = fixture.browser();
    const person = {
      sub: 'ada',
      name: 'Ada L.',
      preferred_username: 'ada.l',
      email: 'Ada@mail.test',
      email_verified: true,
    };
    const self = await browser
      .enter(await passThrough(browser, person, 'login', aff))
      .expectSuccess('GET', '/api/user/self');
    expect(self).toMatchObject({
      username: 'ada.l',
      display_name: 'Ada L.',
      email: 'Ada@mail.test',
      oidc_id: 'ada',
      inviter_id: inviter.userId,
    });
    const again = await passThrough(fixture.browser(), { ...person, preferred_username: 'renamed' });
    expect(again.body.data).toMatchObject({ username: 'ada.l' });
  });

  it.each([
    ['a name somebody has', 'ada.l'],
    ['a name that looks official', 'Administrator'],
    ['markup', '<img src=x>'],
    ['a reading direction', 'ad\u202Ea.l'],
    ['ten thousand letters', 'a'.repeat(10_000)],
  ])('gives a generated name to an identity with %s [OAUTH-09]', async (what, name) => {
    const browser = fixture.browser();
    const reply = await passThrough(browser, {
      sub: `named-${what}`,
      name: `\u200b${name}`,
      preferred_username: name,
    });
    expect(reply.body.data).toMatchObject({ username: expect.stringMatching(/^oidc_[a-z2-9]{8}$/) });
    expect(Array.from((reply.body.data as { display_name: string }).display_name).length).toBeLessThanOrEqual(
      20,
    );
    expect((reply.body.data as { display_name: string }).display_name).not.toMatch(/[\u200b\u202e]/u);
  });

  it('stores no address that is taken, unverified, or against the rules [OAUTH-02]', async () => {
    await fixture.setOptions({ EmailDomainWhitelist: 'mail.test', EmailDomainRestrictionEnabled: true });
    const emails = [
      { sub: 'thief', email: 'ADA@mail.test', email_verified: true },
      { sub: 'hopeful', email: 'free@mail.test', email_verified: false },
      { sub: 'outsider', email: 'free@elsewhere.test', email_verified: true },
    ];
    for (const person of emails) {
      const reply = await passThrough(fixture.browser(), person);
      const { id } = reply.body.data as { id: number };
      expect(await users().findOneByOrFail({ id })).toMatchObject({
        oidcId: person.sub,
        email: '',
        emailFolded: null,
      });
    }
    await fixture.setOptions({ EmailDomainRestrictionEnabled: false });
  });

  it('binds, and refuses a code that was used, given to another flow, or comes with another issuer', async () => {
    await signUp(fixture.root, { username: 'binder.oidc' });
    const browser = await fixture.browser().signIn('binder.oidc');
    expect((await passThrough(browser, { sub: 'bound' }, 'bind')).body).toEqual({
      success: true,
      message: 'bind',
    });
    const victim = fixture.browser();
    const attacker = fixture.browser();
    const theirs = await real.agree((await start(attacker)).url, { sub: 'attacker' }, RETURN);
    const { state } = await start(victim);
    // The attacker's code in the victim's flow: PKCE distinguishes them.
    expect((await victim.get(callbackOf('oidc', { code: theirs['code'] ?? '', state }))).body.code).toBe(
      'identity_refused',
    );
    const query = await real.agree((await start(victim)).url, { sub: 'victim' }, RETURN);
    expect(query['iss']).toBe(real.issuer);
    expect((await victim.get(callbackOf('oidc', { ...query, iss: 'https://other.test' }))).body.code).toBe(
      'identity_refused',
    );
    expect(await users().existsBy({ oidcId: 'attacker' })).toBe(false);
    expect(await users().existsBy({ oidcId: 'victim' })).toBe(false);
  });

  it('makes one account of one person in two windows', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(() => passThrough(fixture.browser(), { sub: 'twice', preferred_username: 'twice' })),
    );
    expect(new Set(replies.map(({ body }) => (body.data as { id: number }).id)).size).toBe(1);
    expect(await users().countBy({ oidcId: 'twice' })).toBe(1);
  });

  it('reports that the provider cannot be reached, and not its address', async () => {
    await fixture.setOptions({ 'oidc.enabled': false });
    await fixture.setOptions({
      'oidc.token_endpoint': `http://127.0.0.1:${await freePort()}/token`,
      'oidc.client_secret': CLIENT.secret,
      'oidc.enabled': true,
    });
    const reply = await passThrough(fixture.browser(), { sub: 'unlucky' });
    expect([reply.body.code, reply.body.message]).toEqual([
      'identity_unreachable',
      'OIDC cannot be reached at the moment; please try again later',
    ]);
    await configure(real.wellKnown);
  });
});

describe('OIDC by a provider that forges [OAUTH-04]', () => {
  beforeAll(() => configure(forging.wellKnown));
  beforeEach(() => {
    forging.forgery = {};
  });

  async function comeBack(): Promise<ApiReply> {
    const browser = fixture.browser();
    const { url, state } = await start(browser);
    forging.nonce = new URL(url).searchParams.get('nonce') ?? '';
    return browser.get(callbackOf('oidc', { code: 'any', state }));
  }

  it('believes it when nothing is forged', async () => {
    expect((await comeBack()).body).toMatchObject({ success: true, data: { username: 'some.body' } });
  });

  const inSixMinutes = (): number => Math.floor(Date.now() / 1000) + 360;
  it.each<readonly [string, Forgery]>([
    ['without a signature', { algorithm: 'none' }],
    ['signed with the client secret', { algorithm: 'HS256' }],
    ['signed by a key nobody published', { hasForeignKey: true }],
    ['for another client', { claims: { aud: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://other.test' } }],
    ['that has expired', { claims: { iat: 1_700_000_000, exp: 1_700_000_300 } }],
    ['of another sign-in', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['about somebody else than the user info', { infoSub: 'other' }],
    ['that is not there', { withoutIdToken: true }],
    ['about nobody', { claims: { sub: '' }, infoSub: '' }],
    ['that names no issuer', { claims: { iss: undefined } }],
    ['of an issuer that only begins like ours', { claims: { iss: 'https://id.test.other.test' } }],
    ['that names no client', { claims: { aud: undefined } }],
    ['for several clients, ours not among them', { claims: { aud: ['other', 'another'] } }],
    ['for several clients, asked for by another', { claims: { aud: [CLIENT.id, 'other'], azp: 'other' } }],
    ['asked for by another client', { claims: { azp: 'other' } }],
    ['that never expires', { claims: { exp: undefined } }],
    ['that is not valid yet', { claims: { nbf: 4_000_000_000 } }],
    ['issued six minutes in the future', { claims: { iat: inSixMinutes(), exp: inSixMinutes() + 300 } }],
    ['with several nonces', { claims: { nonce: ['a', 'b'] } }],
    ['about a number', { claims: { sub: 7 }, infoSub: '7' }],
    ['about a list', { claims: { sub: ['some'] }, infoSub: 'some' }],
    ['about a name in other capitals than the user info', { claims: { sub: 'Some' }, infoSub: 'some' }],
  ])('signs no one in by an id token %s', async (_what, forgery) => {
    forging.forgery = forgery;
    const before = await users().count();
    const reply = await comeBack();
    expect([reply.status, reply.body.success]).toEqual([200, false]);
    expect(['identity_refused', 'identity_answer_unreadable']).toContain(reply.body.code);
    expect(await users().count()).toBe(before);
  });

  it('works without an id token when the address of the keys is unknown', async () => {
    await fixture.setOptions({ 'oidc.well_known': '' });
    forging.forgery = { hasForeignKey: true, infoSub: 'plain' };
    expect((await comeBack()).body.success).toBe(true);
    expect(await users().existsBy({ oidcId: 'plain' })).toBe(true);
    await fixture.setOptions({ 'oidc.well_known': forging.wellKnown });
  });
});

describe('discovery for the settings page', () => {
  afterEach(() => {
    forging.document = {};
  });
  const discover = (address: unknown) =>
    fixture.root.post('/api/oauth/oidc/discover', { well_known: address });

  it.each([
    ['ftp://127.0.0.1/x', 'oidc_address_invalid'],
    ['127.0.0.1', 'oidc_address_invalid'],
    ['', 'oidc_address_invalid'],
    ['javascript:alert(1)', 'oidc_address_invalid'],
    ['http://10.0.0.1/.well-known/openid-configuration', 'oidc_discovery_failed'],
    ['http://169.254.169.254/latest/meta-data', 'oidc_discovery_failed'],
    ['http://127.0.0.1:9/.well-known/openid-configuration', 'oidc_discovery_failed'],
  ])('refuses %s', async (address, code) => {
    const reply = await discover(address);
    expect([reply.status, reply.body.code]).toEqual([200, code]);
  });

  it.each([[['HS256']], [['none']], [[]]])('refuses a provider that signs by %j only', async (algorithms) => {
    forging.document = { id_token_signing_alg_values_supported: algorithms };
    expect((await discover(forging.wellKnown)).body.code).toBe('oidc_discovery_failed');
  });

  it('refuses a document of another issuer, or one that is none', async () => {
    forging.document = { issuer: 'https://accounts.test' };
    expect((await discover(forging.wellKnown)).body.message).toContain('another issuer');
    forging.document = { token_endpoint: 'javascript:alert(1)' };
    expect((await discover(forging.wellKnown)).body.message).toContain('token_endpoint');
    expect((await discover(`${forging.issuer}/nowhere`)).body.message).toContain('status 404');
    expect((await discover(7)).status).toBe(400);
  });

  it('allows root alone', async () => {
    const admin = await signUp(fixture.root, { username: 'warden.oidc', role: 'admin' });
    expect((await admin.post('/api/oauth/oidc/discover', { well_known: forging.wellKnown })).body.code).toBe(
      'not_permitted',
    );
  });
});

describe('a secret and the address it was typed for', () => {
  const evil = 'https://collector.test/token';
  const isSet = async (key: string): Promise<boolean | undefined> => {
    const list = await fixture.root.expectSuccess<{ key: string; is_set?: boolean }[]>('GET', '/api/option/');
    return list.find((option) => option.key === key)?.is_set;
  };

  it('part while the provider is on only when the secret is typed again', async () => {
    const reply = await fixture.root.put('/api/option/', { key: 'oidc.token_endpoint', value: evil });
    expect(reply.body.code).toBe('option_secret_retype');
    const path = await fixture.root.put('/api/option/', {
      key: 'oidc.token_endpoint',
      value: `${forging.issuer}/token/`,
    });
    expect(path.body.success).toBe(true);
    await fixture.setOptions({ 'oidc.token_endpoint': evil, 'oidc.client_secret': 'typed again' });
    expect(await isSet('oidc.client_secret')).toBe(true);
  });

  it('part while it is off only when the secret is removed: signing in stays off until it is there', async () => {
    await fixture.setOptions({ 'oidc.enabled': false });
    const back = { key: 'oidc.token_endpoint', value: `${forging.issuer}/token` };
    expect((await fixture.root.put('/api/option/', back)).body.code).toBe('option_secret_retype');
    expect(await isSet('oidc.client_secret')).toBe(true);
    const removed = await fixture.root.put('/api/option/', [
      back,
      { key: 'oidc.client_secret', value: null },
    ]);
    expect(removed.body.success).toBe(true);
    expect(await isSet('oidc.client_secret')).toBe(false);
    expect((await fixture.root.put('/api/option/', { key: 'oidc.enabled', value: true })).body.code).toBe(
      'option_incomplete',
    );
    expect(
      (
        await fixture.root.put('/api/option/', {
          key: 'GitHubServerAddress',
          value: 'https://collector.test',
        })
      ).body.code,
    ).toBe('option_secret_retype');
  });
});

describe('switching passwords off [AUTH-119]', () => {
  it('needs a root who can sign in another way, and that way stays on', async () => {
    const off = () => fixture.root.put('/api/option/', { key: 'PasswordLoginEnabled', value: false });
    expect((await off()).body.code).toBe('option_last_login_way');
    const browser = await fixture.browser().signIn('root', 'correct horse battery');
    expect((await fixture.passThrough('github', browser, { id: 77, login: 'root' })).body.message).toBe(
      'bind',
    );
    expect((await off()).body.success).toBe(true);
    expect(
      (await fixture.root.put('/api/option/', { key: 'GitHubOAuthEnabled', value: false })).body.code,
    ).toBe('option_last_login_way');
    expect((await browser.send('DELETE', '/api/user/self/identities/github')).body.code).toBe(
      'identity_last_way',
    );
    expect(
      (await fixture.passThrough('github', fixture.browser(), { id: 77, login: 'root' })).body.data,
    ).toMatchObject({ role: 100 });
    await fixture.setOptions({ PasswordLoginEnabled: true });
    expect((await browser.send('DELETE', '/api/user/self/identities/github')).body.success).toBe(true);
  });
});
