const SAMPLES_PER_SECOND = 16_000;
const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
/** A voice says "ah": harmonics of its pitch, strong where the mouth resonates. */
const PITCH_HZ = 125;
const FORMANTS_HZ = [730, 1_090, 2_440] as const;
const FORMANT_WIDTH_HZ = 140;
const HARMONICS = 24;
const LOUDNESS = 0.3;
const FADE_SECONDS = 0.08;

let made: Buffer | undefined;

/** One second of a spoken vowel as a WAV file (PCM, 16 kHz, one channel, 16 bits): what tests of transcription send. */
export function oneSecondOfSpeech(): Buffer {
  made ??= wavOf(spokenVowel());
  return made;
}

function spokenVowel(): Float64Array {
  const weights = Array.from({ length: HARMONICS }, (_unused, index) => {
    const hertz = PITCH_HZ * (index + 1);
    const resonance = FORMANTS_HZ.map((formant) => Math.exp(-(((hertz - formant) / FORMANT_WIDTH_HZ) ** 2)));
    return 0.1 + Math.max(...resonance);
  });
  const loudest = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from({ length: SAMPLES_PER_SECOND }, (_unused, at) => {
    const seconds = at / SAMPLES_PER_SECOND;
    const wave = weights.reduce(
      (sum, weight, index) => sum + weight * Math.sin(2 * Math.PI * PITCH_HZ * (index + 1) * seconds),
      0,
    );
    const fade = Math.min(1, seconds / FADE_SECONDS, (1 - seconds) / FADE_SECONDS);
    return (wave / loudest) * LOUDNESS * fade;
  });
}

function wavOf(samples: Float64Array): Buffer {
  const dataBytes = samples.length * BYTES_PER_SAMPLE;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16); // bytes of the format's description
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  samples.forEach((sample, index) => {
    file.writeInt16LE(Math.round(sample * 0x7fff), HEADER_BYTES + index * BYTES_PER_SAMPLE);
  });
  return file;
}
