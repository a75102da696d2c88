import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { InflateReply } from './exchange.js';
import { ReplyTooLarge } from './upstream-fault.js';

const TEXT = Buffer.from(JSON.stringify({ words: 'an answer of some length '.repeat(40) }));

/** @returns the text that came out, or what broke it; undefined = the coding is not undone, null = it needs no work */
async function inflated(encoding: string, ...chunks: readonly Buffer[]): Promise<unknown> {
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const reply = InflateReply.for(encoding, {
      onBytes: (chunk) => parts.push(chunk) > 0,
      onEnd: () => resolve(Buffer.concat(parts).toString()),
      onBroken: resolve,
    });
    if (reply === null || reply === undefined) return resolve(reply);
    for (const chunk of chunks) reply.write(chunk);
    reply.end();
  });
}

const bytewise = (bytes: Buffer): readonly Buffer[] => [...bytes].map((byte) => Buffer.from([byte]));

describe('a compressed reply', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZip', gzipSync(TEXT)],
    ['identity, gzip', gzipSync(TEXT)],
    ['gzip, utf-8', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
  ])('comes out of %s, at once and byte by byte', async (encoding, bytes) => {
    expect(await inflated(encoding, bytes)).toBe(TEXT.toString());
    expect(await inflated(encoding, ...bytewise(bytes))).toBe(TEXT.toString());
  });

  it.each(['gzip', 'zstd'])('passes as it is where a proxy undid %s and left its name', async (encoding) => {
    expect(await inflated(encoding, TEXT)).toBe(TEXT.toString());
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('ends empty when nothing came in %s', async (encoding) => {
    expect(await inflated(encoding)).toBe('');
  });

  it('breaks when it is cut, and when it grows past the limit', async () => {
    expect(await inflated('gzip', gzipSync(TEXT).subarray(0, 40))).toMatchObject({ code: 'Z_BUF_ERROR' });
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
    expect(await inflated('gzip', bomb)).toBeInstanceOf(ReplyTooLarge);
  });
});

describe('a content encoding', () => {
  it.each(['', 'identity', 'none', 'utf-8', 'UTF-8', 'aws-chunked', 'identity, none'])(
    'needs no work when it is %j',
    async (encoding) => {
      expect(await inflated(encoding)).toBeNull();
    },
  );

  it.each(['compress', 'dcb', 'gzip, gzip', 'gzip, br', `gzip${', gzip'.repeat(1_000)}`])(
    'stops a reply that cannot be read, or only by one coding inside the other: %.20s',
    async (encoding) => {
      expect(await inflated(encoding)).toBeUndefined();
    },
  );
});
