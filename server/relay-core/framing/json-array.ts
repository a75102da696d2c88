import type { Framer, FrameSink } from './framer.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Longest element that is read. */
export const MAX_JSON_ELEMENT_BYTES = 8 * 1024 * 1024;

/**
 * Reader of a JSON array whose elements are events, at any split: Google's streams without `alt=sse`. Only brackets
 * and strings are looked at; whether an element is JSON is the meter's business. A single object in place of the array
 * is an event too: that is how failures come. A frame begins behind the one before it, so that frames one after the
 * other are the array again; the closing bracket is the last event.
 */
export class JsonArrayParser implements Framer {
  isTooLarge = false;
  isBroken = false;

  /** Bytes behind the last event, from earlier chunks. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isStopped = false;
  /** Start of the element, counted from the first held byte. */
  private dataOffset = 0;
  /** Brackets open inside the element. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private hasOpened = false;
  private isOver = false;

  constructor(private readonly sink: FrameSink) {}

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length && !this.isStopped; at += 1) {
      const byte = chunk[at] as number;
      if (this.depth > 0) {
        if (!this.endsElement(byte)) continue;
        this.take(chunk, from, at + 1);
        from = at + 1;
      } else if (byte <= SPACE) {
        continue;
      } else if (byte === OPEN_OBJECT && !this.isOver) {
        this.depth = 1;
        this.dataOffset = this.heldBytes + at - from;
      } else if (!this.passSeparator(byte)) {
        this.isBroken = true;
        this.isStopped = true;
      } else if (this.isOver) {
        this.dataOffset = this.heldBytes + at - from;
        this.take(chunk, from, at + 1);
        from = at + 1;
      }
    }
    if (from < chunk.length && !this.isStopped) this.hold(chunk.subarray(from));
  }

  /** An element that never ended is no event. */
  finish(): void {
    if (this.depth > 0) this.isBroken = true;
    this.held = [];
    this.isStopped = true;
  }

  private passSeparator(byte: number): boolean {
    if (this.isOver) return false;
    if (byte === OPEN_ARRAY && !this.hasOpened) this.hasOpened = true;
    else if (byte === CLOSE_ARRAY && this.hasOpened) this.isOver = true;
    else if (byte !== COMMA || !this.hasOpened) return false;
    return true;
  }

  private endsElement(byte: number): boolean {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.isInString = false;
      return false;
    }
    if (byte === QUOTE) this.isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.depth -= 1;
    return this.depth === 0;
  }

  private take(chunk: Buffer, from: number, to: number): void {
    if (this.heldBytes === 0) {
      if (to - from > MAX_JSON_ELEMENT_BYTES) this.stopTooLarge();
      else this.emit(chunk, from, to);
      return;
    }
    this.hold(chunk.subarray(from, to));
    if (this.isStopped) return;
    const frame = Buffer.concat(this.held, this.heldBytes);
    this.held = [];
    this.heldBytes = 0;
    this.emit(frame, 0, frame.length);
  }

  private hold(part: Buffer): void {
    this.held.push(part);
    this.heldBytes += part.length;
    if (this.heldBytes > MAX_JSON_ELEMENT_BYTES) this.stopTooLarge();
  }

  private stopTooLarge(): void {
    this.isTooLarge = true;
    this.isStopped = true;
    this.held = [];
  }

  private emit(bytes: Buffer, rawStart: number, end: number): void {
    const start = rawStart + this.dataOffset;
    if (!this.sink.onEvent(bytes, rawStart, end, bytes, start, end, '')) this.isStopped = true;
  }
}
