import { cpSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce, runTool } from './install-once.js';

const source = join(import.meta.dirname, 'node');
const LIST = ['package.json', 'package-lock.json'];

/**
 * The program beside packages of its own, so that what it tries is what a stranger installs and nothing of ours.
 * Fails: throws with what npm said.
 */
export function nodeProgram(): string {
  const folder = installOnce(
    'node-clients',
    LIST.map((file) => join(source, file)),
    (into) => {
      mkdirSync(into);
      for (const file of LIST) cpSync(join(source, file), join(into, file));
      runTool('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: into,
      });
    },
  );
  for (const file of globSync('*.mjs', { cwd: source })) cpSync(join(source, file), join(folder, file));
  return join(folder, 'main.mjs');
}
