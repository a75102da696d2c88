import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the build reads. */
const SOURCES = [
  'server',
  'console',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle-server.mjs',
  'package.json',
  // Packages are part of what is built.
  'package-lock.json',
];
const SKIPPED = new Set(['node_modules', 'dist']);
const TESTS = /\.spec\.tsx?$/;

/**
 * One digest over names and bytes of everything the build reads: differs when a file was added, changed or removed.
 * Plain ES2022, built-in modules only (see ensure.mjs).
 */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (!statSync(full).isDirectory()) {
      if (!TESTS.test(path)) hash.update(`${path}\n`).update(readFileSync(full));
      return;
    }
    for (const name of readdirSync(full).sort()) if (!SKIPPED.has(name)) visit(join(path, name));
  };
  SOURCES.forEach(visit);
  return hash.digest('hex');
}
