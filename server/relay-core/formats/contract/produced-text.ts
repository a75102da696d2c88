/** Text kept for counting. */
const MAX_KEPT_BYTES = 256 * 1024;
const FIRST_BYTES = 512;
const TEXT_ALONE = Object.freeze({});

/** Cheap estimate of a text's tokens. */
export type Estimate = (text: string) => number;

/**
 * Text that a reply produced so far: content, reasoning, refusals, tool names and arguments, as the inside of JSON strings
 * in the order of arrival. Copies small pieces into one buffer, so that a stream keeps neither its chunks nor a string
 * per event alive.
 */
export class ProducedText {
  /** Bytes produced since the reply began. */
  totalBytes = 0;
  /** Tokens that stand for something else than text, such as the frame around a tool call. */
  extraTokens = 0;
  /** Bytes of signatures and encrypted blocks, which hold the reasoning that is not shown. */
  sealedBytes = 0;
  /** Bytes of the reasoning that is shown beside them. */
  shownReasoningBytes = 0;
  /** Parts of the extra tokens: audio and images, which may have prices of their own. */
  private audio = 0;
  private images = 0;

  private borrowed: { readonly bytes: Buffer; readonly start: number; readonly end: number }[] | null = null;
  private buffer: Buffer | null = null;
  private length = 0;
  /** Up to here the kept bytes are part of `estimatedTokens`. */
  private estimatedUntil = 0;
  private estimatedTokens = 0;
  private extraUntil = 0;
  private forgottenTokens = 0;

  /** @param keptBytes  text that is kept for an exact count; what is older is counted by estimate and forgotten */
  constructor(private readonly keptBytes = MAX_KEPT_BYTES) {}

  /** From now on the bytes are kept by reference: for whole replies, which are in memory anyway. */
  borrow(): void {
    this.borrowed ??= [];
  }

  append(bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    if (size <= 0) return;
    this.totalBytes += size;
    if (this.borrowed !== null) {
      this.borrowed.push({ bytes, start, end });
      return;
    }
    const buffer = this.reserve(size);
    if (size < 32) {
      let to = this.length;
      for (let at = start; at < end; at += 1) buffer[to++] = bytes[at] as number;
    } else {
      bytes.copy(buffer, this.length, start, end);
    }
    this.length += size;
  }

  /** Adds text that is not a JSON string's inside already. */
  appendText(text: string): void {
    const escaped = Buffer.from(JSON.stringify(text));
    this.append(escaped, 1, escaped.length - 1);
  }

  /** @param tokens  of all the sound that came until now */
  setAudioTokens(tokens: number): void {
    this.extraTokens += tokens - this.audio;
    this.audio = tokens;
  }

  addImage(tokens: number): void {
    this.extraTokens += tokens;
    this.images += tokens;
  }

  /** The part of the output that is audio, and the part that is images. */
  get media(): { readonly audio?: number; readonly image?: number } {
    if (this.audio === 0 && this.images === 0) return TEXT_ALONE;
    return {
      ...(this.audio === 0 ? {} : { audio: this.audio }),
      ...(this.images === 0 ? {} : { image: this.images }),
    };
  }

  /** An upper bound of the tokens that came since `running` was last asked: none has less than a byte. */
  get uncounted(): number {
    return this.length - this.estimatedUntil + this.extraTokens - this.extraUntil;
  }

  /** Tokens produced so far, by estimate. Looks only at what came since the last time. */
  running(estimate: Estimate): number {
    this.extraUntil = this.extraTokens;
    if (this.borrowed !== null) return estimate(this.keptText()) + this.extraTokens;
    if (this.estimatedUntil < this.length) {
      this.estimatedTokens += estimate(decode(this.buffer, this.estimatedUntil, this.length));
      this.estimatedUntil = this.length;
    }
    if (this.length > this.keptBytes) this.forget();
    return this.estimatedTokens + this.extraTokens;
  }

  /** The text that is still kept, for an exact count; add `uncountable` to it. */
  keptText(): string {
    if (this.borrowed === null) return decode(this.buffer, 0, this.length);
    return this.borrowed.map(({ bytes, start, end }) => decode(bytes, start, end)).join('');
  }

  /** Tokens an exact count of `keptText` does not see. */
  get uncountable(): number {
    return this.forgottenTokens + this.extraTokens;
  }

  private forget(): void {
    this.forgottenTokens = this.estimatedTokens;
    this.length = 0;
    this.estimatedUntil = 0;
    if (this.buffer !== null && this.buffer.length > 2 * this.keptBytes) this.buffer = null;
  }

  private reserve(size: number): Buffer {
    const needed = this.length + size;
    if (this.buffer !== null && needed <= this.buffer.length) return this.buffer;
    let capacity = this.buffer?.length ?? FIRST_BYTES;
    while (capacity < needed) capacity *= 2;
    const next = Buffer.allocUnsafeSlow(capacity);
    this.buffer?.copy(next, 0, 0, this.length);
    this.buffer = next;
    return next;
  }
}

/** The text of a JSON string's inside. */
function decode(buffer: Buffer | null, start: number, end: number): string {
  if (buffer === null || end <= start) return '';
  const text = buffer.toString('utf8', start, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // A vendor's broken escape: the count is made on the text as it stands.
    return text;
  }
}
