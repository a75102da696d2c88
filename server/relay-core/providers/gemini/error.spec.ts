import { describe, expect, it } from '@jest/globals';
import { googleSecretsOf, readGoogleError, readGoogleErrorInside } from './error.js';

const reply = (status: number, document: unknown) => ({
  status,
  headers: {},
  body: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
});
const failure = (members: object) => ({ error: { code: 400, message: 'no', ...members } });
const retryIn = (retryDelay: unknown) =>
  failure({
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'x' }, { retryDelay }, { retryDelay: '1s' }],
  });

describe('readGoogleError', () => {
  it.each([
    [400, failure({ status: 'INVALID_ARGUMENT' }), 'upstream-request-rejected', 'INVALID_ARGUMENT'],
    [
      400,
      failure({ status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }),
      'upstream-key-refused',
      'INVALID_ARGUMENT',
    ],
    [400, failure({ message: 'API key not valid. Please pass one.' }), 'upstream-key-refused', undefined],
    [
      400,
      failure({ status: 'FAILED_PRECONDITION', message: 'User location is not supported for the API use.' }),
      'upstream-key-refused',
      'FAILED_PRECONDITION',
    ],
    [429, failure({ status: 'RESOURCE_EXHAUSTED' }), 'upstream-rate-limited', 'RESOURCE_EXHAUSTED'],
    [500, failure({ details: [{ reason: 'API_KEY_INVALID' }] }), 'upstream-overloaded', undefined],
    [503, [failure({ status: 'UNAVAILABLE' })], 'upstream-overloaded', 'UNAVAILABLE'],
    [502, '<html>', 'upstream-overloaded', undefined],
    [400, { error: null }, 'upstream-request-rejected', undefined],
    [400, { error: { details: { reason: 'API_KEY_INVALID' } } }, 'upstream-request-rejected', undefined],
  ])('reads %i %j as %s', (status, document, kind, vendorType) => {
    const error = readGoogleError(reply(status, document), []);
    expect([error.kind, 'vendorType' in error ? error.vendorType : undefined]).toEqual([kind, vendorType]);
    expect(error).not.toHaveProperty('vendorCode');
  });

  it.each([
    ['37s', 37_000],
    ['0.5s', 500],
    ['0s', 0],
    ['86400s', 86_400_000],
    // Beyond a day, and odd ones: the next entry counts.
    ['86401s', 1_000],
    ['999999s', 1_000],
    ['-1s', 1_000],
    ['37', 1_000],
    [37, 1_000],
    [null, 1_000],
  ])('reads a wait of %p as %i ms', (retryDelay, ms) => {
    expect(readGoogleError(reply(429, retryIn(retryDelay)), [])).toMatchObject({ retryAfterMs: ms });
  });

  it('hides the key and the account from callers', () => {
    const account = JSON.stringify({ client_email: 'robot@project.example', project_id: 'our-project-1' });
    const secrets = googleSecretsOf({ credential: account, baseUrl: 'https://hidden.example/v1' });
    const message = 'robot@project.example of our-project-1 at hidden.example may not';
    expect(readGoogleError(reply(400, failure({ message })), secrets).message).toBe(
      '*** of *** at *** may not',
    );
  });
});

describe('readGoogleErrorInside', () => {
  it('takes pictures that were held back for a prompt that is refused', () => {
    const document = { predictions: [{}, null, { raiFilteredReason: 'violence' }] };
    expect(readGoogleErrorInside(document, [])).toEqual({
      kind: 'content-refused',
      blame: 'caller',
      code: 'prompt_blocked',
      message: 'The model refused the prompt: violence.',
    });
  });

  it('reads the status name of an error inside a success', () => {
    expect(readGoogleErrorInside(failure({ code: 8, status: 'RESOURCE_EXHAUSTED' }), []).kind).toBe(
      'upstream-rate-limited',
    );
    expect(readGoogleErrorInside({ predictions: 'none' }, []).kind).toBe('upstream-overloaded');
  });
});

describe('googleSecretsOf', () => {
  it('names the lines of a private key without its frame, and who the account is', () => {
    const credential = JSON.stringify({
      private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvAIBADAN\nBgkqhkiG9w0B\n-----END PRIVATE KEY-----\n',
      private_key_id: 'id',
      client_email: 7,
    });
    expect(googleSecretsOf({ credential, baseUrl: '' })).toEqual([
      credential,
      'MIIEvAIBADAN',
      'BgkqhkiG9w0B',
      'id',
    ]);
    expect(googleSecretsOf({ credential: '{broken', baseUrl: 'not an address' })).toEqual(['{broken']);
  });
});
