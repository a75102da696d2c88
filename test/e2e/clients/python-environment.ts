import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const requirements = join(import.meta.dirname, 'python/requirements.txt');
export const PYTHON_PROGRAM = join(import.meta.dirname, 'python/main.py');
const INSTALL_TIMEOUT_MS = 240_000;
const MIN_MINOR = 11;

/** Why Python's clients cannot run here; undefined = they can. */
export function pythonFault(): string | undefined {
  const asked = spawnSync('python3', ['-c', 'import ensurepip, sys, venv; print(sys.version_info.minor)'], {
    encoding: 'utf8',
  });
  if (asked.error !== undefined) return 'there is no python3';
  if (asked.status !== 0) return 'python3 has no venv';
  if (Number(asked.stdout) < MIN_MINOR) return `python3 is older than 3.${MIN_MINOR}`;
  return undefined;
}

/**
 * An interpreter with the packages of requirements.txt, kept beside the other caches until that file changes.
 * Fails: throws with what pip said.
 */
export function pythonWithPackages(): string {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(root, 'node_modules/.cache/python-clients', digest);
  const python = join(folder, 'bin/python');
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  writeFileSync(mark, '');
  return python;
}

function run(command: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0)
    throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stderr.slice(-2_000)}`);
}
