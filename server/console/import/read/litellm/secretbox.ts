import { timingSafeEqual } from 'node:crypto';

/** NaCl's secretbox: XSalsa20 and Poly1305, which Node's own cryptography does not have. Only opening is needed. */

const TAG = 16;
const BLOCK = 64;
const KEY_BYTES = 32;
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
const ROUNDS = [
  [4, 0, 12, 7],
  [8, 4, 0, 9],
  [12, 8, 4, 13],
  [0, 12, 8, 18],
  [9, 5, 1, 7],
  [13, 9, 5, 9],
  [1, 13, 9, 13],
  [5, 1, 13, 18],
  [14, 10, 6, 7],
  [2, 14, 10, 9],
  [6, 2, 14, 13],
  [10, 6, 2, 18],
  [3, 15, 11, 7],
  [7, 3, 15, 9],
  [11, 7, 3, 13],
  [15, 11, 7, 18],
  [1, 0, 3, 7],
  [2, 1, 0, 9],
  [3, 2, 1, 13],
  [0, 3, 2, 18],
  [6, 5, 4, 7],
  [7, 6, 5, 9],
  [4, 7, 6, 13],
  [5, 4, 7, 18],
  [11, 10, 9, 7],
  [8, 11, 10, 9],
  [9, 8, 11, 13],
  [10, 9, 8, 18],
  [12, 15, 14, 7],
  [13, 12, 15, 9],
  [14, 13, 12, 13],
  [15, 14, 13, 18],
] as const;

/** The text of a box; null when it was changed or the key is another one. */
export function openSecretbox(key: Buffer, nonce: Buffer, box: Buffer): Buffer | null {
  if (key.length !== KEY_BYTES || nonce.length !== 24 || box.length < TAG) return null;
  const subkey = hsalsa20(key, nonce.subarray(0, 16));
  const sealed = box.subarray(TAG);
  const stream = salsaStream(subkey, nonce.subarray(16), KEY_BYTES + sealed.length);
  if (!timingSafeEqual(poly1305(stream.subarray(0, KEY_BYTES), sealed), box.subarray(0, TAG))) return null;
  return Buffer.from(sealed.map((byte, at) => byte ^ (stream[KEY_BYTES + at] ?? 0)));
}

function core(state: Uint32Array): Uint32Array {
  const words = Uint32Array.from(state);
  for (let round = 0; round < 10; round += 1)
    for (const [to, a, b, bits] of ROUNDS) {
      const sum = ((words[a] ?? 0) + (words[b] ?? 0)) >>> 0;
      words[to] = (words[to] ?? 0) ^ ((sum << bits) | (sum >>> (32 - bits)));
    }
  return words;
}

/** @param input  16 bytes: a nonce, or a nonce and a counter */
function stateOf(key: Buffer, input: Buffer): Uint32Array {
  const word = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at * 4);
  return Uint32Array.of(
    SIGMA[0] ?? 0,
    word(key, 0),
    word(key, 1),
    word(key, 2),
    word(key, 3),
    SIGMA[1] ?? 0,
    word(input, 0),
    word(input, 1),
    word(input, 2),
    word(input, 3),
    SIGMA[2] ?? 0,
    word(key, 4),
    word(key, 5),
    word(key, 6),
    word(key, 7),
    SIGMA[3] ?? 0,
  );
}

function bytesOf(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [at, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, at * 4);
  return bytes;
}

function hsalsa20(key: Buffer, nonce: Buffer): Buffer {
  const mixed = core(stateOf(key, nonce));
  return bytesOf([0, 5, 10, 15, 6, 7, 8, 9].map((at) => mixed[at] ?? 0));
}

function salsaStream(key: Buffer, nonce: Buffer, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let counter = 0; counter * BLOCK < length; counter += 1) {
    const input = Buffer.concat([nonce, Buffer.alloc(8)]);
    input.writeUInt32LE(counter, 8);
    const state = stateOf(key, input);
    const mixed = core(state);
    blocks.push(bytesOf([...state].map((word, at) => word + (mixed[at] ?? 0))));
  }
  return Buffer.concat(blocks).subarray(0, length);
}

const PRIME = (1n << 130n) - 5n;
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

function poly1305(key: Buffer, text: Buffer): Buffer {
  const r = littleEndian(key.subarray(0, 16)) & CLAMP;
  let sum = 0n;
  for (let at = 0; at < text.length; at += 16) {
    const part = text.subarray(at, at + 16);
    sum = ((sum + littleEndian(part) + (1n << BigInt(8 * part.length))) * r) % PRIME;
  }
  const tag = (sum + littleEndian(key.subarray(16))) & ((1n << 128n) - 1n);
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse();
}

const littleEndian = (bytes: Buffer): bigint =>
  bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
