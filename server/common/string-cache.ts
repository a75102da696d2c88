/** Longer texts are made anew each time. */
const MAX_LENGTH = 32;
/** A power of two. */
const SLOTS = 512;

/**
 * Short texts that come again with nearly every call, such as names of members and of models: the same text is the same string,
 * which costs a glance at its bytes instead of a string to be made, hashed and cleaned up. Each has one place, where the next one
 * with the same sum takes its turn: nobody can fill it.
 */
export class KnownTexts {
  private readonly slots: string[] = Array.from({ length: SLOTS }, () => '');

  /** Text of single bytes. */
  of(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > MAX_LENGTH || length <= 0) return bytes.toString('latin1', start, end);
    let sum = length;
    for (let at = start; at < end; at += 1) sum = (Math.imul(sum, 31) + (bytes[at] as number)) | 0;
    const slot = (sum ^ (sum >>> 9)) & (SLOTS - 1);
    const known = this.slots[slot] as string;
    if (known.length === length && isSame(known, bytes, start)) return known;
    const text = bytes.toString('latin1', start, end);
    this.slots[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}
