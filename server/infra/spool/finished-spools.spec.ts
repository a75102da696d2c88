import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { FinishedSpools } from './finished-spools.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('segments whose calls are booked', () => {
  let root: string;
  let clock: FakeClock;
  let freeBytes: number;
  let faults: string[];
  let spools: FinishedSpools;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tollgate-finished-'));
    clock = new FakeClock(Date.now());
    freeBytes = 1_000_000;
    faults = [];
    spools = new FinishedSpools({
      root,
      clock,
      freeBytes: () => Promise.resolve(freeBytes),
      onFault: (message, error) => faults.push(`${message}: ${String(error)}`),
    });
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
    expect(faults).toEqual([]);
  });

  function write(folder: string, name: string, ageMs: number, bytes = 100): void {
    mkdirSync(join(root, folder), { recursive: true });
    const path = join(root, folder, name);
    writeFileSync(path, Buffer.alloc(bytes));
    const seconds = (clock.nowMs() - ageMs) / 1_000;
    utimesSync(path, seconds, seconds);
  }
  const left = (folder: string): string[] => readdirSync(join(root, folder)).sort();

  it('keeps them for a week', async () => {
    write('live', '00000001.spool.done', 7 * DAY_MS + MINUTE_MS);
    write('live', '00000002.spool.done', 7 * DAY_MS - MINUTE_MS);
    write('live', '00000003.spool', 8 * DAY_MS);
    write('gone.done', '00000001.spool.done', 9 * DAY_MS);
    write('gone.done', '00000002.spool', 8 * DAY_MS);
    await spools.sweep();
    expect(left('live')).toEqual(['00000002.spool.done', '00000003.spool']);
    // Nothing is left of it but who it belonged to.
    await spools.sweep();
    expect(readdirSync(root)).toEqual(['live']);
    expect(spools.bytes).toBe(100);
    expect(clock.nowMs() - (spools.oldestMs ?? 0)).toBeCloseTo(7 * DAY_MS - MINUTE_MS, -2);
  });

  it('keeps a quarter of the free disk at most: the oldest of all workers go first', async () => {
    for (let index = 1; index <= 9; index += 1)
      write(index % 2 === 0 ? 'one' : 'two', `0000000${index}.spool.done`, DAY_MS - index * MINUTE_MS);
    freeBytes = 1_500;
    // (900 + 1,500) / 4 = 600
    await spools.sweep();
    expect([...left('one'), ...left('two')].sort()).toEqual(
      [4, 5, 6, 7, 8, 9].map((index) => `0000000${index}.spool.done`),
    );
    expect(spools.bytes).toBe(600);
  });

  it('removes all but the youngest on a full disk, and nothing else [F-67]', async () => {
    write('live', '00000001.spool.done', DAY_MS);
    write('live', '00000002.spool.done', 11 * MINUTE_MS);
    write('live', '00000003.spool.done', 9 * MINUTE_MS);
    write('live', '00000004.spool', DAY_MS);
    write('quarantine', '00000001.spool.done', DAY_MS);
    writeFileSync(join(root, 'reserve'), Buffer.alloc(100));
    freeBytes = 0;
    await spools.sweep();
    expect(left('live')).toEqual(['00000003.spool.done', '00000004.spool']);
    expect(left('quarantine')).toEqual(['00000001.spool.done']);
    expect(readdirSync(root)).toContain('reserve');
  });
});
