import { afterEach, describe, expect, it } from '@jest/globals';
import { takeSmallPools } from './buffer-pool-size.js';

describe('takeSmallPools', () => {
  const before = Buffer.poolSize;

  afterEach(() => {
    Buffer.poolSize = before;
  });

  it('has small buffers cut from pools of 8 KB, so that a piece that lives on does not keep 64', () => {
    Buffer.poolSize = 64 * 1024;
    takeSmallPools();
    // The rest of the pool before is used up first.
    const pools = new Set(Array.from({ length: 64 * 2 }, () => Buffer.allocUnsafe(1_000).buffer.byteLength));
    // Node adds a little, to begin at a border of its liking.
    expect(Math.min(...pools)).toBeLessThan(9 * 1024);
  });
});
