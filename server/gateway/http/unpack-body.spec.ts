import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { checkBodyHeaders } from './request-checks.js';
import { unpackBody } from './unpack-body.js';

const MAX_BYTES = 2 * 1024 * 1024;
const PACKERS: readonly (readonly [coding: string, pack: (bytes: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', zstdCompressSync],
];
const refusal = (kind: 'body-too-large' | 'invalid-request'): RelayError => ({
  kind,
  blame: 'caller',
  message: kind,
});

function unpacked(packed: Buffer, coding: string, room = Number.POSITIVE_INFINITY) {
  let heldBytes = 0;
  return new Promise<{ result: Buffer | string; heldBytes: number }>((resolve) => {
    const limits = {
      maxBytes: MAX_BYTES,
      hold: (bytes: number) => (heldBytes += bytes) <= room,
      tooLarge: () => refusal('body-too-large'),
      full: (): RelayError => ({ kind: 'unavailable', blame: 'gateway', message: 'full', retryAfterMs: 1 }),
    };
    unpackBody(packed, coding, limits, (given) =>
      resolve({ result: Buffer.isBuffer(given) ? given : given.kind, heldBytes }),
    );
  });
}

/** Text that repeats itself a little, like a conversation. */
const conversation = (bytes: number): Buffer => {
  const words = Array.from({ length: 997 }, (_, index) => `word${(index * 7919) % 1009}`).join(' ');
  return Buffer.from(words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes));
};

describe.each(PACKERS)('a body packed as %s', (coding, pack) => {
  it.each([0, 1, 1_000, 1_500_000])('decompresses %i bytes to the original', async (bytes) => {
    const body = Buffer.concat([conversation(bytes), randomBytes(bytes / 10)]);
    const { result } = await unpacked(pack(body), coding);
    expect(Buffer.isBuffer(result) && result.equals(body)).toBe(true);
  });

  it('gives up a body that grows beyond the limit there, not when it is whole', async () => {
    const { result, heldBytes } = await unpacked(
      pack(Buffer.concat([randomBytes(64 * 1024), Buffer.alloc(16 * 1024 * 1024)])),
      coding,
    );
    expect(result).toBe('body-too-large');
    expect(heldBytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('gives up a body that grows out of proportion long before the limit', async () => {
    const { result, heldBytes } = await unpacked(pack(Buffer.alloc(2_000_000)), coding);
    expect(result).toBe('body-too-large');
    expect(heldBytes).toBeLessThan(1_200_000);
  });

  it('gives up a body that there is no room for', async () => {
    expect((await unpacked(pack(conversation(500_000)), coding, 100_000)).result).toBe('unavailable');
  });

  it.each([
    ['is cut off', (packed: Buffer) => packed.subarray(0, packed.length - 5)],
    ['is something else', () => Buffer.from('{"model":"m"}')],
  ])('refuses a body that %s as a bad request', async (_name, spoil) => {
    expect((await unpacked(spoil(pack(conversation(50_000))), coding)).result).toBe('invalid-request');
  });
});

it('decompresses a body packed as x-gzip, the older name of gzip', async () => {
  const body = conversation(1_000);
  expect((await unpacked(gzipSync(body), 'x-gzip')).result).toEqual(body);
});

it('a window larger than readers have to support is refused', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_compressionLevel]: 1 };
  const packed = zstdCompressSync(randomBytes(9 * 1024 * 1024), { params, pledgedSrcSize: 9 * 1024 * 1024 });
  expect((await unpacked(packed, 'zstd')).result).toBe('invalid-request');
});

describe('a coding', () => {
  const check = (encoding: string) =>
    checkBodyHeaders({ 'content-type': 'application/json', 'content-encoding': encoding })?.kind ?? null;

  it.each(['gzip', 'GZIP', ' br ', 'zstd', 'deflate', 'x-gzip', 'identity'])(
    '%s is understood',
    (encoding) => {
      expect(check(encoding)).toBeNull();
    },
  );

  it.each(['compress', 'gzip, gzip', 'aws-chunked', 'constructor', '*'])('%s is not: 415', (encoding) => {
    expect(check(encoding)).toBe('unsupported-media');
  });
});

/** Bytes that do not pack, the same every time. */
function randomBytes(length: number): Buffer {
  return createHash('shake256', { outputLength: Math.floor(length) })
    .update('a seed')
    .digest();
}
