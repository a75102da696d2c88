import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { nodeRefusal } from '../../server/process/start-checks/require-node.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../dist/server');
const programs = readdirSync(folder)
  .filter((name) => name.endsWith('.program.js'))
  .map((name) => name.replace('.program.js', '.js'));
/** An old Node of the machine, if there is one; otherwise only the reported version differs. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) =>
    existsSync(path) &&
    nodeRefusal(spawnSync(path, ['-p', 'process.versions.node']).stdout.toString().trim()) !== undefined,
);

describe('a program that its Node cannot run', () => {
  it('covers every program an operator starts', () => {
    expect(programs).toEqual(
      expect.arrayContaining(['audit-verify.js', 'backup.js', 'main.js', 'migrate.js', 'money-check.js']),
    );
  });

  it.each(programs)('%s looks at its Node before it loads anything else', (name) => {
    const door = readFileSync(join(folder, name), 'utf8');
    expect(door).toBe(
      `import './require-node.js';\nawait import('./${name.replace('.js', '.program.js')}');\n`,
    );
  });

  it.each(programs)('%s reports it in one sentence and ends with 1', (name) => {
    const pretended = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;
    const [node, flags] = oldNode === undefined ? [process.execPath, ['--import', pretended]] : [oldNode, []];
    const { status, signal, stderr, stdout } = spawnSync(node, [...flags, join(folder, name)]);
    expect([status, signal, stdout.toString()]).toEqual([1, null, '']);
    expect(stderr.toString()).toMatch(
      /^Tollgate needs Node 24 or newer and this is \d[\d.]*: .*node_modules\/\.bin\/node.*\n$/,
    );
  });
});
