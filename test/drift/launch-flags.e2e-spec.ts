import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { V8_FLAGS } from '../support/v8-flags.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Everything in a text that looks like a flag of V8's heap, in order. */
const heapFlags = (text: string): string[] =>
  text.match(/--(max-semi-space-size|heap-growing-percent|v8-pool-size)=\d+/g) ?? [];

/** Programs that start the built server. */
const READERS = [
  'bench/targets/start-targets.mjs',
  'bench/lib/console-gateway.mjs',
  'test/chaos/rig/instance.ts',
  'test/support/gateway-process.ts',
];
/** Lists the flags chosen at a time, and stays as it is. */
const HISTORY =
  /^(docs\/decisions\/|docs\/performance-history|test\/drift\/launch-flags|server\/process\/v8-flags)/;

/** npm, Docker and systemd cannot read another file: these say the flags once more. */
const copies = execFileSync('git', ['grep', '-lE', 'max-semi-space-size=|heap-growing-percent='], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !HISTORY.test(file));

describe('flags the server is started with', () => {
  it('passes only flags this Node knows', () => {
    expect(V8_FLAGS).toHaveLength(3);
    const run = () => execFileSync(process.execPath, [...V8_FLAGS, '-e', '0'], { stdio: 'pipe' });
    expect(run).not.toThrow();
  });

  it('gives them by npm start and by the image', () => {
    expect(copies).toEqual(expect.arrayContaining(['package.json', 'docker/Dockerfile']));
  });

  it.each(copies)('gives the same ones in %s', (path) => {
    expect(heapFlags(read(path))).toEqual(V8_FLAGS);
  });

  it.each(READERS)('reads them, and does not repeat them, in %s', (path) => {
    expect(heapFlags(read(path))).toEqual([]);
    expect(read(path)).toContain('V8_FLAGS');
  });
});
