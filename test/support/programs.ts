/**
 * Finds the programs the tests need and, where we may, installs the missing ones with the system's package manager.
 * Built-in modules and erasable types only: the plain test runner loads this file as well.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Program =
  | 'mariadbd'
  | 'mariadb-install-db'
  | 'postgres'
  | 'initdb'
  | 'redis-server'
  | 'chromium'
  | 'nginx'
  | 'pgbouncer';

const PACKAGE_OF: Readonly<Record<Program, readonly string[]>> = {
  mariadbd: ['mariadb-server'],
  'mariadb-install-db': ['mariadb-server'],
  postgres: ['postgresql'],
  initdb: ['postgresql'],
  'redis-server': ['redis-server'],
  // Chromium without a window to draw: a third less work for the same pages.
  chromium: ['chromium-headless-shell', 'fonts-noto-cjk'],
  nginx: ['nginx-light'],
  pgbouncer: ['pgbouncer'],
};

/** Other names of the same program, tried in order. */
const SPELLINGS: Partial<Record<Program, readonly string[]>> = {
  mariadbd: ['mariadbd', 'mysqld'],
  'mariadb-install-db': ['mariadb-install-db', 'mysql_install_db'],
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
};

export class ProgramMissingError extends Error {}

/** Path of the program, or null when this machine does not have it. */
export function findProgram(program: Program): string | null {
  for (const folder of searchFolders()) {
    for (const name of SPELLINGS[program] ?? [program]) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

/**
 * Path of the program, which is there.
 * Fails: ProgramMissingError with the command that would install it.
 */
export function getProgram(program: Program): string {
  const path = findProgram(program);
  if (path === null) throw new ProgramMissingError(missingSentence([program]));
  return path;
}

/**
 * Installs missing ones of `programs` when that needs no confirmation.
 * Fails: ProgramMissingError with the command that would install it.
 */
export function installMissing(programs: readonly Program[], say: (line: string) => void): void {
  const missing = programs.filter((program) => findProgram(program) === null);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !searchFolders().some((folder) => isExecutable(join(folder, 'apt-get')))) {
    throw new ProgramMissingError(missingSentence(missing));
  }
  const packages = packagesOf(missing);
  say(`installing ${packages.join(', ')} (once; a minute or two)`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const result = spawnSync('apt-get', words, { env: environment, encoding: 'utf8', timeout: 600_000 });
    if (result.status !== 0) {
      const lastLines = result.stderr.trim().split('\n').slice(-5).join('\n');
      throw new ProgramMissingError(`${missingSentence(missing)}\napt-get ${words[0]} said:\n${lastLines}`);
    }
  }
  const stillMissing = missing.filter((program) => findProgram(program) === null);
  if (stillMissing.length > 0) throw new ProgramMissingError(missingSentence(stillMissing));
}

function missingSentence(programs: readonly Program[]): string {
  const packages = packagesOf(programs).join(' ');
  return (
    `The tests need ${programs.join(', ')}, which this machine does not have. ` +
    `Install with: apt-get update && apt-get install -y --no-install-recommends ${packages}`
  );
}

function packagesOf(programs: readonly Program[]): string[] {
  return [...new Set(programs.flatMap((program) => PACKAGE_OF[program]))];
}

function searchFolders(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...path, '/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin', ...postgresFolders()];
}

/** Debian keeps the server's programs outside the search path, one folder per major version; the newest first. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(root, version, 'bin'));
  } catch {
    // No such folder: not a Debian machine or no server installed, both of which the caller reports.
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: both mean "look further".
    return false;
  }
}
