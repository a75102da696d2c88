import { describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { StartRefusal } from '../../common/errors/start-refusal.js';
import { checkDiskSpace } from './disk-space.js';

const MEGABYTE = 1024 * 1024;

describe('checkDiskSpace', () => {
  it.each([
    [0, '0.0'],
    [3 * MEGABYTE, '3.0'],
    [16 * MEGABYTE - 1, '16.0'],
  ])('refuses a disk with %i bytes left', (freeBytes, shown) => {
    expect(() => checkDiskSpace('/data', freeBytes)).toThrow(StartRefusal);
    expect(() => checkDiskSpace('/data', freeBytes)).toThrow(
      `DATA_DIR: only ${shown} MB are free on the disk of /data`,
    );
  });

  it('takes sixteen megabytes, and checks by itself', () => {
    expect(checkDiskSpace('/data', 16 * MEGABYTE)).toBeUndefined();
    expect(checkDiskSpace(tmpdir())).toBeUndefined();
  });
});
