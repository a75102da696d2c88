import { AudioLength, tokensOfRawAudio } from '../audio/audio-length.js';
import { TOKENS_PER_CHAT_IMAGE } from './image-tokens.js';
import type { ProducedText } from '../../contract/produced-text.js';

const BYTES_PER_BASE64 = 3 / 4;

/** Counts the sound and the pictures of an answer: who leaves before the vendor's report has got them all the same. */
export class MediaCount {
  private rawBytes = 0;
  private tokens = 0;

  constructor(private readonly produced: ProducedText) {}

  /** A piece of raw sound, cut anywhere. @param size  of its base64 */
  addRawAudio(size: number): void {
    this.rawBytes += size * BYTES_PER_BASE64;
    this.produced.setAudioTokens(tokensOfRawAudio(this.rawBytes));
  }

  /** A whole piece of sound, which says itself how long it is. */
  addAudio(base64: string): void {
    const length = new AudioLength(undefined);
    length.push(Buffer.from(base64, 'base64'));
    this.tokens += length.tokens();
    this.produced.setAudioTokens(this.tokens);
  }

  addImage(): void {
    this.produced.addImage(TOKENS_PER_CHAT_IMAGE);
  }
}
