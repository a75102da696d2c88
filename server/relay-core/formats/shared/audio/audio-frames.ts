/**
 * Lengths of files as a decoder finds them: by the frames that are there. What a header claims is the caller's word, and
 * who pays by the second would claim little.
 */

const MP3_KILOBITS: Readonly<Record<'1' | '2', readonly number[]>> = {
  '1': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const MP3_RATES = [44_100, 48_000, 32_000] as const;

interface Mp3Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** The frame whose header stands at an offset; undefined = none does. */
function mp3FrameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  // Eleven bits of sync, layer III.
  if ((second & 0xe0) !== 0xe0 || (second & 0x06) !== 0x02) return undefined;
  const version = (second >> 3) & 3;
  const rate = MP3_RATES[(third >> 2) & 3];
  if (version === 1 || rate === undefined) return undefined;
  const isVersion1 = version === 3;
  const kilobits = MP3_KILOBITS[isVersion1 ? '1' : '2'][third >> 4];
  if (kilobits === undefined || kilobits === 0) return undefined;
  const samplesPerSecond = isVersion1 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = isVersion1 ? 1_152 : 576;
  const size = Math.floor((samples * kilobits * 125) / samplesPerSecond) + ((third >> 1) & 1);
  return { bytes: size, seconds: samples / samplesPerSecond };
}

/** Seconds and bytes of every frame of an MP3 file; what lies between frames is passed by, as decoders do. */
export function mp3Frames(bytes: Buffer): Mp3Frame {
  let seconds = 0;
  let size = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    const frame = mp3FrameAt(bytes, at);
    if (frame !== undefined) {
      seconds += frame.seconds;
      size += frame.bytes;
      at += frame.bytes;
      continue;
    }
    at = bytes.indexOf(0xff, at + 1);
    if (at === -1) break;
  }
  return { seconds, bytes: size };
}

const OGG = Buffer.from('OggS');
const OGG_HEADER_BYTES = 27;
/** Milliseconds of one frame by the first five bits of an Opus packet (RFC 6716, 3.1). */
const OPUS_MILLISECONDS = [
  10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10,
  20, 2.5, 5, 10, 20,
];

/** Seconds of every packet of an Opus file; undefined = it is none. */
export function opusPacketSeconds(bytes: Buffer): number | undefined {
  if (bytes.indexOf('OpusHead') === -1) return undefined;
  let milliseconds = 0;
  let isContinued = false;
  let at = bytes.indexOf(OGG);
  while (at !== -1 && at + OGG_HEADER_BYTES <= bytes.length) {
    const count = bytes[at + 26] as number;
    let packetAt = at + OGG_HEADER_BYTES + count;
    let dataAt = packetAt;
    for (let index = 0; index < count; index += 1) {
      const lace = bytes[at + OGG_HEADER_BYTES + index] ?? 0;
      dataAt += lace;
      if (lace === 255) continue;
      if (!isContinued) milliseconds += opusMilliseconds(bytes, packetAt, dataAt);
      isContinued = false;
      packetAt = dataAt;
    }
    // A packet goes on in the next page: it was counted where it began.
    if (dataAt > packetAt) {
      if (!isContinued) milliseconds += opusMilliseconds(bytes, packetAt, dataAt);
      isContinued = true;
    }
    at = bytes.indexOf(OGG, Math.max(dataAt, at + 4));
  }
  return milliseconds / 1_000;
}

function opusMilliseconds(bytes: Buffer, from: number, to: number): number {
  if (to <= from || from >= bytes.length) return 0;
  const head = bytes.toString('latin1', from, from + 8);
  if (head === 'OpusHead' || head === 'OpusTags') return 0;
  const first = bytes[from] as number;
  const frames = [1, 2, 2, (bytes[from + 1] ?? 1) & 0x3f][first & 3] as number;
  return (OPUS_MILLISECONDS[first >> 3] as number) * frames;
}

const PCM_TAGS: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
/** Nothing compressed in a WAV file has a higher rate worth hearing. */
const COMPRESSED_BYTES_PER_SECOND = 48_000;

/** Bytes a second of a WAV file, from what decoders read and not from the sum its header gives; undefined = no format. */
export function wavBytesPerSecond(head: Buffer): number | undefined {
  const at = head.indexOf('fmt ');
  if (at === -1 || at + 24 > head.length) return undefined;
  const told = head.readUInt32LE(at + 16);
  if (!PCM_TAGS.has(head.readUInt16LE(at + 8)))
    return Math.min(told, COMPRESSED_BYTES_PER_SECOND) || undefined;
  const counted =
    head.readUInt32LE(at + 12) * head.readUInt16LE(at + 10) * Math.ceil(head.readUInt16LE(at + 22) / 8);
  return (counted > 0 ? counted : told) || undefined;
}

const SAMPLE_SIZES = Buffer.from('stsz');
const FRAGMENT_RUN = Buffer.from('trun');
const TRACK = Buffer.from('trak');
/** One packet of AAC at the highest usual rate: the least a counted sample stands for. */
const AAC_PACKET_SECONDS = 1_024 / 48_000;

/** The least an MP4 file lasts, from how many samples its tracks list; 0 = it lists none. */
export function mp4SampleSeconds(bytes: Buffer): number {
  const listed = Math.max(0, ...countsBehind(bytes, SAMPLE_SIZES, 12));
  const runs = countsBehind(bytes, FRAGMENT_RUN, 8).reduce((sum, count) => sum + count, 0);
  const tracks = Math.max(1, countsBehind(bytes, TRACK, 0).length);
  // No sample is smaller than a byte: what a list claims beyond that is not there.
  return Math.min(bytes.length, Math.max(listed, runs / tracks)) * AAC_PACKET_SECONDS;
}

const MAX_BOXES = 10_000;

/** The number at an offset behind each place where a name stands. */
function countsBehind(bytes: Buffer, name: Buffer, offset: number): number[] {
  const counts: number[] = [];
  let at = bytes.indexOf(name);
  while (at !== -1 && at + offset + 4 <= bytes.length && counts.length < MAX_BOXES) {
    counts.push(bytes.readUInt32BE(at + offset));
    at = bytes.indexOf(name, at + 4);
  }
  return counts;
}
