/**
 * `npm run docs`, on a fresh build: everything in docs/ and in the console that is written from the code. The document of the API and the
 * console's types, the tables of options, errors, formats, providers, modules and tests, the matrix of clients.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const STEPS = [
  ['API document, routes, metrics, types of the console', 'scripts/generate-api.mjs'],
  ['tables of options, errors, formats, providers, modules and tests', 'scripts/generate-docs.mjs'],
  [
    'matrix of clients',
    '--import',
    './test/support/register-typescript.mjs',
    'test/e2e/clients/write-matrix.ts',
  ],
];

for (const [title, ...words] of STEPS) {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  process.stdout.write(`  ${status === 0 ? '✓' : '✗'} ${title}\n`);
  if (status !== 0) process.exit(1);
}
process.stdout.write('docs: `git status` shows what changed\n');
