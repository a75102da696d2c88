import { crc32 } from 'node:zlib';
import type { Framer, FrameSink } from './framer.js';

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const SMALLEST_FRAME = PRELUDE_BYTES + CHECKSUM_BYTES;
/** Largest frame that is read; the vendor's own are far smaller. */
export const MAX_AWS_FRAME_BYTES = 16 * 1024 * 1024;
/** AWS's own bound. */
const MAX_HEADERS_BYTES = 128 * 1024;
/** Before the name of a frame that is a failure: `exception/throttlingException`. */
export const AWS_EXCEPTION_PREFIX = 'exception/';

/** Bytes of a header's value by its type, 0 to 9; -1 = a length of two bytes stands before it. */
const VALUE_BYTES: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const TYPE_TEXT = 7;

/**
 * Reader of AWS's event-stream framing (`application/vnd.amazon.eventstream`; Amazon Transcribe developer guide,
 * "Event stream encoding", read 2026-11-21), at any split. Both checksums of every frame are checked. A frame's name is
 * its `:event-type`; failures are named with `AWS_EXCEPTION_PREFIX` and their data is always JSON with a `message`.
 */
export class AwsEventStreamParser implements Framer {
  isTooLarge = false;
  isBroken = false;

  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Bytes the frame that is being read has at least. */
  private needed = SMALLEST_FRAME;
  private isStopped = false;

  constructor(private readonly sink: FrameSink) {}

  push(chunk: Buffer): void {
    if (this.isStopped || chunk.length === 0) return;
    let bytes = chunk;
    if (this.heldBytes > 0) {
      this.held.push(chunk);
      this.heldBytes += chunk.length;
      if (this.heldBytes < this.needed) return;
      bytes = Buffer.concat(this.held, this.heldBytes);
      this.held = [];
      this.heldBytes = 0;
    }
    const from = this.readFrames(bytes);
    if (this.isStopped || from === bytes.length) return;
    this.held = [bytes.subarray(from)];
    this.heldBytes = bytes.length - from;
  }

  /** A frame without its end is a stream that was cut. */
  finish(): void {
    if (!this.isStopped && this.heldBytes > 0) this.stop('isBroken');
  }

  /** @returns offset of the first byte that belongs to no whole frame */
  private readFrames(bytes: Buffer): number {
    let at = 0;
    while (!this.isStopped) {
      this.needed = SMALLEST_FRAME;
      if (bytes.length - at < SMALLEST_FRAME) break;
      const total = bytes.readUInt32BE(at);
      const headers = bytes.readUInt32BE(at + 4);
      // The lengths are believed only after their own checksum.
      if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) this.stop('isBroken');
      else if (total > MAX_AWS_FRAME_BYTES) this.stop('isTooLarge');
      else if (headers > MAX_HEADERS_BYTES || total < SMALLEST_FRAME + headers) this.stop('isBroken');
      else if (bytes.length - at < total) {
        this.needed = total;
        break;
      } else {
        this.readFrame(bytes, at, at + total, headers);
        at += total;
      }
    }
    return at;
  }

  private readFrame(bytes: Buffer, start: number, end: number, headersLength: number): void {
    const payloadEnd = end - CHECKSUM_BYTES;
    if (crc32(bytes.subarray(start, payloadEnd)) !== bytes.readUInt32BE(payloadEnd)) {
      this.stop('isBroken');
      return;
    }
    const payloadStart = start + PRELUDE_BYTES + headersLength;
    const headers = readHeaders(bytes, start + PRELUDE_BYTES, payloadStart);
    if (headers === undefined) {
      this.stop('isBroken');
      return;
    }
    const kind = headers.get(':message-type') ?? 'event';
    let goesOn: boolean;
    if (kind === 'event') {
      const name = headers.get(':event-type') ?? '';
      goesOn = this.sink.onEvent(bytes, start, end, bytes, payloadStart, payloadEnd, name);
    } else {
      const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? kind;
      const data = failureOf(bytes.subarray(payloadStart, payloadEnd), headers.get(':error-message'));
      goesOn = this.sink.onEvent(bytes, start, end, data, 0, data.length, AWS_EXCEPTION_PREFIX + name);
    }
    if (!goesOn) this.isStopped = true;
  }

  private stop(reason: 'isBroken' | 'isTooLarge'): void {
    this[reason] = true;
    this.isStopped = true;
    this.held = [];
    this.heldBytes = 0;
  }
}

/** Headers that are texts, by name; undefined when their bytes are not what they should be. */
function readHeaders(bytes: Buffer, start: number, end: number): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  let at = start;
  while (at < end) {
    const nameEnd = at + 1 + (bytes[at] as number);
    if (nameEnd >= end) return undefined;
    const name = bytes.toString('latin1', at + 1, nameEnd);
    const type = bytes[nameEnd] as number;
    let length = VALUE_BYTES[type];
    if (length === undefined) return undefined;
    at = nameEnd + 1;
    if (length === -1) {
      if (at + 2 > end) return undefined;
      length = bytes.readUInt16BE(at);
      at += 2;
    }
    if (at + length > end) return undefined;
    if (type === TYPE_TEXT) headers.set(name, bytes.toString('utf8', at, at + length));
    at += length;
  }
  return headers;
}

/** A failure's payload, or its sentence from the headers where it has none. */
function failureOf(payload: Buffer, message: string | undefined): Buffer {
  return payload.length > 0 ? payload : Buffer.from(JSON.stringify({ message: message ?? '' }));
}
