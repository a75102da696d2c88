import { describe, expect, it } from '@jest/globals';
import { parseRedisAddress } from './redis-address.js';

describe('parseRedisAddress', () => {
  it.each([
    ['redis://localhost', { form: 'single', host: 'localhost', port: 6379, database: 0, isEncrypted: false }],
    [
      'rediss://:s%40cret@host:1/5',
      { form: 'single', password: 's@cret', username: undefined, port: 1, database: 5, isEncrypted: true },
    ],
    ['redis://me:pw@[::1]:7000', { form: 'single', host: '::1', username: 'me', password: 'pw', port: 7000 }],
    [
      'redis+cluster://a:1,b:2/0',
      {
        form: 'cluster',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
    ],
    [
      'rediss+sentinel://:pw@a,b/main/3',
      {
        form: 'sentinel',
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 26_379 },
        ],
        master: 'main',
        database: 3,
        isEncrypted: true,
        sentinelAccess: { username: undefined, password: undefined },
      },
    ],
    [
      'redis+sentinel://:pw@a/main?sentinel-user=me&sentinel-password=o%26n',
      { master: 'main', password: 'pw', sentinelAccess: { username: 'me', password: 'o&n' } },
    ],
  ])('reads %s', (url, expected) => {
    expect(parseRedisAddress(url)).toMatchObject(expected);
  });

  it.each([
    'http://x',
    'redis://',
    'redis+sentinel://a',
    'redis://h/x',
    'redis://h:99999',
    'redis+cluster://a:1,b:0',
  ])('refuses %s', (url) => {
    expect(() => parseRedisAddress(url)).toThrow(RangeError);
  });

  it.each([
    ['redis+cluster://', 'REDIS_URL names no host'],
    ['redis://:pw@/1', 'REDIS_URL names no host'],
    ['redis+cluster://a:7000,b', 'REDIS_URL: "b" has no port, though others have: name the port of each'],
    ['redis+sentinel://a,b:1/main', 'REDIS_URL: "a" has no port, though others have: name the port of each'],
    ['redis+cluster://a:7000,', 'REDIS_URL: "" is not a host with a port'],
    [
      'redis+cluster://a:1/5',
      'REDIS_URL of a cluster takes no number of a database: a cluster has only number 0',
    ],
    ['redis://u:a/b@host', 'REDIS_URL has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['redis://u:a@b@host', 'REDIS_URL has an @ in its password: write it as %40'],
    ['redis://u:50%@host', 'REDIS_URL has a % in its name or password: write it as %25'],
    [
      'redis://a?sentinel-password=x',
      'REDIS_URL has a ? behind its address, which only one of sentinels may have',
    ],
    [
      'redis+sentinel://a/main?sentinel-password=se/cret',
      'REDIS_URL takes sentinel-user and sentinel-password behind its ?; in them /, ?, #, & and @ are written as %2F, %3F, %23, %26 and %40',
    ],
    ['redis://a:1,b:2', 'REDIS_URL names several hosts: use redis+cluster:// or redis+sentinel://'],
  ])('gives advice for %s', (url, sentence) => {
    expect(() => parseRedisAddress(url)).toThrow(new RangeError(sentence));
  });

  it('never repeats a password', () => {
    expect(() => parseRedisAddress('redis://u:hunter2@h/notanumber')).not.toThrow('hunter2');
    expect(() => parseRedisAddress('redis://u:hunter2@h/notanumber')).toThrow('database');
  });
});
