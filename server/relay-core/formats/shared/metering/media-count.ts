import { AudioLength, tokensOfRawSound } from '../audio/audio-length.js';
import { TOKENS_PER_CHAT_PICTURE } from './picture-tokens.js';
import type { ProducedText } from '../../contract/produced-text.js';

const BYTES_PER_BASE64 = 3 / 4;

/** Counts the sound and the pictures of an answer: who leaves before the vendor's report has got them all the same. */
export class MediaCount {
  private rawBytes = 0;
  private tokens = 0;

  constructor(private readonly produced: ProducedText) {}

  /** A piece of raw sound, cut anywhere. @param size  of its base64 */
  rawSound(size: number): void {
    this.rawBytes += size * BYTES_PER_BASE64;
    this.produced.hearUntilNow(tokensOfRawSound(this.rawBytes));
  }

  /** A whole piece of sound, which says itself how long it is. */
  sound(base64: string): void {
    const length = new AudioLength(undefined);
    length.push(Buffer.from(base64, 'base64'));
    this.tokens += length.tokens();
    this.produced.hearUntilNow(this.tokens);
  }

  picture(): void {
    this.produced.addPicture(TOKENS_PER_CHAT_PICTURE);
  }
}
