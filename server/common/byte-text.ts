/** Longer texts go through the engine's own writer, which is quicker with them. */
const LONG_TEXT = 128;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
/** Above it division needs floating point. */
const MAX_INT32 = 0x7fffffff;

/**
 * Text in the making, as UTF-8 in a buffer that grows and is used again: a record of a call is put together without a single
 * string, since what is thrown away after every call is what a busy process is cleaned up for.
 */
export class ByteText {
  bytes: Buffer;
  /** Bytes written. */
  length = 0;

  constructor(roomBytes: number) {
    this.bytes = Buffer.allocUnsafe(roomBytes);
  }

  /** Text of ASCII letters only, as it is. */
  ascii(text: string): this {
    const { length } = text;
    this.makeRoom(length);
    if (length > LONG_TEXT) {
      this.length += this.bytes.write(text, this.length, 'latin1');
      return this;
    }
    const { bytes } = this;
    const at = this.length;
    for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
    this.length = at + length;
    return this;
  }

  utf8(text: string): this {
    this.makeRoom(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
    return this;
  }

  raw(more: Uint8Array): this {
    this.makeRoom(more.length);
    this.bytes.set(more, this.length);
    this.length += more.length;
    return this;
  }

  /** A number as JSON has it. */
  number(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0))
      return this.ascii(JSON.stringify(value));
    let digits = 1;
    for (let bound = 10; bound <= value; bound *= 10) digits += 1;
    this.makeRoom(digits);
    const { bytes } = this;
    let at = this.length + digits;
    this.length = at;
    let rest = value;
    while (rest > MAX_INT32) {
      const tenth = Math.floor(rest / 10);
      bytes[(at -= 1)] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    let small = rest | 0;
    do {
      const tenth = (small / 10) | 0;
      bytes[(at -= 1)] = ZERO + (small - tenth * 10);
      small = tenth;
    } while (small > 0);
    return this;
  }

  /** A text as JSON has it, quotes included. */
  string(text: string): this {
    const { length } = text;
    this.makeRoom(length + 2);
    const { bytes } = this;
    const start = this.length;
    let at = start;
    bytes[at] = QUOTE;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH)
        return this.utf8(JSON.stringify(text));
      bytes[(at += 1)] = code;
    }
    bytes[at + 1] = QUOTE;
    this.length = at + 2;
    return this;
  }

  /** Plain data as `JSON.stringify` writes it. */
  json(value: unknown): this {
    switch (typeof value) {
      case 'string':
        return this.string(value);
      case 'number':
        return this.number(value);
      case 'boolean':
        return this.ascii(value ? 'true' : 'false');
      case 'object':
        if (value === null) return this.ascii('null');
        return Array.isArray(value)
          ? this.list(value)
          : this.members(value as Readonly<Record<string, unknown>>);
      default:
        return this.ascii('null');
    }
  }

  /** Bytes `start` up to here, as text. */
  textFrom(start: number): string {
    return this.bytes.toString('utf8', start, this.length);
  }

  makeRoom(moreBytes: number): void {
    const wanted = this.length + moreBytes;
    if (wanted <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(wanted, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private list(values: readonly unknown[]): this {
    let before = '[';
    for (const value of values) {
      this.ascii(before).json(value);
      before = ',';
    }
    return this.ascii(values.length === 0 ? '[]' : ']');
  }

  private members(values: Readonly<Record<string, unknown>>): this {
    let before = '{';
    for (const name in values) {
      const value = values[name];
      if (value === undefined) continue;
      this.ascii(before).string(name).ascii(':').json(value);
      before = ',';
    }
    return this.ascii(before === '{' ? '{}' : '}');
  }
}
