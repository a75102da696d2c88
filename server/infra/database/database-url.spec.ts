import { describe, expect, it } from '@jest/globals';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.js';

describe('parseDatabaseUrl', () => {
  it.each([
    ['sqlite:', /names no file/],
    ['mysql://user:hunter2@host', /names no database/],
    ['postgres://user:hunter2@host/db?sslmode=maybe', /sslmode is disable, require, verify-full/],
    ['postgres://user:hunter2@host/db?pool=9', /unknown setting: pool/],
    ['oracle://user:hunter2@host/db', /starts with oracle:/],
    ['not an address', /not a URL/],
  ])('refuses %s without repeating the password', (text, message) => {
    let refusal: unknown;
    try {
      parseDatabaseUrl(text);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DatabaseUrlError);
    expect(String(refusal)).toMatch(message);
    expect(String(refusal)).not.toContain('hunter2');
  });

  it.each([
    ['sqlite:./data/tollgate.db', './data/tollgate.db'],
    ['sqlite:/var/lib/tollgate.db', '/var/lib/tollgate.db'],
    ['sqlite:///var/lib/tollgate.db', '/var/lib/tollgate.db'],
    ['sqlite::memory:', ':memory:'],
  ])('reads the file of %s', (text, path) => {
    expect(parseDatabaseUrl(text)).toEqual({ dialect: 'sqlite', path });
  });

  it('reads a server address with special characters in the password, and knows the usual ports', () => {
    expect(
      parseDatabaseUrl('mariadb://app:p%40ss%2Fword@db.example/toll%20gate?sslmode=verify-full'),
    ).toEqual({
      dialect: 'mysql',
      type: 'mariadb',
      host: 'db.example',
      port: 3306,
      username: 'app',
      password: 'p@ss/word',
      database: 'toll gate',
      sslMode: 'verify-full',
    });
    expect(parseDatabaseUrl('postgresql://app@[::1]:6432/gate')).toMatchObject({
      type: 'postgres',
      host: '::1',
      port: 6432,
      sslMode: 'disable',
    });
  });
});
