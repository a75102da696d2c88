import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');
const INSTALL_TIMEOUT_MS = 240_000;

/**
 * A folder beside the other caches, filled once for a list of packages and made anew when the list changes.
 * @param list  files that decide what is installed
 * Fails: throws what `install` throws; the folder is then not taken for filled.
 */
export function installOnce(
  name: string,
  list: readonly string[],
  install: (folder: string) => void,
): string {
  const hash = createHash('sha256');
  for (const file of list) hash.update(readFileSync(file));
  const folder = join(CACHE, name, hash.digest('hex').slice(0, 16));
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(mark, '');
  return folder;
}

/** Fails: throws with what the program said. */
export function runTool(
  command: string,
  words: readonly string[],
  { cwd, timeoutMs = INSTALL_TIMEOUT_MS }: { readonly cwd?: string; readonly timeoutMs?: number } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${words.join(' ')}: ${error?.message ?? `${stdout.slice(-2_000)}${stderr.slice(-2_000)}`}`,
    );
  return stdout;
}
