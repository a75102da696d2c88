import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const REGISTER = new URL('../../test/support/register-typescript.mjs', import.meta.url).href;
const MODULE = fileURLToPath(new URL('./trim-native-heap.ts', import.meta.url));

/** In a process of its own, since memory is the whole process's. */
const SCRIPT = `
  const { findTrim } = await import(${JSON.stringify(MODULE)});
  const trim = findTrim();
  const warnings = [];
  process.on('warning', ({ message }) => warnings.push(message));
  let blocks = Array.from({ length: 100_000 }, (_, index) => Buffer.allocUnsafeSlow(700 + (index % 7) * 100).fill(1));
  const megabytes = () => process.memoryUsage.rss() / 1e6;
  blocks = blocks.filter((_, index) => index % 100 === 0);
  gc();
  await new Promise((resolve) => setTimeout(resolve, 300));
  gc();
  const before = megabytes();
  const isGiven = trim?.();
  await new Promise((resolve) => setImmediate(resolve));
  console.log(JSON.stringify({ found: trim !== undefined, isGiven, freed: before - megabytes(), kept: blocks.length, warnings }));
`;

describe('trimMemory', () => {
  it('gives back what lies between blocks that are used, and warns of nothing', () => {
    const said = execFileSync(
      process.execPath,
      ['--expose-gc', '--import', REGISTER, '--input-type=module', '--eval', SCRIPT],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const answer = JSON.parse(said) as { readonly found: boolean; readonly isGiven: boolean; freed: number };
    const isGlibc = process.report.getReport() as { readonly header?: { glibcVersionRuntime?: string } };
    if (process.platform !== 'linux' || isGlibc.header?.glibcVersionRuntime === undefined) {
      expect(answer.found).toBe(false);
      return;
    }
    expect(answer).toMatchObject({ found: true, isGiven: true, kept: 1_000, warnings: [] });
    expect(answer.freed).toBeGreaterThan(20);
  });
});
