import type { Framer, FrameSink } from './framer.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NONE = Number.MAX_SAFE_INTEGER;
const BLANK_LINE = Buffer.from('\n\n');

/** Longest line of an event stream. */
export const MAX_SSE_LINE_BYTES = 4 * 1024 * 1024;
/** Longest event of an event stream. */
export const MAX_SSE_EVENT_BYTES = 8 * 1024 * 1024;

/**
 * Incremental reader of event streams over bytes (WHATWG "server-sent events", read 2026-11-21): any split, LF, CR
 * and CRLF, comments, several data lines, byte-order mark. A block that lies whole in its chunk with one data line
 * costs no allocation.
 */
export class SseParser implements Framer {
  /** Set when a line or an event passed its limit; nothing is read from then on. */
  isTooLarge = false;
  /** Any bytes are an event stream, if an empty one. */
  readonly isBroken = false;

  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Bytes of the line that is being read, from earlier chunks. */
  private lineBytes = 0;
  private isLineStart = true;
  private sawCarriageReturn = false;
  private isFirstBlock = true;
  private isStopped = false;
  /** Next carriage return of `searched`, remembered so that a chunk is searched once, not once per line. */
  private carriageReturnAt = NONE;
  private searched: Buffer | null = null;
  private searchedFrom = 0;

  constructor(private readonly sink: FrameSink) {}

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length && !this.isStopped) {
      const end = this.findBlockEnd(chunk, from);
      if (this.isStopped) break;
      if (end === -1) {
        this.hold(from === 0 ? chunk : chunk.subarray(from));
        break;
      }
      if (this.heldBytes === 0) this.emit(chunk, from, end);
      else {
        this.hold(chunk.subarray(from, end));
        const block = Buffer.concat(this.held, this.heldBytes);
        this.held = [];
        this.heldBytes = 0;
        if (!this.isStopped) this.emit(block, 0, block.length);
      }
      from = end;
    }
    this.searched = null;
  }

  /** The stream ended. A last block without its blank line is still read: vendors forget it. */
  finish(): void {
    if (this.isStopped || this.heldBytes === 0) return;
    const rest = Buffer.concat(this.held, this.heldBytes);
    // A block without its blank line is whole if its data is; what is written behind it must not become part of it.
    const isEmpty = rest.every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    const block = isEmpty ? rest : Buffer.concat([rest, BLANK_LINE]);
    this.held = [];
    this.heldBytes = 0;
    this.emit(block, 0, block.length);
  }

  private hold(part: Buffer): void {
    this.held.push(part);
    this.heldBytes += part.length;
    if (this.heldBytes > MAX_SSE_EVENT_BYTES) this.stopTooLarge();
  }

  private stopTooLarge(): void {
    this.isTooLarge = true;
    this.isStopped = true;
    this.held = [];
    this.heldBytes = 0;
  }

  /** Offset behind the blank line that ends the block, or -1 when the chunk ends first. Keeps the line state. */
  private findBlockEnd(chunk: Buffer, from: number): number {
    let at = from;
    if (this.sawCarriageReturn && chunk[at] === LINE_FEED) at += 1;
    this.sawCarriageReturn = false;
    while (at < chunk.length) {
      const lineFeed = chunk.indexOf(LINE_FEED, at);
      const limit = lineFeed === -1 ? chunk.length : lineFeed;
      const carriageReturn = this.carriageReturnIn(chunk, at, limit);
      const lineEnd = carriageReturn === -1 ? lineFeed : carriageReturn;
      if (lineEnd === -1) {
        this.lineBytes += chunk.length - at;
        this.isLineStart = false;
        if (this.lineBytes > MAX_SSE_LINE_BYTES) this.stopTooLarge();
        return -1;
      }
      const isBlank = this.isLineStart && lineEnd === at;
      if (this.lineBytes + lineEnd - at > MAX_SSE_LINE_BYTES) {
        this.stopTooLarge();
        return -1;
      }
      this.lineBytes = 0;
      this.isLineStart = true;
      at = lineEnd + 1;
      if (carriageReturn !== -1) {
        if (at < chunk.length) {
          if (chunk[at] === LINE_FEED) at += 1;
        } else this.sawCarriageReturn = true;
      }
      if (isBlank) return at;
    }
    return -1;
  }

  private emit(bytes: Buffer, rawStart: number, rawEnd: number): void {
    let start = rawStart;
    if (this.isFirstBlock) {
      this.isFirstBlock = false;
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
    }
    // The line feed of a CRLF whose halves came in two chunks.
    while (start < rawEnd && (bytes[start] === LINE_FEED || bytes[start] === CARRIAGE_RETURN)) start += 1;
    let dataStart = start;
    let dataEnd = start;
    let joined: Buffer[] | null = null;
    let hasData = false;
    let at = start;
    while (at < rawEnd) {
      const lineEnd = this.endOfLine(bytes, at, rawEnd);
      if (isDataLine(bytes, at, lineEnd)) {
        const valueStart = Math.min(
          lineEnd,
          at + (bytes[at + 4] === COLON ? (bytes[at + 5] === SPACE ? 6 : 5) : 4),
        );
        if (!hasData) {
          dataStart = valueStart;
          dataEnd = lineEnd;
        } else {
          joined ??= [bytes.subarray(dataStart, dataEnd)];
          joined.push(NEW_LINE, bytes.subarray(valueStart, lineEnd));
        }
        hasData = true;
      }
      at = lineEnd + 1;
      if (bytes[lineEnd] === CARRIAGE_RETURN && bytes[at] === LINE_FEED) at += 1;
    }
    const data = joined === null ? bytes : Buffer.concat(joined);
    const goesOn =
      joined === null
        ? this.sink.onEvent(bytes, rawStart, rawEnd, data, dataStart, dataEnd, '')
        : this.sink.onEvent(bytes, rawStart, rawEnd, data, 0, data.length, '');
    if (!goesOn) this.isStopped = true;
  }

  private endOfLine(bytes: Buffer, from: number, limit: number): number {
    const lineFeed = bytes.indexOf(LINE_FEED, from);
    const end = lineFeed === -1 || lineFeed > limit ? limit : lineFeed;
    const carriageReturn = this.carriageReturnIn(bytes, from, end);
    return carriageReturn === -1 ? end : carriageReturn;
  }

  private carriageReturnIn(bytes: Buffer, from: number, limit: number): number {
    if (this.searched !== bytes || from < this.searchedFrom || this.carriageReturnAt < from) {
      const found = bytes.indexOf(CARRIAGE_RETURN, from);
      this.searched = bytes;
      this.searchedFrom = from;
      this.carriageReturnAt = found === -1 ? NONE : found;
    }
    return this.carriageReturnAt < limit ? this.carriageReturnAt : -1;
  }
}

const NEW_LINE = Buffer.from('\n');

function isDataLine(bytes: Buffer, at: number, end: number): boolean {
  return (
    end - at >= 4 &&
    bytes[at] === 0x64 &&
    bytes[at + 1] === 0x61 &&
    bytes[at + 2] === 0x74 &&
    bytes[at + 3] === 0x61 &&
    (end - at === 4 || bytes[at + 4] === COLON)
  );
}
