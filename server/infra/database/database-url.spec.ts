import { describe, expect, it } from '@jest/globals';
import { parseRedisAddress } from '../../config/redis-address.js';
import { DatabaseUrlError, encryptionOf, parseDatabaseUrl, type ServerAddress } from './database-url.js';

describe('parseDatabaseUrl', () => {
  it.each([
    ['sqlite:', /names no file/],
    ['mysql://user:hunter2@host', /names no database/],
    [
      'postgres://user:hunter2@host/db?sslmode=maybe',
      /it is disable, prefer, require, verify-ca, verify-full/,
    ],
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

  /** Passwords as people paste them, and the hint they get; REDIS_URL gives the same one. */
  const PASTED: readonly (readonly [password: string, hint: string])[] = [
    ['pa/ss', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['pa?ss', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['pa#ss', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['12/34', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['12#34', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['12?34', 'has a password with /, ? or # in it: write them as %2F, %3F and %23'],
    ['pa@ss', 'has an @ in its password: write it as %40'],
    ['100%', 'has a % in its name or password: write it as %25'],
    ['%zz', 'has a % in its name or password: write it as %25'],
  ];
  const faultOf = (read: () => unknown): string => {
    try {
      read();
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  it.each(PASTED)('shows the encoding of a password such as %s, as for Redis', (password, hint) => {
    for (const scheme of ['mysql', 'mariadb', 'postgres', 'postgresql'])
      for (const end of ['db.example/gate', 'db.example:5432/gate?sslmode=require'])
        expect(faultOf(() => parseDatabaseUrl(`${scheme}://app:${password}@${end}`))).toBe(
          `the database address ${hint}`,
        );
    // There ? and # end nothing, and are taken as they stand.
    if (/[?#]/.test(password)) return;
    expect(faultOf(() => parseRedisAddress(`redis://app:${password}@db.example:6379`))).toBe(
      `REDIS_URL ${hint}`,
    );
  });

  it.each(PASTED)('takes a password such as %s when it is written so', (password) => {
    for (const scheme of ['mysql', 'mariadb', 'postgres', 'postgresql'])
      expect(parseDatabaseUrl(`${scheme}://app:${encodeURIComponent(password)}@h/gate`)).toMatchObject({
        password,
      });
  });

  /** Addresses as providers show them. */
  it.each([
    [
      'postgresql://u:p@ep-x-pooler.eu.aws.neon.tech/gate?sslmode=require&channel_binding=require',
      { sslMode: 'require', bindsChannel: true },
    ],
    [
      'postgresql://postgres.ref:p@aws-0.pooler.supabase.com:6543/postgres?pgbouncer=true',
      { isPooled: true, username: 'postgres.ref' },
    ],
    ['postgres://u:p@h/gate?ssl=true', { sslMode: 'require' }],
    ['postgres://u:p@h/gate?sslmode=prefer', { sslMode: 'prefer' }],
    ['postgres://u:p@h/gate?sslmode=allow', { sslMode: 'prefer' }],
    ['postgres://u:p@h/gate?sslmode=no-verify', { sslMode: 'require' }],
    [
      'postgres://u:p@h/gate?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
      { sslMode: 'verify-ca', sslRootCert: '/etc/ca.pem' },
    ],
    [
      'postgres://u:p@h/gate?sslmode=require&sslrootcert=/etc/ca.pem',
      { sslMode: 'verify-ca', sslRootCert: '/etc/ca.pem' },
    ],
    ['postgres://u:p@h/gate?sslmode=require&sslrootcert=system', { sslMode: 'verify-full' }],
    ['postgres://u:p@/gate?host=/run/postgresql', { socket: '/run/postgresql', host: '/run/postgresql' }],
    ['postgres://u@%2Frun%2Fpostgresql/gate', { socket: '/run/postgresql', host: '/run/postgresql' }],
    ['mysql://u:p@h:25060/gate?ssl-mode=REQUIRED', { sslMode: 'require', port: 25_060 }],
    [
      'mysql://u:p@h/gate?ssl-mode=VERIFY_IDENTITY&ssl-ca=/etc/ca.pem',
      { sslMode: 'verify-full', sslRootCert: '/etc/ca.pem' },
    ],
    ['mysql://u:p@h/gate?ssl_mode=VERIFY_CA', { sslMode: 'verify-ca' }],
    ['mysql://u:p@h/gate?sslMode=PREFERRED', { sslMode: 'prefer' }],
    ['mysql://u:p@h/gate?ssl={"rejectUnauthorized":true}', { sslMode: 'verify-full' }],
    ['mysql://u:p@h/gate?ssl=%7B%22rejectUnauthorized%22%3Atrue%7D', { sslMode: 'verify-full' }],
    ['mysql://u:p@h/gate?sslaccept=strict', { sslMode: 'verify-full' }],
    ['mariadb://u:p@localhost/gate?socket=/run/mysqld/mysqld.sock', { socket: '/run/mysqld/mysqld.sock' }],
    ['mariadb://u:p@h/gate?charset=utf8mb4', { sslMode: 'disable' }],
    ['postgres://u:p,q@h/gate', { password: 'p,q', host: 'h' }],
    ['postgres://u:p@[2001:db8::5]:5433/gate', { host: '2001:db8::5', port: 5433 }],
  ])('reads %s', (text, expected) => {
    expect(parseDatabaseUrl(text)).toMatchObject(expected);
  });

  it.each([
    ['postgres://u:p@h/gate?channel_binding=require', /without TLS: add sslmode=require/],
    ['postgres://u:p@h/gate?channel_binding=maybe', /channel_binding with another value/],
    ['postgres://u:p@h/gate?sslmode=require&ssl=false', /says two things with the setting ssl/],
    ['mysql://u:p@h/gate?socket=mysqld.sock', /no absolute path/],
    ['mysql://u:p@h/gate?charset=latin1', /always used/],
    ['mysql://u:p@h/gate?channel_binding=require', /unknown setting: channel_binding/],
    ['postgres://u:p@/gate', /names no host/],
    ['postgres://u:p@a.example:5432,b.example:5433/gate', /names several hosts/],
    ['postgres://u:p@a.example,b.example/gate?sslmode=require', /names several hosts/],
    ['mysql://a.example,b.example/gate', /names several hosts/],
    ['postgres://u:p@h:0/gate', /port that does not exist/],
    ['postgres://u:p@h:99999/gate', /port that does not exist/],
  ])('refuses %s with a sentence', (text, sentence) => {
    expect(faultOf(() => parseDatabaseUrl(text))).toMatch(sentence);
  });

  it('checks certificates as far as the mode requires, and not on a socket', () => {
    const told = (query: string): unknown =>
      encryptionOf(parseDatabaseUrl(`postgres://u:p@h/gate${query}`) as ServerAddress);
    expect(told('')).toBeUndefined();
    expect(told('?sslmode=require')).toEqual({ rejectUnauthorized: false, checksName: false });
    expect(told('?sslmode=verify-ca')).toEqual({ rejectUnauthorized: true, checksName: false });
    expect(told('?sslmode=verify-full')).toEqual({ rejectUnauthorized: true, checksName: true });
    expect(told('?sslmode=verify-full&host=/run/postgresql')).toBeUndefined();
    expect(faultOf(() => told('?sslrootcert=/no/such/file.pem'))).toMatch(
      /\/no\/such\/file.pem, cannot be read \(ENOENT\)/,
    );
  });
});
