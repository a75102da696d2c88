import { describe, expect, it } from '@jest/globals';
import { checkString, isGenuine, isRecent } from './telegram.identity.js';

const BOT_TOKEN = '123456:ABC-DEF';
const FIELDS = {
  id: '42',
  first_name: 'Ada',
  username: 'ada',
  auth_date: '1700000000',
  // HMAC-SHA-256 of the four lines below under SHA-256 of the token, computed with openssl.
  hash: '66beca94ffb45e51be6d44f230080b366f33537a237cbfc15bd24fc0069c713e',
};

describe('the signature of the login widget [TG-01]', () => {
  it('covers every field but the hash, sorted, a line each', () => {
    expect(checkString({ ...FIELDS, last_name: undefined })).toBe(
      'auth_date=1700000000\nfirst_name=Ada\nid=42\nusername=ada',
    );
  });

  it("accepts signatures of the token's holder only", () => {
    expect(isGenuine(FIELDS, BOT_TOKEN)).toBe(true);
    expect(isGenuine(FIELDS, `${BOT_TOKEN} `)).toBe(false);
    expect(isGenuine(FIELDS, '')).toBe(false);
    expect(isGenuine({ ...FIELDS, id: '43' }, BOT_TOKEN)).toBe(false);
    expect(isGenuine({ ...FIELDS, last_name: '' }, BOT_TOKEN)).toBe(false);
    expect(isGenuine({ ...FIELDS, hash: '' }, BOT_TOKEN)).toBe(false);
  });
});

describe('the age of a confirmation [TG-02]', () => {
  it.each([
    [0, true],
    [300, true],
    [301, false],
    [-120, true],
    [-121, false],
  ])('judges one of %i seconds to be recent: %s', (ageSeconds, recent) => {
    expect(isRecent('1700000000', (1_700_000_000 + ageSeconds) * 1_000)).toBe(recent);
  });

  it.each(['', 'now', '1e9', '-1', '1700000000.5', '9'.repeat(13)])('never reads the age of %j', (text) => {
    expect(isRecent(text, 1_700_000_000_000)).toBe(false);
  });
});
