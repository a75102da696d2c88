import { Buffer } from 'node:buffer';

const POOL_BYTES = 8 * 1024;

/**
 * Small buffers of a thread are cut from pools. Node makes them of 64 KB: one piece that lives on, such as the last events of a stream, keeps all of
 * it, and with hundreds of streams that is 10 MB. Once per thread, as early as can be.
 */
export function takeSmallPools(): void {
  Buffer.poolSize = POOL_BYTES;
}
