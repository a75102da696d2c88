import { describe, expect, it } from '@jest/globals';
import { knownSecrets } from './known-secrets.js';

type Settings = Parameters<typeof knownSecrets>[0];

const secretsOf = (settings: object) =>
  knownSecrets({ databaseUrl: 'sqlite:./data/tollgate.db', ...settings } as Settings);

describe('knownSecrets', () => {
  it.each([
    ['postgres://user:secret-password@db/t', ['secret-password']],
    ['mysql://:secret-password@db/t', ['secret-password']],
    ['postgres://user:se%2Fcret%40pw@db/t?sslmode=require', ['se%2Fcret%40pw', 'se/cret@pw']],
    ['postgres://user:100%secure@db/t', ['100%secure']],
    ['postgres://only-the-name-of-a-user@db/t', []],
    ['postgres://user:short@db/t', []],
    ['sqlite:/path/with:colons@and/more.db', []],
  ])('finds in the database address %s %j', (databaseUrl, secrets) => {
    expect(secretsOf({ databaseUrl })).toEqual(secrets);
    expect(secretsOf({ logDatabaseUrl: databaseUrl })).toEqual(secrets);
  });

  it.each([
    ['redis://redis:6379', []],
    ['redis://:secret-password@redis:6379/1', ['secret-password']],
    ['rediss://secret-password@redis', ['secret-password']],
    ['redis+cluster://user:secret-password@a:1,b:2', ['secret-password']],
    [
      'redis+sentinel://user:secret-password@a:1,b:2/main?sentinel-user=s&sentinel-password=other%21password',
      ['other%21password', 'secret-password', 'other!password'],
    ],
  ])('finds in the Redis address %s %j', (redisUrl, secrets) => {
    expect(secretsOf({ redisUrl })).toEqual(secrets);
  });

  it('returns each once, the longest first, and none that could be part of a word', () => {
    expect(
      secretsOf({
        sessionSecret: 'a'.repeat(32),
        cryptoSecret: 'a'.repeat(32),
        metricsToken: 'token',
        setupToken: 'eight_is',
        initialRoot: { username: 'administrator', password: 'root-password' },
        tracing: { headers: { authorization: 'Bearer of-the-collector' } },
      }),
    ).toEqual(['a'.repeat(32), 'Bearer of-the-collector', 'root-password', 'eight_is']);
  });
});
