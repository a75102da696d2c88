const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
/** A stream whose events differ elsewhere too (a random member in each) is not worth comparing. */
const MAX_MISSES = 8;
/** Frames around a piece of text are short; a long one is copied for nothing. */
const MAX_FRAME_BYTES = 2_048;

/** Not recognised: every event is walked. */
export const REPEATED_EVENTS = { areRecognised: true };

/**
 * Recognises events that differ from the one before only in one string: nearly all of a stream. What was found out about the
 * first by walking it then holds for the others, and comparing bytes is many times cheaper than walking them.
 */
export class RepeatedEvent {
  /** Where the string of the recognised event lies, without its quotes. */
  from = 0;
  to = 0;

  private frame: Buffer | null = null;
  private headBytes = 0;
  private tailBytes = 0;
  private misses = 0;

  /** False = the stream's events do not repeat: `remember` does nothing any more. */
  get isWorthwhile(): boolean {
    return REPEATED_EVENTS.areRecognised && this.misses < MAX_MISSES;
  }

  /** An event that brought one string and nothing else; `from` and `to` are that string's, without its quotes. */
  remember(bytes: Buffer, start: number, end: number, from: number, to: number): void {
    this.misses += 1;
    this.headBytes = from - start;
    this.tailBytes = end - to;
    if (this.headBytes + this.tailBytes > MAX_FRAME_BYTES) {
      this.headBytes = 0;
      return;
    }
    this.frame ??= Buffer.allocUnsafe(MAX_FRAME_BYTES);
    bytes.copy(this.frame, 0, start, from);
    bytes.copy(this.frame, this.headBytes, to, end);
  }

  /** True when the event repeats the remembered one; a string that holds escapes is left to the walk. */
  recognises(bytes: Buffer, start: number, end: number): boolean {
    const { headBytes, tailBytes, frame } = this;
    const from = start + headBytes;
    const to = end - tailBytes;
    if (frame === null || headBytes === 0 || to <= from) return false;
    if (frame.compare(bytes, start, from, 0, headBytes) !== 0) return false;
    if (frame.compare(bytes, to, end, headBytes, headBytes + tailBytes) !== 0) return false;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE) return false;
    }
    this.from = from;
    this.to = to;
    this.misses = 0;
    return true;
  }
}
