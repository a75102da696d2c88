import { describe, expect, it } from '@jest/globals';
import { AudioLength, tokensOfAudio, tokensOfSeconds } from './audio-length.js';

function lengthOf(bytes: Buffer, format: string | undefined, pieceBytes = bytes.length): AudioLength {
  const length = new AudioLength(format);
  for (let at = 0; at < bytes.length; at += pieceBytes) length.push(bytes.subarray(at, at + pieceBytes));
  return length;
}

function wav(seconds: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt32LE(32_000, 28);
  header.write('data', 36);
  // A streamed file does not know its length when the header is written.
  header.writeUInt32LE(0xffff_ffff, 40);
  return Buffer.concat([header, Buffer.alloc(32_000 * seconds)]);
}

/** Frames of 128 kbit/s, behind a tag of 20 bytes. */
function mp3(seconds: number): Buffer {
  const tag = Buffer.alloc(30);
  tag.write('ID3', 0);
  tag[9] = 20;
  const frames = Buffer.alloc(16_000 * seconds);
  frames.writeUInt32BE(0xfffb_9000, 0);
  return Buffer.concat([tag, frames]);
}

function ogg(seconds: number): Buffer {
  const page = (granule: number): Buffer => {
    const bytes = Buffer.alloc(100);
    bytes.write('OggS', 0);
    bytes.writeBigInt64LE(BigInt(granule), 6);
    return bytes;
  };
  return Buffer.concat([page(0), page(24_000), page(48_000 * seconds)]);
}

function flac(seconds: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('fLaC', 0);
  bytes.writeBigUInt64BE((48_000n << 44n) | BigInt(48_000 * seconds), 18);
  return bytes;
}

function mp4(seconds: number): Buffer {
  const bytes = Buffer.alloc(200);
  bytes.write('ftyp', 4);
  bytes.write('mvhd', 60);
  bytes.writeUInt32BE(1_000, 76);
  bytes.writeUInt32BE(seconds * 1_000, 80);
  return bytes;
}

describe('the length of sound', () => {
  it.each([
    ['WAV', wav(3), undefined],
    ['MP3', mp3(3), undefined],
    ['Ogg', ogg(3), undefined],
    ['FLAC', flac(3), undefined],
    ['MP4', mp4(3), undefined],
    ['raw', Buffer.alloc(144_000), 'pcm'],
  ])('%s is read from its bytes, however they are cut', (_name, bytes, format) => {
    for (const piece of [bytes.length, 1_000, 7])
      expect(lengthOf(bytes, format, piece).seconds()).toBeCloseTo(3, 1);
    expect(lengthOf(bytes, format).tokens()).toBe(50);
  });

  it('of a whole file is found wherever it is written', () => {
    expect(tokensOfAudio(Buffer.concat([mp4(0).subarray(0, 50), Buffer.alloc(100_000), mp4(6)]))).toBe(100);
  });

  it('that cannot be read counts a token per kilobyte; nothing is nothing', () => {
    expect(lengthOf(Buffer.alloc(10_240, 1), undefined).tokens()).toBe(10);
    expect(new AudioLength(undefined).tokens()).toBe(0);
  });

  it('a liar cannot make a day of it', () => {
    const absurd = Buffer.from(flac(3));
    absurd.writeBigUInt64BE((1n << 44n) | 0xf_ffff_ffffn, 18);
    expect(lengthOf(absurd, undefined).seconds()).toBeUndefined();
  });

  it('begun seconds count', () => {
    expect(tokensOfSeconds(0.1)).toBe(17);
    expect(tokensOfSeconds(60)).toBe(1_000);
    expect(tokensOfSeconds(60.01)).toBe(1_017);
  });

  it('never fails, whatever the bytes are', () => {
    for (const magic of ['RIFF', 'fLaC', 'OggS', 'ID3\u0000', '\u00ff\u00fb', '    ftyp']) {
      for (let size = 0; size < 64; size += 1) {
        const bytes = Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.alloc(size, 0xff)]);
        expect(lengthOf(bytes, undefined, 5).tokens()).toBeGreaterThan(0);
      }
    }
  });
});
