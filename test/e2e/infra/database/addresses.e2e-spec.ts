import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

/** Characters with a meaning in an address, and non-Latin letters. */
const PASSWORDS = ['per%cent', 'a?b', 'a#b', 'a@b', 'a/b', 'a:b', 'ä€漢🔑', 'a+b c', '%2F', 'q\'"\\'];

const sources: DataSource[] = [];
async function userAt(url: string, sql: string): Promise<string> {
  const source = await openDataSource(url, { entities: [], poolSize: 1 });
  sources.push(source);
  const [row] = await source.query<readonly { who: string }[]>(sql);
  return row?.who ?? '';
}
afterEach(async () => {
  for (const source of sources.splice(0)) await source.destroy();
});

const hasIpv6 = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '::1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

const nameOf = (): string => `u_${randomBytes(5).toString('hex')}`;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

describe('addresses of PostgreSQL, tried on a server that asks for passwords', () => {
  const WHO = 'SELECT current_user AS who';
  const user = nameOf();
  let database: TestDatabase;
  let address: URL;
  let admin: pg.Client;
  let rules: { readonly file: string; readonly before: string } | undefined;
  const at = (password: string, more = ''): string =>
    `postgres://${user}:${encodeURIComponent(password)}@${address.host}${address.pathname}${more}`;
  const setPassword = (password: string): Promise<unknown> =>
    admin.query(`ALTER ROLE ${user} PASSWORD ${quoted(password)}`);

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    address = new URL(database.url);
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`SET standard_conforming_strings = on`);
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD 'x'`);
    // The server of the tests trusts all accounts; this one has to send its password.
    const { rows } = await admin.query<{ hba_file: string }>('SHOW hba_file');
    const file = rows[0]?.hba_file ?? '';
    rules = { file, before: readFileSync(file, 'utf8') };
    writeFileSync(
      file,
      `local all ${user} scram-sha-256\nhost all ${user} all scram-sha-256\n${rules.before}`,
    );
    await admin.query('SELECT pg_reload_conf()');
  });
  afterAll(async () => {
    if (rules !== undefined) {
      const own = readFileSync(rules.file, 'utf8')
        .split('\n')
        .filter((line) => !line.includes(user));
      writeFileSync(rules.file, own.join('\n'));
    }
    await admin?.query(`DROP ROLE ${user}`);
    await admin?.end();
    await database?.drop();
  });

  it.each(PASSWORDS)('signs in with the password %s', async (password) => {
    await setPassword(password);
    expect(await userAt(at(password), WHO)).toBe(user);
    await expect(userAt(at(`${password}x`), WHO)).rejects.toMatchObject({ code: '28P01' });
  });

  it('takes modes of TLS as far as the server offers it, and channel binding where it can be had', async () => {
    await setPassword('plain');
    for (const more of [
      '?sslmode=disable',
      '?sslmode=prefer',
      '?sslmode=allow',
      '?ssl=false',
      '?sslmode=prefer&channel_binding=prefer',
    ])
      expect(await userAt(at('plain', more), WHO)).toBe(user);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      await expect(userAt(at('plain', `?sslmode=${mode}`), WHO)).rejects.toThrow(/SSL|TLS/);
  });

  it('connects by IPv6, and by the socket of this machine where there is one', async () => {
    await setPassword('plain');
    const port = Number(address.port);
    if (await hasIpv6(port))
      expect(await userAt(`postgres://${user}:plain@[::1]:${port}${address.pathname}`, WHO)).toBe(user);
    const { rows } = await admin.query<{ unix_socket_directories: string }>('SHOW unix_socket_directories');
    const folder = rows[0]?.unix_socket_directories.split(',')[0]?.trim() ?? '';
    if (folder === '') return;
    for (const url of [
      `postgres://${user}:plain@:${port}${address.pathname}?host=${folder}`,
      `postgres://${user}:plain@${encodeURIComponent(folder)}:${port}${address.pathname}`,
    ])
      expect(await userAt(url, WHO)).toBe(user);
  });
});

describe('addresses of MariaDB, tried on a server that asks for passwords', () => {
  const WHO = "SELECT SUBSTRING_INDEX(USER(), '@', 1) AS who";
  const user = nameOf();
  let database: TestDatabase;
  let address: URL;
  let admin: DataSource;
  const at = (password: string, more = '', scheme = 'mariadb'): string =>
    `${scheme}://${user}:${encodeURIComponent(password)}@${address.host}${address.pathname}${more}`;
  const setPassword = (password: string): Promise<unknown> =>
    admin.query(
      `SET PASSWORD FOR '${user}'@'%' = PASSWORD('${password.replaceAll('\\', '\\\\').replaceAll("'", "''")}')`,
    );

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    address = new URL(database.url);
    admin = await openDataSource(database.url, { entities: [], poolSize: 1 });
    await admin.query(`CREATE USER '${user}'@'%' IDENTIFIED BY 'x'`);
    await admin.query(`GRANT ALL ON ${address.pathname.slice(1)}.* TO '${user}'@'%'`);
  });
  afterAll(async () => {
    await admin?.query(`DROP USER '${user}'@'%'`);
    await admin?.destroy();
    await database?.drop();
  });

  it.each(PASSWORDS)('signs in with the password %s', async (password) => {
    await setPassword(password);
    for (const scheme of ['mariadb', 'mysql']) expect(await userAt(at(password, '', scheme), WHO)).toBe(user);
    await expect(userAt(at(`${password}x`), WHO)).rejects.toMatchObject({ code: 'ER_ACCESS_DENIED_ERROR' });
  });

  it('takes the charset there is, modes of TLS as far as the server offers it, and its socket', async () => {
    await setPassword('plain');
    for (const more of [
      '?charset=utf8mb4',
      '?ssl-mode=DISABLED',
      '?ssl-mode=PREFERRED',
      '?sslMode=PREFERRED',
    ])
      expect(await userAt(at('plain', more), WHO)).toBe(user);
    const [tls] = await admin.query<readonly { Value: string }[]>("SHOW VARIABLES LIKE 'have_ssl'");
    const required = userAt(at('plain', '?ssl-mode=REQUIRED'), WHO);
    if (tls?.Value === 'YES') expect(await required).toBe(user);
    else await expect(required).rejects.toThrow();
    await expect(userAt(at('plain', '?ssl-mode=VERIFY_CA'), WHO)).rejects.toThrow();
    const [socket] = await admin.query<readonly { path: string }[]>('SELECT @@socket AS path');
    expect(await userAt(at('plain', `?socket=${socket?.path ?? ''}`), WHO)).toBe(user);
    const port = Number(address.port);
    if (await hasIpv6(port))
      expect(await userAt(`mariadb://${user}:plain@[::1]:${port}${address.pathname}`, WHO)).toBe(user);
  });
});
