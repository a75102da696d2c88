import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import type { ApiReply } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { ForgingProvider } from './forging-provider.ts';
import { RealOidcProvider } from './oidc-provider.ts';
import {
  callbackOf,
  configureOidc,
  CONSOLE,
  type IdentityFixture,
  startIdentityFixture,
} from './identity.fixture.ts';

/** Claims of an OIDC provider that are accepted, and their effect. */
describe('claims of an OIDC provider', () => {
  let fixture: IdentityFixture;
  let real: RealOidcProvider;
  let forging: ForgingProvider;
  const configure = (wellKnown: string): Promise<void> => configureOidc(fixture, wellKnown);
  const users = () => fixture.app.dataSource.getRepository(UserEntity);

  beforeAll(async () => {
    [fixture, real, forging] = await Promise.all([
      startIdentityFixture(),
      RealOidcProvider.start(`${CONSOLE}/oauth/oidc`),
      new ForgingProvider().start(),
    ]);
    await configure(forging.wellKnown);
  });
  afterAll(async () => {
    await fixture.close();
    await Promise.all([real.stop(), forging.stop()]);
  });
  beforeEach(() => {
    forging.forgery = {};
  });

  async function comeBack(also: Readonly<Record<string, string>> = {}): Promise<ApiReply> {
    const browser = fixture.browser();
    const { url, state } = await browser.expectSuccess<{ url: string; state: string }>(
      ...(['POST', '/api/oauth/start', { provider: 'oidc', intent: 'login', aff: '' }] as const),
    );
    forging.nonce = new URL(url).searchParams.get('nonce') ?? '';
    return browser.get(callbackOf('oidc', { code: 'any', state, ...also }));
  }

  describe('with a document of its own', () => {
    afterAll(() => reconfigure({}));
    // A document is kept for an hour: another address is another document.
    const reconfigure = async (document: Readonly<Record<string, unknown>>): Promise<void> => {
      await configure(real.wellKnown);
      forging.document = document;
      await comeBackFrom(real.wellKnown);
      await configure(forging.wellKnown);
    };
    const comeBackFrom = async (wellKnown: string): Promise<void> => {
      await fixture.setOptions({ 'oidc.well_known': wellKnown });
      await comeBack();
    };

    it.each(['PS256', 'ES384', 'EdDSA'] as const)(
      'believes a provider that signs by %s',
      async (algorithm) => {
        await reconfigure({ id_token_signing_alg_values_supported: [algorithm] });
        forging.forgery = { algorithm };
        expect((await comeBack()).body.success).toBe(true);
        forging.forgery = { algorithm: 'RS256' };
        expect((await comeBack()).body.success).toBe(false);
      },
    );

    it('does not believe one without the issuer in the callback when it promised to name it', async () => {
      await reconfigure({ authorization_response_iss_parameter_supported: true });
      expect((await comeBack()).body.code).toBe('identity_refused');
      expect((await comeBack({ iss: 'https://other.test' })).body.code).toBe('identity_refused');
      expect((await comeBack({ iss: forging.issuer })).body.success).toBe(true);
    });
  });

  it.each([
    ['of the user info', {}, { email_verified: true }, true],
    ['of the user info, as text', {}, { email_verified: 'true' }, true],
    ['of nobody', {}, { email_verified: undefined }, false],
    ['of the token, about another address', { email_verified: true }, { email_verified: undefined }, false],
    [
      'of the token about its own',
      { email: 'token@mail.test', email_verified: true },
      { email: undefined },
      true,
    ],
    [
      'of the user info about an address of the token',
      { email: 'token@mail.test' },
      { email: undefined },
      false,
    ],
    ['that says no, as text', {}, { email_verified: 'false' }, false],
  ])('takes the address when the word "verified" is %s', async (what, claims, info, isTaken) => {
    const sub = `mail ${what}`;
    forging.forgery = {
      claims: { sub, ...claims },
      infoSub: sub,
      info: { preferred_username: undefined, email: `m${what.length}@mail.test`, ...info },
    };
    expect((await comeBack()).body).toMatchObject({ success: true });
    expect((await users().findOneByOrFail({ oidcId: sub })).email !== '').toBe(isTaken);
    await users().update({ oidcId: sub }, { email: '', emailFolded: null });
  });

  it.each(['   ', '\u00a0', '\u200b', '\u3000\u2028', '\u3164'])(
    'rejects an identity of blanks (%j)',
    async (sub) => {
      forging.forgery = { claims: { sub }, infoSub: sub };
      const before = await users().count();
      expect((await comeBack()).body.success).toBe(false);
      expect(await users().count()).toBe(before);
    },
  );

  it('returns the account with the verified address only if the operator links so, and never an administrator', async () => {
    const person = await signUp(fixture.root, { username: 'linked' });
    const boss = await signUp(fixture.root, { username: 'boss', role: 'admin' });
    await users().update(
      { id: person.userId },
      { email: 'linked@mail.test', emailFolded: 'linked@mail.test' },
    );
    await users().update({ id: boss.userId }, { email: 'boss@mail.test', emailFolded: 'boss@mail.test' });
    const arrive = (sub: string, email: string, isVerified: boolean): Promise<ApiReply> => {
      forging.forgery = {
        claims: { sub },
        infoSub: sub,
        info: { email, email_verified: isVerified, preferred_username: undefined },
      };
      return comeBack();
    };
    const idOf = ({ body }: ApiReply): unknown => (body.data as { id: number }).id;
    expect(idOf(await arrive('link one', 'linked@mail.test', true))).not.toBe(person.userId);
    await fixture.setOptions({ LinkAccountsByVerifiedMail: true });
    try {
      expect(idOf(await arrive('link two', 'linked@mail.test', false))).not.toBe(person.userId);
      expect(idOf(await arrive('link three', 'boss@mail.test', true))).not.toBe(boss.userId);
      expect(idOf(await arrive('link four', 'Linked@mail.test', true))).toBe(person.userId);
      expect(idOf(await arrive('link four', 'linked@mail.test', true))).toBe(person.userId);
      // One identity of a provider is enough.
      expect(idOf(await arrive('link five', 'linked@mail.test', true))).not.toBe(person.userId);
    } finally {
      await fixture.setOptions({ LinkAccountsByVerifiedMail: false });
    }
  });

  it('lets it come back after root has freed the identity of the deregistered account', async () => {
    forging.forgery = {
      claims: { sub: 'returns' },
      infoSub: 'returns',
      info: { preferred_username: undefined },
    };
    const first = (await comeBack()).body.data as { id: number };
    const free = () => fixture.root.delete(`/api/user/${first.id}/identity/oidc`);
    expect((await free()).body.code).toBe('user_not_deregistered');
    await fixture.root.expectSuccess('POST', '/api/user/manage', { id: first.id, action: 'delete' });
    expect((await comeBack()).body.code).toBe('account_deregistered');
    expect((await free()).body.success).toBe(true);
    expect((await free()).body.code).toBe('identity_not_bound');
    expect(((await comeBack()).body.data as { id: number }).id).not.toBe(first.id);
  });
});
