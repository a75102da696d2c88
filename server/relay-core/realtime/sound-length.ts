/** Tokens of a second of sound, as input and as output: 100 ÷ 0.06 and 200 ÷ 0.24 a minute. */
const HEARD_TOKENS_PER_SECOND = 100 / 0.06 / 60;
const SPOKEN_TOKENS_PER_SECOND = 200 / 0.24 / 60;
/** A transcribed minute, where the vendor names seconds. */
const TRANSCRIBED_TOKENS_PER_MINUTE = 1_000;
/** 24 kHz, 16 bits: sound of other formats is counted as so many bytes of this one. */
export const PCM_BYTES_PER_SECOND = 48_000;
const G711_BYTES_PER_SECOND = 8_000;

/** Sound in base64, as bytes of PCM that sound as long. */
export const asPcm = (base64Length: number, bytesPerSecond: number): number =>
  Math.floor((Math.max(0, base64Length) * 3) / 4) * (PCM_BYTES_PER_SECOND / bytesPerSecond);

export const secondsOf = (pcmBytes: number): number => pcmBytes / PCM_BYTES_PER_SECOND;

export const heardTokens = (pcmBytes: number): number =>
  Math.ceil(secondsOf(pcmBytes) * HEARD_TOKENS_PER_SECOND);

export const spokenTokens = (pcmBytes: number): number =>
  Math.ceil(secondsOf(pcmBytes) * SPOKEN_TOKENS_PER_SECOND);

export const transcribedTokens = (seconds: number): number =>
  Math.ceil((seconds * TRANSCRIBED_TOKENS_PER_MINUTE) / 60);

/** Bytes a second of a format by its name: `pcm16`, `g711_ulaw`, `audio/pcmu`; undefined = unknown. */
export function bytesPerSecond(format: unknown): number | undefined {
  if (typeof format !== 'string') return undefined;
  if (/g711|pcmu|pcma/i.test(format)) return G711_BYTES_PER_SECOND;
  return /pcm/i.test(format) ? PCM_BYTES_PER_SECOND : undefined;
}
