import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Cache of the account, as package managers have one: every checkout uses the same packages. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate-tests');
const INSTALL_TIMEOUT_MS = 240_000;

/**
 * A folder in the cache of the account, filled once for a list of packages and made anew when the list changes. It is filled under another
 * name: two runs at once install twice, and one of them is kept.
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
  const mark = 'installed';
  if (existsSync(join(folder, mark))) return folder;
  const filling = `${folder}.${process.pid}`;
  mkdirSync(filling, { recursive: true });
  try {
    install(filling);
    writeFileSync(join(filling, mark), '');
    if (!existsSync(join(folder, mark))) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(filling, folder);
    }
  } finally {
    rmSync(filling, { recursive: true, force: true });
  }
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
