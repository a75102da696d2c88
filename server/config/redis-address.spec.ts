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
      'redis+cluster://a:1,b',
      {
        form: 'cluster',
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
        ],
      },
    ],
    [
      'rediss+sentinel://:pw@a,b:2/main/3',
      {
        form: 'sentinel',
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 2 },
        ],
        master: 'main',
        database: 3,
        isEncrypted: true,
      },
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

  it('never repeats a password', () => {
    expect(() => parseRedisAddress('redis://u:hunter2@h/notanumber')).not.toThrow('hunter2');
    expect(() => parseRedisAddress('redis://u:hunter2@h/notanumber')).toThrow('database');
  });
});
