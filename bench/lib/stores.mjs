import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { freePort } from '../../test/support/free-port.mjs';
import { OTHER_CORE, startProgram, untilReady } from './processes.mjs';

const run = promisify(execFile);
const MARIADB_SERVERS = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd', '/usr/local/sbin/mariadbd'];

/** Answers whether something accepts connections there. */
const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** A Redis with nothing in it and nothing on disk. */
export async function startRedis(folder) {
  const port = await freePort();
  const child = startProgram({
    name: 'Redis',
    core: OTHER_CORE,
    command: 'redis-server',
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ],
  });
  await untilReady(child, () => accepts(port));
  return { child, url: `redis://127.0.0.1:${port}` };
}

/**
 * A MariaDB of its own with empty databases.
 * Durability per commit is left at its default: what an operator would run.
 */
export async function startMariadb(folder, databases) {
  const server = MARIADB_SERVERS.find(existsSync) ?? 'mariadbd';
  const dataFolder = join(folder, 'mariadb');
  const temporaryFolder = join(folder, 'mariadb-tmp');
  await mkdir(dataFolder, { recursive: true });
  await mkdir(temporaryFolder, { recursive: true });
  const user = userInfo().username;
  await run('mariadb-install-db', [
    '--no-defaults',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    `--user=${user}`,
    `--datadir=${dataFolder}`,
  ]);
  const port = await freePort();
  const child = startProgram({
    name: 'MariaDB',
    core: OTHER_CORE,
    command: server,
    args: [
      '--no-defaults',
      `--user=${user}`,
      `--datadir=${dataFolder}`,
      // Its own: a server that starts deletes the temporary tables of others in a folder they share.
      `--tmpdir=${temporaryFolder}`,
      `--socket=${join(dataFolder, 's')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-log-bin',
      '--skip-name-resolve',
      '--innodb-buffer-pool-size=128M',
      '--performance-schema=OFF',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
    ],
  });
  await untilReady(child, () => accepts(port));
  const connection = await mysql.createConnection({ host: '127.0.0.1', port, user: 'root' });
  await connection.query("CREATE USER 'tollgate'@'%' IDENTIFIED BY 'tollgate'");
  for (const name of databases) {
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    await connection.query(`GRANT ALL ON ${name}.* TO 'tollgate'@'%'`);
  }
  await connection.end();
  return { child, urlOf: (name) => `mysql://tollgate:tollgate@127.0.0.1:${port}/${name}` };
}
