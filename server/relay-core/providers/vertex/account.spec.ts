import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { MemoryVendorTokens } from '../../../../test/support/memory-ports.js';
import { readServiceAccount, signWithAccount } from './account.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ACCOUNT = {
  project_id: 'our-project',
  client_email: 'robot@our-project.example',
  private_key: privateKey,
  private_key_id: 'k1',
  token_uri: 'https://tokens.example/token',
};
const accountWith = (changes: object): string => JSON.stringify({ ...ACCOUNT, ...changes });
const REQUEST = {
  method: 'POST',
  url: 'https://vertex.example/',
  headers: { a: 'b' },
  body: Buffer.from('{}'),
} as const;

describe('readServiceAccount', () => {
  it.each([
    ['', 'it is not the JSON of a service account'],
    ['[]', 'it is not the JSON of a service account'],
    ['null', 'it is not the JSON of a service account'],
    [accountWith({ project_id: null }), 'project_id is missing'],
    [accountWith({ client_email: '' }), 'client_email is missing'],
    [accountWith({ private_key: 7 }), 'private_key is missing'],
    [accountWith({ project_id: 'a/../b' }), 'project_id cannot be one'],
    [accountWith({ project_id: 'a'.repeat(129) }), 'project_id cannot be one'],
  ])('refuses %j: %s', (credential, why) => {
    const read = readServiceAccount(credential);
    expect(read).toMatchObject({ ok: false, error: { kind: 'upstream-key-refused', blame: 'upstream' } });
    expect(read.ok ? '' : read.error.message).toContain(why);
  });

  it('takes Google’s own address where none is named', () => {
    expect(
      readServiceAccount(accountWith({ token_uri: undefined, private_key_id: undefined })),
    ).toMatchObject({
      ok: true,
      value: {
        projectId: 'our-project',
        privateKeyId: undefined,
        tokenUri: 'https://www.googleapis.com/oauth2/v4/token',
      },
    });
  });
});

describe('signWithAccount', () => {
  const sign = (credential: string, tokens = new MemoryVendorTokens(), request: object = REQUEST) =>
    signWithAccount(request as typeof REQUEST, credential, {
      clock: new FakeClock(1_700_000_000_999),
      tokens,
    });

  it('exchanges an assertion that its own key signed', async () => {
    const tokens = new MemoryVendorTokens();
    expect(await sign(accountWith({}), tokens, { ...REQUEST, proxy: 'socks://p' })).toMatchObject({
      ok: true,
      value: {
        headers: { a: 'b', authorization: 'Bearer vendor-token', 'x-goog-user-project': 'our-project' },
      },
    });
    const [asked] = tokens.requests;
    expect([asked?.url, asked?.proxy]).toEqual(['https://tokens.example/token', 'socks://p']);
    const form = new URLSearchParams(asked?.body?.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(read(claims)).toEqual({
      iss: ACCOUNT.client_email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: ACCOUNT.token_uri,
      iat: 1_700_000_000,
      exp: 1_700_000_000 + 35 * 60,
    });
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(publicKey, signature, 'base64url')).toBe(true);
  });

  it('refuses a key that is no RSA key, in its own words', async () => {
    const refused = await sign(accountWith({ private_key: 'not a key' }));
    expect(refused).toMatchObject({ ok: false, error: { kind: 'upstream-key-refused' } });
    expect(refused.ok ? '' : refused.error.message).toBe(
      'The key of the channel cannot be used: private_key cannot be read; tell the administrator.',
    );
  });
});
