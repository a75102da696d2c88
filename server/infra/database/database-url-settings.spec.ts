import { describe, expect, it } from '@jest/globals';
import { readSettings } from './database-url.js';

const refusing = (query: string) => () => readSettings('postgres', query);

describe('readSettings', () => {
  it.each([
    ['constructor=1', 'has an unknown setting: constructor'],
    ['toString=1', 'has an unknown setting: toString'],
    ['ssl.mode=require', 'has an unknown setting: ssl.mode'],
    [`${'x'.repeat(90)}=1`, `has an unknown setting: ${'x'.repeat(50)}`],
    ['sslmode=constructor', 'has an unknown sslmode'],
    ['sslmode=', 'has an unknown sslmode'],
    ['sslmode', 'has an unknown sslmode'],
    ['sslmode=require&ssl=false', 'says two things with the setting ssl'],
    ['host=relative/path', 'names a socket that is no absolute path'],
    ['channel_binding=maybe', 'has channel_binding with another value'],
    ['channel_binding=require', 'wants channel_binding without TLS'],
    ['sslmode=%', 'has a % in its name or password'],
  ])('refuses %j', (query, sentence) => {
    expect(refusing(query)).toThrow(RangeError);
    expect(refusing(query)).toThrow(sentence);
  });

  it.each([
    ['', 'disable'],
    ['&&', 'disable'],
    ['ssl=true', 'require'],
    ['SSL-Mode=VERIFY_IDENTITY', 'verify-full'],
    ['ssl={"rejectUnauthorized": true}', 'verify-full'],
    ['sslmode=require&sslrootcert=/ca.pem', 'verify-ca'],
    ['sslmode=require&sslrootcert=system', 'verify-full'],
    ['sslrootcert=/ca.pem', 'verify-full'],
    ['sslmode=require&ssl=require', 'require'],
  ])('reads the mode of %j as %s', (query, sslMode) => {
    expect(readSettings('postgres', query).sslMode).toBe(sslMode);
  });

  it('takes a plus sign as one, and leaves an authority of the system to the system', () => {
    expect(readSettings('mysql', 'ssl-ca=/my+ca.pem')).toEqual({
      sslMode: 'verify-full',
      sslRootCert: '/my+ca.pem',
    });
    expect(readSettings('postgres', 'sslrootcert=system')).toEqual({ sslMode: 'verify-full' });
  });

  it('takes of each database the settings it has', () => {
    expect(() => readSettings('postgres', 'charset=utf8mb4')).toThrow('unknown setting: charset');
    expect(() => readSettings('mysql', 'charset=latin1')).toThrow('another charset than utf8mb4');
    expect(readSettings('mariadb', 'charset=utf8mb4&socket=/run/m.sock')).toEqual({
      sslMode: 'disable',
      socket: '/run/m.sock',
    });
    expect(readSettings('postgres', 'host=/run/pg&pgbouncer=true')).toEqual({
      sslMode: 'disable',
      isPooled: true,
      socket: '/run/pg',
    });
  });
});
