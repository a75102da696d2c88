import type { Framer, FrameSink } from './framer.js';

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Longest line that is read. */
export const MAX_JSON_LINE_BYTES = 8 * 1024 * 1024;

/** Reader of newline-delimited JSON, at any split; LF and CRLF, blank lines passed by. */
export class JsonLinesParser implements Framer {
  isTooLarge = false;
  /** Any bytes are lines; whether a line is JSON is the meter's business. */
  readonly isBroken = false;

  private held: Buffer[] = [];
  private heldBytes = 0;
  private isStopped = false;

  constructor(private readonly sink: FrameSink) {}

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length && !this.isStopped) {
      const lineFeed = chunk.indexOf(LINE_FEED, from);
      const end = lineFeed === -1 ? chunk.length : lineFeed + 1;
      if (this.heldBytes + end - from > MAX_JSON_LINE_BYTES) {
        this.isTooLarge = true;
        this.isStopped = true;
        this.held = [];
        return;
      }
      if (lineFeed === -1) {
        this.held.push(chunk.subarray(from));
        this.heldBytes += end - from;
        return;
      }
      if (this.heldBytes === 0) this.emit(chunk, from, end);
      else {
        this.held.push(chunk.subarray(from, end));
        const line = this.takeHeld();
        this.emit(line, 0, line.length);
      }
      from = end;
    }
  }

  /** The last line may lack its line feed. */
  finish(): void {
    if (this.isStopped || this.heldBytes === 0) return;
    const line = this.takeHeld();
    this.emit(line, 0, line.length);
  }

  private takeHeld(): Buffer {
    const line = Buffer.concat(this.held);
    this.held = [];
    this.heldBytes = 0;
    return line;
  }

  private emit(bytes: Buffer, rawStart: number, rawEnd: number): void {
    let start = rawStart;
    let end = rawEnd;
    while (start < end && (bytes[start] as number) <= SPACE) start += 1;
    while (end > start && (bytes[end - 1] as number) <= SPACE) end -= 1;
    if (start === end) return;
    if (!this.sink.onEvent(bytes, rawStart, rawEnd, bytes, start, end, '')) this.isStopped = true;
  }
}
