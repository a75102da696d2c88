import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../test/support/least-cpu.js';
import { redactSecrets } from './redact.js';

describe('what a log line never shows', () => {
  it.each([
    ['a token key', 'key sk-abcdefghijklmnopqrstuvwxyz0123456789 refused', 'key sk-*** refused'],
    ['a bearer header', 'authorization: Bearer abcdef0123456789==', 'authorization: ***'],
    ['a bearer alone', 'sent Bearer abcdef0123456789== to it', 'sent Bearer *** to it'],
    ['a cookie', 'Cookie: session=s%3Aabcdefghij; lang=en', 'Cookie: ***'],
    ['a session', 'got session=s%3Aabcdefghij; and more', 'got session=***; and more'],
    ['a key header', 'x-api-key: abcdefgh, x: y', 'x-api-key: ***'],
    ['a parameter', 'GET /api?key=abcdef&x=1', 'GET /api?key=***&x=1'],
    [
      'a signed address',
      'https://b.s3.amazonaws.com/o?X-Amz-Signature=abc&X-Amz-Credential=def&v=1',
      'https://b.s3.amazonaws.com/o?X-Amz-Signature=***&X-Amz-Credential=***&v=1',
    ],
    ['a database password', 'postgres://app:s3cret@db.example/x', 'postgres://app:***@db.example/x'],
    ['a Redis password with an @', 'redis://:s3c@ret/x@cache:6379', 'redis://:***@cache:6379'],
    ['a JWT', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token ***jwt***'],
    ['a member of JSON', '{"password":"correct horse","a":"b"}', '{"password":"***","a":"b"}'],
    ['JSON inside JSON', '"{\\"client_secret\\":\\"abcdef\\"}"', '"{\\"client_secret\\":\\"***\\"}"'],
    ['an object as Node prints it', "{ accessToken: 'abcdef', id: 1 }", "{ accessToken: '***', id: 1 }"],
    ['a GitHub token', 'with ghp_abcdefghijklmnop', 'with ghp_***'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE!', 'AKIA***!'],
    [
      'a private key',
      'x -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- y',
      'x ***private key*** y',
    ],
    ['nothing secret', 'worker 3 ended with 1', 'worker 3 ended with 1'],
    ['a sentence about tokens', 'the token: 12 of them', 'the token: 12 of them'],
  ])('%s', (_name, text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  it('removes known secrets, whatever their form', () => {
    expect(redactSecrets('the word plain-words-here is one', ['plain-words-here'])).toBe(
      'the word *** is one',
    );
  });

  it.each([
    ['letters', 'x'],
    ['umlauts', 'ü'],
    ['control characters, six bytes each in JSON', '\u0001'],
    ['emojis, pairs that must not be torn', '😀'],
    ['quotes', '"'],
  ])('cuts a line below 4 KiB as it is written: %s [F-48]', (_name, sign) => {
    const text = redactSecrets(sign.repeat(100_000));
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(3_610);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeGreaterThan(3_500);
    expect(text.endsWith('…')).toBe(true);
    expect(text.isWellFormed()).toBe(true);
  });

  it('a secret at the cut is taken out before the cut', () => {
    const text = redactSecrets(`${'x'.repeat(3_590)} sk-abcdefghijklmnop`);
    expect(text).not.toContain('sk-a');
  });

  it.each([
    '"',
    'a',
    'secret="',
    "token: '",
    '?key=',
    'http://a:',
    'eyJ',
    '-----BEGIN PRIVATE KEY-----',
    'cookie:',
  ])('redacts many of %j quickly', (part) => {
    const text = part.repeat(20_000 / part.length);
    expect(leastCpuMs(() => redactSecrets(text))).toBeLessThan(200);
  });
});
