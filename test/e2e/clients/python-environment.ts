import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installOnce, runTool } from './install-once.js';

const requirements = join(import.meta.dirname, 'python/requirements.txt');
export const PYTHON_PROGRAM = join(import.meta.dirname, 'python/main.py');
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

/** An interpreter with the packages of requirements.txt. Fails: throws with what pip said. */
export function pythonWithPackages(): string {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
  const folder = installOnce('python-clients', [requirements], (into) => {
    runTool('python3', ['-m', 'venv', into]);
    runTool(join(into, 'bin/python'), pip);
  });
  return join(folder, 'bin/python');
}
