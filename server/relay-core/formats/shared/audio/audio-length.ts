import { mp3Frames, mp4SampleSeconds, opusPacketSeconds, wavBytesPerSecond } from './audio-frames.js';

/** Bytes of the start of a file that are kept: enough for every header read here. */
const HEAD_BYTES = 64 * 1024;
const OGG = Buffer.from('OggS');
/** Magic, version, flags and granule position of an Ogg page. */
const OGG_HEAD_BYTES = 14;
/** Tokens of a minute of transcribed or generated audio. */
const TOKENS_PER_MINUTE = 1_000;
/** OpenAI's raw sound: 24,000 samples of two bytes a second. */
const PCM_BYTES_PER_SECOND = 48_000;
const MAX_SECONDS = 48 * 3_600;
/** Silence itself takes more: a sender that claims longer sound than its bytes can hold is not believed. */
const MIN_BYTES_PER_SECOND = 100;

/**
 * Measures how long a piece of sound is, from its bytes as they pass: keeps the head of the file and a counter. What
 * cannot be measured counts one token per kilobyte, which is a minute of the usual 128 kbit/s.
 */
export class AudioLength {
  totalBytes = 0;
  private head: Buffer = Buffer.alloc(0);
  private tail: Buffer = Buffer.alloc(0);
  private lastGranule = 0;

  /** @param format  the requested one: `pcm` has no header that could name it */
  constructor(private readonly format: string | undefined) {}

  push(chunk: Buffer): void {
    this.totalBytes += chunk.length;
    if (this.head.length < HEAD_BYTES)
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    if (this.head.subarray(0, 4).equals(OGG)) this.followPages(chunk);
  }

  /** Seconds; undefined = not in the bytes. */
  seconds(): number | undefined {
    const seconds = this.format === 'pcm' ? this.totalBytes / PCM_BYTES_PER_SECOND : this.measure();
    if (seconds === undefined || seconds <= 0 || seconds > MAX_SECONDS) return undefined;
    return Math.min(seconds, this.totalBytes / MIN_BYTES_PER_SECOND);
  }

  /** Tokens the sound stands for; whole seconds begin to count. */
  tokens(): number {
    if (this.totalBytes === 0) return 0;
    const seconds = this.seconds();
    return seconds === undefined ? Math.ceil(this.totalBytes / 1_024) : tokensOfSeconds(seconds);
  }

  private measure(): number | undefined {
    const { head, totalBytes } = this;
    if (head.length < 12) return undefined;
    const magic = head.toString('latin1', 0, 4);
    if (magic === 'RIFF') return wavSeconds(head, totalBytes);
    if (magic === 'fLaC') return flacSeconds(head);
    if (magic === 'OggS') return oggSeconds(head, this.lastGranule);
    if (head.toString('latin1', 4, 8) === 'ftyp') return mp4Seconds(head);
    return mp3Seconds(head, totalBytes);
  }

  /** The last page's granule position is the length; pages may lie across chunks. */
  private followPages(chunk: Buffer): void {
    const bytes = this.tail.length === 0 ? chunk : Buffer.concat([this.tail, chunk]);
    const at = bytes.lastIndexOf(OGG);
    if (at !== -1 && at + OGG_HEAD_BYTES <= bytes.length) {
      const granule = Number(bytes.readBigInt64LE(at + 6));
      if (granule > 0) this.lastGranule = granule;
    }
    this.tail = Buffer.from(bytes.subarray(Math.max(0, bytes.length - OGG_HEAD_BYTES + 1)));
  }
}

/** Tokens of raw sound that comes in pieces: it is counted to the byte, since it may be cut anywhere. */
export const tokensOfRawAudio = (bytes: number): number =>
  Math.ceil((bytes * TOKENS_PER_MINUTE) / (PCM_BYTES_PER_SECOND * 60));

/** Tokens of so many seconds, begun ones counted whole. */
export const tokensOfSeconds = (seconds: number): number =>
  Math.ceil((Math.ceil(seconds) * TOKENS_PER_MINUTE) / 60);

/**
 * Tokens of a whole file, whose sender pays by the second: its frames count where its header gives less.
 */
export function tokensOfAudio(bytes: Buffer): number {
  const length = new AudioLength(undefined);
  length.push(bytes);
  const seconds = secondsOfFile(bytes, length.seconds());
  return seconds > 0 ? tokensOfSeconds(Math.min(seconds, MAX_SECONDS)) : length.tokens();
}

/** @param inHeader  seconds by its header; undefined = none */
function secondsOfFile(bytes: Buffer, inHeader: number | undefined): number {
  const magic = bytes.toString('latin1', 0, 4);
  if (magic === 'RIFF') return inHeader ?? 0;
  if (magic === 'fLaC') return Math.max(inHeader ?? 0, leastFlacSeconds(bytes));
  if (magic === 'OggS') return Math.max(inHeader ?? 0, opusPacketSeconds(bytes) ?? 0);
  if (bytes.toString('latin1', 4, 8) === 'ftyp')
    return Math.max(mp4Seconds(bytes) ?? 0, mp4SampleSeconds(bytes));
  const frames = mp3Frames(bytes);
  // The first frame's bit rate is that of all only where bit rates do not vary.
  return frames.bytes * 2 > bytes.length ? frames.seconds : Math.max(inHeader ?? 0, 0);
}

/** No FLAC file is larger than the samples it holds. */
function leastFlacSeconds(bytes: Buffer): number {
  if (bytes.length < 26) return 0;
  const packed = bytes.readBigUInt64BE(18);
  const rate = Number(packed >> 44n);
  const channels = Number((packed >> 41n) & 7n) + 1;
  const bits = Number((packed >> 36n) & 31n) + 1;
  return rate === 0 ? 0 : (bytes.length * 8) / (rate * channels * bits);
}

/** The length in the header of a streamed file is not known when it is written: it is computed from the bytes. */
function wavSeconds(head: Buffer, totalBytes: number): number | undefined {
  const bytesPerSecond = wavBytesPerSecond(head);
  return bytesPerSecond === undefined ? undefined : Math.max(0, totalBytes - 44) / bytesPerSecond;
}

function flacSeconds(head: Buffer): number | undefined {
  if (head.length < 26) return undefined;
  const packed = head.readBigUInt64BE(18);
  const rate = Number(packed >> 44n);
  const samples = Number(packed & 0xf_ffff_ffffn);
  return rate === 0 || samples === 0 ? undefined : samples / rate;
}

/** Opus counts at 48 kHz whatever was recorded; Vorbis at its own rate. */
function oggSeconds(head: Buffer, granule: number): number | undefined {
  if (granule === 0) return undefined;
  const vorbis = head.indexOf('\u0001vorbis', 0, 'latin1');
  if (vorbis === -1 || vorbis + 16 > head.length) return granule / 48_000;
  const rate = head.readUInt32LE(vorbis + 12);
  return rate === 0 ? undefined : granule / rate;
}

function mp4Seconds(bytes: Buffer): number | undefined {
  const at = bytes.indexOf('mvhd');
  if (at === -1 || at + 32 > bytes.length) return undefined;
  const isLong = bytes[at + 4] === 1;
  const scale = bytes.readUInt32BE(at + (isLong ? 24 : 16));
  const duration = isLong ? Number(bytes.readBigUInt64BE(at + 28)) : bytes.readUInt32BE(at + 20);
  return scale === 0 ? undefined : duration / scale;
}

const MP3_KILOBITS: Readonly<Record<'1' | '2', readonly number[]>> = {
  '1': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** From the bit rate of the first frame: what vendors write is constant. */
function mp3Seconds(head: Buffer, totalBytes: number): number | undefined {
  let at = 0;
  if (head.toString('latin1', 0, 3) === 'ID3') {
    at = 10 + (((head[6] ?? 0) << 21) | ((head[7] ?? 0) << 14) | ((head[8] ?? 0) << 7) | (head[9] ?? 0));
  }
  if (at + 4 > head.length || head[at] !== 0xff || ((head[at + 1] as number) & 0xe0) !== 0xe0)
    return undefined;
  const isVersion1 = ((head[at + 1] as number) & 0x18) === 0x18;
  const isLayer3 = ((head[at + 1] as number) & 0x06) === 0x02;
  const kilobits = MP3_KILOBITS[isVersion1 ? '1' : '2'][(head[at + 2] as number) >> 4];
  if (!isLayer3 || kilobits === undefined || kilobits === 0) return undefined;
  return ((totalBytes - at) * 8) / (kilobits * 1_000);
}
