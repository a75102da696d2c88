import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { dumpDatabase } from './backup/dump-database.js';
import { loadEnv } from '../config/env-file.js';
import { PRODUCT_VERSION } from '../common/product.js';
import { runProgram } from './run-program.js';

/**
 * `npm run backup -- FOLDER`: writes the database, and that of the usage log when it is another one, into a new folder while the
 * server runs. Neither secrets nor the spool: docs/operating/backup-and-restore.md lists what else to back up.
 */
async function main(): Promise<undefined> {
  const [word, ...rest] = process.argv.slice(2);
  if (word === undefined || word === '' || rest.length > 0)
    throw new Error('name one folder: npm run backup -- FOLDER');
  const folder = resolve(word);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty; a backup gets a folder of its own`);
  const env = loadEnv();
  const startedAt = new Date();
  const files = [await dumpDatabase(env.databaseUrl, folder, 'tollgate')];
  if (env.logDatabaseUrl !== undefined && env.logDatabaseUrl !== env.databaseUrl)
    files.push(await dumpDatabase(env.logDatabaseUrl, folder, 'tollgate-logs'));
  // A backup reveals every account, and other users may have access to the folder.
  for (const file of files) chmodSync(file, 0o600);
  const sizes = Object.fromEntries(files.map((file) => [basename(file), statSync(file).size]));
  const note = { product: `tollgate ${PRODUCT_VERSION}`, started_at: startedAt.toISOString(), bytes: sizes };
  writeFileSync(join(folder, 'backup.json'), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  const seconds = ((Date.now() - startedAt.getTime()) / 1000).toFixed(1);
  process.stdout.write(
    `Backed up to ${folder} in ${seconds} s: ${Object.keys(sizes).join(', ')}. ` +
      'CRYPTO_SECRET and SESSION_SECRET are not in it: keep them elsewhere, without them it cannot be used.\n',
  );
}

await runProgram('backup', main);
