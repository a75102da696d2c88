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
  const bytes = Buffer.alloc(400);
  bytes.write('fLaC', 0);
  bytes.writeBigUInt64BE((48_000n << 44n) | BigInt(48_000 * seconds), 18);
  return bytes;
}

function mp4(seconds: number): Buffer {
  const bytes = Buffer.alloc(400);
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

  it('finds that of a whole file wherever it is written', () => {
    expect(tokensOfAudio(Buffer.concat([mp4(0).subarray(0, 50), Buffer.alloc(100_000), mp4(6)]))).toBe(100);
  });

  it('counts a token per kilobyte where it cannot be read; nothing for nothing', () => {
    expect(lengthOf(Buffer.alloc(10_240, 1), undefined).tokens()).toBe(10);
    expect(new AudioLength(undefined).tokens()).toBe(0);
  });

  it('bounds the length that a false header gives', () => {
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

/** A WAV file of 16-bit mono at 8 kHz that claims a byte rate. */
function claimingWav(seconds: number, bytesPerSecond: number): Buffer {
  const file = Buffer.concat([wav(0), Buffer.alloc(16_000 * seconds)]);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(bytesPerSecond, 28);
  file.writeUInt16LE(16, 34);
  return file;
}

/** Frames of MPEG-1 layer III at 44.1 kHz; the number is the place of their bit rate in the table. */
function mp3Of(bitRates: readonly number[]): Buffer {
  const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
  return Buffer.concat(
    bitRates.map((place) => {
      const frame = Buffer.alloc(Math.floor((144_000 * (kilobits[place] as number)) / 44_100));
      frame.writeUInt32BE(0xfffb_0000 + (place << 12), 0);
      return frame;
    }),
  );
}

/** Opus packets of 20 ms, fifty to a page, whose pages all claim to end at the first sample. */
function claimingOpus(packets: number): Buffer {
  const page = (laces: readonly number[], data: Buffer): Buffer => {
    const head = Buffer.alloc(27);
    head.write('OggS', 0);
    head.writeBigInt64LE(1n, 6);
    head[26] = laces.length;
    return Buffer.concat([head, Buffer.from(laces), data]);
  };
  const start = Buffer.from('OpusHead0123456789x');
  const pages = [page([start.length], start)];
  for (let left = packets; left > 0; left -= 50) {
    const count = Math.min(50, left);
    pages.push(
      page(
        Array.from({ length: count }, () => 40),
        Buffer.alloc(40 * count, 0x08),
      ),
    );
  }
  return Buffer.concat(pages);
}

/** A FLAC header that claims one sample, before so many bytes of 16-bit mono at 48 kHz. */
function claimingFlac(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('fLaC', 0);
  file.writeBigUInt64BE((48_000n << 44n) | (15n << 36n) | 1n, 18);
  return file;
}

/** An MP4 file that claims to last no time, with so many samples in its table. */
function claimingMp4(samples: number): Buffer {
  const file = Buffer.alloc(samples * 10 + 400);
  file.write('ftyp', 4);
  file.write('mvhd', 60);
  file.writeUInt32BE(1_000, 76);
  file.write('stsz', 200);
  file.writeUInt32BE(samples, 212);
  return file;
}

describe('a file that claims to be short costs what it lasts [RLY-04]', () => {
  it.each([
    ['a WAV file with the byte rate of a studio', claimingWav(60, 0xffff_ffff), 1_000],
    ['an MP3 file whose first frame alone is dense', mp3Of([14, ...Array<number>(2_297).fill(1)]), 1_000],
    ['an Opus file whose pages all say the same', claimingOpus(3_000), 1_000],
    ['a FLAC file of one sample', claimingFlac(96_000 * 60), 1_000],
    ['an MP4 file without a length', claimingMp4(2_813), 1_017],
  ])('%s', (_name, file, tokens) => {
    expect(Math.abs(tokensOfAudio(file) - tokens)).toBeLessThanOrEqual(17);
  });

  it('sound cannot be longer than its bytes can hold [UP-01]', () => {
    const bytes = ogg(40_000);
    expect(lengthOf(bytes, undefined).seconds()).toBe(3);
  });
});
