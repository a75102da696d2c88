import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Everything in a text that looks like a flag of V8's heap, in order. */
const heapFlags = (text: string): string[] =>
  text.match(/--(max-semi-space-size|heap-growing-percent|v8-pool-size)=\d+/g) ?? [];

describe('flags the server is started with', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const ofStart = heapFlags(scripts['start'] ?? '');

  it('are given by the start script', () => {
    expect(ofStart).toHaveLength(3);
  });

  it.each([
    'docker/Dockerfile',
    'bench/targets/start-targets.mjs',
    'bench/lib/console-gateway.mjs',
    'test/chaos/rig/instance.ts',
    'test/support/gateway-process.ts',
    'docs/performance.md',
  ])('are the same in %s', (path) => {
    expect(heapFlags(read(path))).toEqual(ofStart);
  });
});
