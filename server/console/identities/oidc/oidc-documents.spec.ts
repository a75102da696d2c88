import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { fail, ok } from '../../../common/result.js';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { IdentityFetcher } from '../identity-fetcher.js';
import { OidcDocuments } from './oidc-documents.js';

const ISSUER = 'https://id.example/realm';
const WELL_KNOWN = `${ISSUER}/.well-known/openid-configuration`;
const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/me`,
  jwks_uri: `${ISSUER}/keys`,
};

/** Answer of the provider; null = it cannot be reached. */
let answer: { status: number; body: string } | null;
let fetched: string[];
let clock: FakeClock;
let source: OidcDocuments;

const answers = (document: unknown, status = 200): void => {
  answer = { status, body: JSON.stringify(document) };
};

beforeEach(() => {
  answers(DOCUMENT);
  fetched = [];
  clock = new FakeClock();
  const client = {
    fetch: async (_caller: string, { url }: { url: string }) => {
      fetched.push(url);
      return answer === null
        ? fail({ kind: 'timeout' })
        : ok({ status: answer.status, headers: {}, body: Buffer.from(answer.body) });
    },
  };
  source = new OidcDocuments(new IdentityFetcher(client as unknown as OutboundClient), clock);
});

describe('OidcDocuments', () => {
  it('keeps a document for an hour, and only that of one address', async () => {
    const first = await source.of(WELL_KNOWN);
    expect(first).toMatchObject({ ok: true, value: DOCUMENT });
    clock.advance(3_599_000);
    expect(await source.of(WELL_KNOWN)).toEqual(first);
    expect(fetched).toHaveLength(1);
    await source.of('https://other.example/.well-known/openid-configuration');
    clock.advance(2_000);
    await source.of(WELL_KNOWN);
    expect(fetched).toHaveLength(3);
  });

  it('keeps other fields of a provider, for the library', async () => {
    answers({ ...DOCUMENT, authorization_response_iss_parameter_supported: true });
    expect(await source.of(WELL_KNOWN)).toMatchObject({
      value: { authorization_response_iss_parameter_supported: true },
    });
  });

  it('takes the address of the issuer alone, when the document is that issuer\u2019s', async () => {
    expect(await source.of(ISSUER)).toMatchObject({ ok: true });
    expect(fetched).toEqual([WELL_KNOWN]);
    answers({ ...DOCUMENT, issuer: `${ISSUER}/other` });
    expect(await source.of(`${ISSUER}/`)).toMatchObject({ ok: false });
  });

  it.each([
    [null, true],
    [['HS256', 'none', 'ES256', 'PS384'], true],
    [['EdDSA'], true],
    [['HS512', 'none'], false],
    [['ES256K'], false],
    [[], false],
  ])('reads a document that names the signatures %j: %j', async (named, expected) => {
    answers({ ...DOCUMENT, id_token_signing_alg_values_supported: named });
    expect(await source.of(WELL_KNOWN)).toMatchObject({ ok: expected });
  });

  it('does not keep what could not be read', async () => {
    answer = null;
    expect(await source.of(WELL_KNOWN)).toMatchObject({ ok: false });
    answers(DOCUMENT);
    expect(await source.of(WELL_KNOWN)).toMatchObject({ ok: true });
  });

  it.each([
    ['another status', DOCUMENT, 404, 'status 404'],
    ['another issuer', { ...DOCUMENT, issuer: 'https://evil.example' }, 200, 'another issuer'],
    ['no user info', { ...DOCUMENT, userinfo_endpoint: undefined }, 200, 'userinfo_endpoint'],
    ['an address to run', { ...DOCUMENT, token_endpoint: 'javascript:alert(1)' }, 200, 'token_endpoint'],
    [
      'signatures made with the secret of the client',
      { ...DOCUMENT, id_token_signing_alg_values_supported: ['HS256'] },
      200,
      'HS256',
    ],
    ['no document', [], 200, 'no discovery document'],
  ])('refuses a provider with %s, with the reason', async (_what, document, status, reason) => {
    answers(document, status);
    expect(await source.of(WELL_KNOWN)).toMatchObject({ ok: false, error: expect.stringContaining(reason) });
    await expect(source.discover(WELL_KNOWN)).rejects.toMatchObject({ code: 'oidc_discovery_failed' });
  });

  it('takes an issuer that is written with a slash at its end', async () => {
    answers({ ...DOCUMENT, issuer: `${ISSUER}/` });
    expect(await source.of(WELL_KNOWN)).toMatchObject({ ok: true });
  });

  it.each(['', 'id.example', 'ftp://id.example', 'https://'])('sends no request to %j', async (address) => {
    await expect(source.discover(address)).rejects.toMatchObject({ code: 'oidc_address_invalid' });
    expect(fetched).toEqual([]);
  });
});
