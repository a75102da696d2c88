const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Returns raw sound (16 bit, mono) as a WAV file. @param samplesPerSecond  in hertz, up to 32 bits */
export function wavFile(pcm: Buffer, samplesPerSecond: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16); // size of the description
  header.writeUInt16LE(1, 20); // uncompressed
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}
